package vectors

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"sync"
)

// The file is a header and batches. A batch is written at once and counts only whole:
//
//	"VB" u8 kind u8 length of the model's name, u32 dimension, u32 n, u32 CRC-32C of
//	all that follows, the name, n keys, and where kind is add: n float32 scales, n
//	vectors of int8. Numbers are little-endian.
//
// A vector's cosine with another is the sum of their products × both scales.
const (
	headerSize = 16
	batchHead  = 16

	kindAdd    = 1
	kindRemove = 2

	maxDim   = 1 << 16
	maxCount = 1 << 22
)

var (
	header     = []byte("plastic vectors\x01")
	castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })
)

func begins(data []byte) bool { return bytes.HasPrefix(data, header) }

// batch is one batch in the file.
type batch struct {
	data                  []byte // of the whole file
	model                 string
	removes               bool
	dim, n                int
	keys, scales, vectors int64 // where they begin
}

// batchAt reads the batch at an offset; next is where it ends. It is not ok at the
// end of the file and where the rest is torn.
func batchAt(data []byte, at int64) (b batch, next int64, ok bool) {
	if at+batchHead > int64(len(data)) {
		return b, 0, false
	}
	h := data[at : at+batchHead]
	kind, name := h[2], int64(h[3])
	dim, n := int64(binary.LittleEndian.Uint32(h[4:])), int64(binary.LittleEndian.Uint32(h[8:]))
	if h[0] != 'V' || h[1] != 'B' || kind != kindAdd && kind != kindRemove || dim > maxDim || n > maxCount {
		return b, 0, false
	}
	b = batch{data: data, removes: kind == kindRemove, dim: int(dim), n: int(n)}
	b.keys = at + batchHead + name
	b.scales = b.keys + 16*n
	b.vectors, next = b.scales, b.scales
	if !b.removes {
		b.vectors = b.scales + 4*n
		next = b.vectors + n*dim
	}
	if next > int64(len(data)) {
		return b, 0, false
	}
	b.model = string(data[at+batchHead : b.keys])
	return b, next, true
}

// whole reports whether the batch that begins at an offset is as it was written.
func whole(data []byte, at, next int64) bool {
	return crc32.Checksum(data[at+batchHead:next], castagnoli()) == binary.LittleEndian.Uint32(data[at+12:])
}

func (b *batch) key(i int) (k Key) {
	copy(k[:], b.data[b.keys+16*int64(i):])
	return k
}

func (b *batch) scale(i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b.data[b.scales+4*int64(i):]))
}

func (b *batch) vector(i int) int64 { return b.vectors + int64(i)*int64(b.dim) }

func encode(model string, dim int, entries []Entry) []byte {
	out := begin(kindAdd, model, dim, len(entries))
	for _, e := range entries {
		out = append(out, e.Key[:]...)
	}
	vectors := make([]byte, 0, len(entries)*dim)
	for _, e := range entries {
		q, scale, _ := quantize(e.Vector)
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(scale))
		for _, x := range q {
			vectors = append(vectors, byte(x))
		}
	}
	return seal(append(out, vectors...))
}

func encodeRemoval(model string, keys []Key) []byte {
	out := begin(kindRemove, model, 0, len(keys))
	for _, k := range keys {
		out = append(out, k[:]...)
	}
	return seal(out)
}

func begin(kind byte, model string, dim, n int) []byte {
	model = model[:min(len(model), 255)]
	out := append(make([]byte, 0, batchHead+len(model)+n*(20+dim)), 'V', 'B', kind, byte(len(model)))
	out = binary.LittleEndian.AppendUint32(out, uint32(dim))
	out = binary.LittleEndian.AppendUint32(out, uint32(n))
	return append(append(out, 0, 0, 0, 0), model...)
}

func seal(batch []byte) []byte {
	binary.LittleEndian.PutUint32(batch[12:], crc32.Checksum(batch[batchHead:], castagnoli()))
	return batch
}
