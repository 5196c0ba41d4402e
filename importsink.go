package plastic

import (
	"fmt"

	"plastic/memory"
)

// sink is what an import needs of an update.
type sink interface {
	Get(id string) (memory.Memory, bool)
	NewID() string
	Put(m memory.Memory)
	Keep(a memory.Archived)
}

// drySink takes an import and writes nothing.
type drySink struct {
	scene *scene
	put   map[string]memory.Memory
}

func (d *drySink) Get(id string) (memory.Memory, bool) {
	if m, ok := d.put[id]; ok {
		return m, true
	}
	return d.scene.state.Get(id)
}

func (d *drySink) NewID() string        { return fmt.Sprintf("dry%d", len(d.put)) }
func (d *drySink) Put(m memory.Memory)  { d.put[m.ID] = m }
func (d *drySink) Keep(memory.Archived) {}
