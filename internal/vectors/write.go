package vectors

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"plastic/memory"
)

// append writes one batch after the last whole one, under the lock of the file.
// It is not synced: what a power cut takes is made again.
func (f *File) append(batch []byte) error {
	unlock, err := f.lock()
	if err != nil {
		return fmt.Errorf("lock the vectors: %w", err)
	}
	defer unlock()
	if err := f.refresh(); err != nil {
		return err
	}
	if err := f.write(batch); err != nil {
		return fmt.Errorf("write the vectors: %w", err)
	}
	return f.refresh()
}

func (f *File) write(batch []byte) (err error) {
	f.mu.RLock()
	end := f.end
	f.mu.RUnlock()
	if end == 0 { // there is none, or what is there is no file of vectors
		return f.replace(append(append([]byte{}, header...), batch...))
	}
	file, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if info, err := file.Stat(); err != nil {
		return err
	} else if info.Size() > end { // a batch that was torn
		if err := file.Truncate(end); err != nil {
			return err
		}
	}
	_, err = file.WriteAt(batch, end)
	return err
}

// Compact writes the file anew with the vectors of the given models alone, and of
// the File's own model only those whose key keep wants. Batches that are damaged go.
func (f *File) Compact(models []string, keep func(Key) bool) error {
	unlock, err := f.lock()
	if err != nil {
		return fmt.Errorf("lock the vectors: %w", err)
	}
	defer unlock()
	if err := f.refresh(); err != nil {
		return err
	}
	f.mu.RLock()
	out := f.compacted(models, keep)
	f.mu.RUnlock()
	if err := f.replace(out); err != nil {
		return fmt.Errorf("write the vectors: %w", err)
	}
	return f.refresh()
}

func (f *File) compacted(models []string, keep func(Key) bool) []byte {
	out := append([]byte{}, header...)
	wanted := map[string]bool{f.model: true}
	for _, m := range models {
		wanted[m] = true
	}
	gone := f.removedLater()
	for at := int64(headerSize); at < f.end; {
		b, next, ok := batchAt(f.data, at)
		if !ok {
			break
		}
		if wanted[b.model] && !b.removes && whole(f.data, at, next) {
			var raw []int
			for i := range b.n {
				k := b.key(i)
				if b.model == f.model {
					if r, ok := f.rows[k]; ok && r.at == b.vector(i) && keep(k) {
						raw = append(raw, i)
					}
				} else if gone[b.model+"\x00"+string(k[:])] == b.vector(i) {
					raw = append(raw, i)
				}
			}
			out = append(out, b.pick(raw)...)
		}
		at = next
	}
	return out
}

// removedLater gives, for the other models' keys, where their last vector stands;
// a removed one has none.
func (f *File) removedLater() map[string]int64 {
	last := map[string]int64{}
	for at := int64(headerSize); at < f.end; {
		b, next, ok := batchAt(f.data, at)
		if !ok {
			break
		}
		for i := range b.n {
			if b.model == f.model {
				break
			}
			k := b.key(i)
			name := b.model + "\x00" + string(k[:])
			if b.removes {
				delete(last, name)
			} else {
				last[name] = b.vector(i)
			}
		}
		at = next
	}
	return last
}

// pick is the batch with the vectors at rows alone, nothing for none.
func (b *batch) pick(rows []int) []byte {
	if len(rows) == 0 {
		return nil
	}
	out := begin(kindAdd, b.model, b.dim, len(rows))
	for _, i := range rows {
		k := b.key(i)
		out = append(out, k[:]...)
	}
	for _, i := range rows {
		out = append(out, b.data[b.scales+4*int64(i):][:4]...)
	}
	for _, i := range rows {
		out = append(out, b.data[b.vector(i):][:b.dim]...)
	}
	return seal(out)
}

// Verify reads the whole file at path. It fails with memory.ErrCorrupt where a batch is
// not as it was written; a file that is not there, or torn at its end, is in order.
func Verify(path string) error {
	var data []byte
	fi, err := os.Stat(path)
	if err == nil && !fi.Mode().IsRegular() {
		return memory.Errorf(memory.ErrCorrupt, "no file")
	}
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if !begins(data) {
		return memory.Errorf(memory.ErrCorrupt, "no file of vectors")
	}
	for at := int64(headerSize); ; {
		_, next, ok := batchAt(data, at)
		if !ok {
			return nil
		}
		if !whole(data, at, next) {
			return memory.Errorf(memory.ErrCorrupt, "vectors at byte %d are not as they were written", at)
		}
		at = next
	}
}

// lock holds the lock of the file until unlock.
func (f *File) lock() (unlock func(), err error) {
	path := f.path + ".lock"
	unlock, err = lock(path)
	if err == nil {
		f.adopt(path)
	}
	return unlock, err
}

// replace puts data in the place of the file, whole.
func (f *File) replace(data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(f.path), ".vectors-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Close())
	if err == nil {
		f.adopt(tmp.Name())
		err = os.Rename(tmp.Name(), f.path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
