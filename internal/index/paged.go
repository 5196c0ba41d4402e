package index

// paged is a persistent array: copies share their pages, and an edit copies only
// the pages it writes. A page that was never written is absent, which means "as in
// the base block".
type paged[T any] struct{ pages []*page[T] }

const (
	pageBits = 6
	pageSize = 1 << pageBits
)

type page[T any] struct {
	by *edit // who may write it in place
	v  [pageSize]T
}

// edit is one call of With; its address is its identity.
type edit struct{ _ byte }

// at gives entry i, or nil if it is as in the base block.
func (a *paged[T]) at(i uint32) *T {
	if p := int(i >> pageBits); p < len(a.pages) && a.pages[p] != nil {
		return &a.pages[p].v[i%pageSize]
	}
	return nil
}

// fork gives a copy that an edit may write to.
func (a *paged[T]) fork() paged[T] {
	return paged[T]{append([]*page[T](nil), a.pages...)}
}

// edit gives entry i for writing; base fills the entries of a page that was absent.
func (a *paged[T]) edit(e *edit, i uint32, base func(i uint32) T) *T {
	p := int(i >> pageBits)
	for len(a.pages) <= p {
		a.pages = append(a.pages, nil)
	}
	switch old := a.pages[p]; {
	case old == nil:
		n := &page[T]{by: e}
		for k := range n.v {
			n.v[k] = base(i&^(pageSize-1) + uint32(k))
		}
		a.pages[p] = n
	case old.by != e:
		n := *old
		n.by = e
		a.pages[p] = &n
	}
	return &a.pages[p].v[i%pageSize]
}
