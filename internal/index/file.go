package index

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"runtime"
	"time"

	"plastic/memory"
)

// An index file is a block, then a mark of the caller's, then the mark's length and
// its CRC-32 (u32 each). It is used where it lies: mapped read-only, so that opening
// it reads no more than its header. What replaces it must be another file (a rename
// over it), never a write into it.

// smallBlock is the size up to which the body is checked at every opening: it costs
// no more than what else a start does.
const smallBlock = 256 << 10

// OpenFile opens the index file at path and gives the mark in it. Bytes that were
// written before the machine last started are checked whole: only power cuts and
// bad disks change them, for the file is not synced. Anything but a whole file of
// this version fails with memory.ErrCorrupt, a missing one with fs.ErrNotExist.
func OpenFile(path string) (ix *Index, mark []byte, err error) {
	data, changed, unmap, err := mapFile(path)
	if err != nil {
		return nil, nil, err
	}
	ix, mark, err = openFile(data)
	if err == nil && (len(data) <= smallBlock || changed.Before(started())) {
		if err = ix.Verify(); err == nil && len(data) > smallBlock {
			os.Chtimes(path, time.Time{}, time.Now()) // once for each start of the machine
		}
	}
	if err != nil {
		unmap()
		return nil, nil, err
	}
	runtime.AddCleanup(ix.base, func(unmap func()) { unmap() }, unmap)
	return ix, mark, nil
}

func openFile(data []byte) (*Index, []byte, error) {
	if len(data) < bodyAt+8 || string(data[:len(magic)]) != magic {
		return nil, nil, memory.Errorf(memory.ErrCorrupt, "not a search index")
	}
	foot := data[len(data)-8:]
	n := uint64(binary.LittleEndian.Uint32(foot))
	size := u64(data, 3)
	if size > uint64(len(data)) || size+n+8 != uint64(len(data)) {
		return nil, nil, memory.Errorf(memory.ErrCorrupt, "search index of %d bytes", len(data))
	}
	mark := append([]byte(nil), data[size:size+n]...)
	if crc32.ChecksumIEEE(mark) != binary.LittleEndian.Uint32(foot[4:]) {
		return nil, nil, memory.Errorf(memory.ErrCorrupt, "mark of the search index")
	}
	ix, err := Open(data[:size:size])
	return ix, mark, err
}

// File gives the parts of an index file, in order: the block without what With
// added (see Merged), and the mark.
func (ix *Index) File(mark []byte) [2][]byte {
	foot := append([]byte(nil), mark...)
	foot = binary.LittleEndian.AppendUint32(foot, uint32(len(mark)))
	foot = binary.LittleEndian.AppendUint32(foot, crc32.ChecksumIEEE(mark))
	return [2][]byte{ix.base.raw, foot}
}
