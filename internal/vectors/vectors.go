// Package vectors keeps what texts mean as int8 vectors in one file, by model,
// dimension and text, and compares a question with them, exactly. The file holds
// nothing that the model can not give again: it may be deleted at any time. Vectors
// of other models are ignored, and stay until Compact.
//
//	f, err := vectors.Open(path, "some-model")
//	err = f.Add([]vectors.Entry{{Key: key, Vector: vector}})
//	cosines := f.Cos(question, keys)
package vectors

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"sync"

	"plastic/memory"
)

// Key names a text. The caller makes it; two texts never share one.
type Key [16]byte

// Entry is the vector of a text.
type Entry struct {
	Key    Key
	Vector []float32
}

// File is the file of vectors, as one model's. Its methods may be called at once from
// several goroutines, and other processes may change the file meanwhile.
type File struct {
	path, model string
	adopt       func(path string) // of files that are made

	mu    sync.RWMutex // guards all below
	info  os.FileInfo  // of what is mapped; nil: there is no file
	data  []byte
	free  func()
	end   int64 // where the last whole batch ends
	rows  map[Key]row
	dim   int // of the newest batch of the model
	count int // rows of that dimension
}

// row is where a vector stands in the file.
type row struct {
	at    int64
	scale float32
	dim   int32
}

// Open reads which vectors of model the file at path has. A file that is not there
// is empty; one that is no file of vectors is read as empty and replaced by the
// first Add.
func Open(path, model string) (*File, error) {
	f := &File{path: path, model: model, adopt: func(string) {}}
	return f, f.refresh()
}

// MadeFor has every file that f makes from now on given to adopt, which says whose it is
// and who may read it. Without, it is its maker's alone. MadeFor goes before other use.
func (f *File) MadeFor(adopt func(path string)) { f.adopt = adopt }

// Close lets the file go. The File may not be used afterwards.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drop()
	return nil
}

func (f *File) drop() {
	if f.free != nil {
		f.free()
	}
	f.data, f.free, f.info, f.end, f.rows, f.dim, f.count = nil, nil, nil, 0, nil, 0, 0
}

// refresh takes in what other processes, or this one, have written.
func (f *File) refresh() error {
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.mu.Lock()
		f.drop()
		f.mu.Unlock()
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at the vectors: %w", err)
	}
	f.mu.RLock()
	same := f.info != nil && os.SameFile(f.info, info) && f.info.Size() == info.Size() && f.info.ModTime().Equal(info.ModTime())
	f.mu.RUnlock()
	if same {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	data, info, free, err := mapFile(f.path)
	if err != nil {
		return fmt.Errorf("map the vectors: %w", err)
	}
	grown := f.info != nil && os.SameFile(f.info, info) && info.Size() >= f.end && f.rows != nil
	from := f.end
	rows, dim, count := f.rows, f.dim, f.count
	f.drop()
	if !grown {
		from, rows, dim, count = 0, map[Key]row{}, 0, 0
	}
	f.info, f.data, f.free, f.rows, f.dim, f.count = info, data, free, rows, dim, count
	f.read(from)
	return nil
}

// read takes in the batches from an offset to the last whole one.
func (f *File) read(from int64) {
	if from == 0 {
		if !begins(f.data) {
			return
		}
		from = headerSize
	}
	f.end = from
	f.expect()
	for {
		b, next, ok := batchAt(f.data, f.end)
		if !ok {
			return
		}
		f.end = next
		if b.model != f.model {
			continue
		}
		if b.removes {
			for i := range b.n {
				f.take(b.key(i))
			}
			continue
		}
		if b.dim != f.dim { // the model's newest dimension is the one that counts
			f.dim, f.count = b.dim, 0
			for _, r := range f.rows {
				if int(r.dim) == b.dim {
					f.count++
				}
			}
		}
		for i := range b.n {
			f.take(b.key(i))
			f.rows[b.key(i)] = row{at: b.vector(i), scale: b.scale(i), dim: int32(b.dim)}
			f.count++
		}
	}
}

// expect makes room for the rows that are to be read.
func (f *File) expect() {
	if len(f.rows) > 0 {
		return
	}
	n := 0
	for at := f.end; ; {
		b, next, ok := batchAt(f.data, at)
		if !ok {
			break
		}
		if b.model == f.model && !b.removes {
			n += b.n
		}
		at = next
	}
	f.rows = make(map[Key]row, n)
}

func (f *File) take(k Key) {
	if r, ok := f.rows[k]; ok {
		if int(r.dim) == f.dim {
			f.count--
		}
		delete(f.rows, k)
	}
}

// Len is how many texts have a vector of the model.
func (f *File) Len() int {
	_ = f.refresh()
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.count
}

// Dim is the dimension of the model's vectors, 0 while there are none.
func (f *File) Dim() int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.dim
}

// Has reports whether the text of k has a vector of the model, of the dimension that
// it has now.
func (f *File) Has(k Key) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	r, ok := f.rows[k]
	return ok && int(r.dim) == f.dim
}

// HasAny reports whether one of the texts of keys has a vector of the model, of
// whatever dimension.
func (f *File) HasAny(keys []Key) bool {
	_ = f.refresh()
	f.mu.RLock()
	defer f.mu.RUnlock()
	return slices.ContainsFunc(keys, func(k Key) bool {
		_, ok := f.rows[k]
		return ok
	})
}

// Cos gives the cosine of question with the vector of each key, −1…1, in their order:
// NaN where a key has none of question's dimension.
func (f *File) Cos(question []float32, keys []Key) []float32 {
	_ = f.refresh()
	out := make([]float32, len(keys))
	q, scale, ok := quantize(question)
	f.mu.RLock()
	defer f.mu.RUnlock()
	scan := func(from, to int) {
		for i, k := range keys[from:to] {
			r, has := f.rows[k]
			if !ok || !has || int(r.dim) != len(q) {
				out[from+i] = float32(math.NaN())
				continue
			}
			out[from+i] = float32(dot(q, f.data[r.at:r.at+int64(r.dim)])) * scale * r.scale
		}
	}
	if len(keys) < oneCore {
		scan(0, len(keys))
		return out
	}
	each((len(keys)+piece-1)/piece, func(i int) { scan(i*piece, min((i+1)*piece, len(keys))) })
	return out
}

const (
	oneCore = 2000 // fewer vectors are compared sooner than another core begins
	piece   = 500
)

// Add keeps the vectors of texts. Two with one key: the later counts. It fails with
// memory.ErrModel for a vector that is not finite, is all zero, or has another
// dimension than the rest, and keeps nothing then.
func (f *File) Add(entries []Entry) error {
	if len(entries) == 0 {
		return nil
	}
	dim := len(entries[0].Vector)
	for _, e := range entries {
		if _, _, ok := quantize(e.Vector); !ok || len(e.Vector) != dim || dim > maxDim {
			return fmt.Errorf("%w gave a vector that is none (%d numbers)", memory.ErrModel, len(e.Vector))
		}
	}
	return f.append(encode(f.model, dim, entries))
}

// Remove forgets the vectors of keys. Their bytes go with the next Compact.
func (f *File) Remove(keys []Key) error {
	if len(keys) == 0 {
		return nil
	}
	return f.append(encodeRemoval(f.model, keys))
}
