package vectors

import "math"

// quantize gives v at length 1 as int8, and the scale that takes it back. It is not
// ok for a vector that is empty, all zero or not finite.
func quantize(v []float32) (q []int8, scale float32, ok bool) {
	var sum, most float64
	for _, x := range v {
		sum += float64(x) * float64(x)
		most = max(most, math.Abs(float64(x)))
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return nil, 0, false
	}
	q = make([]int8, len(v))
	by := 127 / most
	var length float64 // of what was rounded: the cosine is that of the rounded vectors
	for i, x := range v {
		r := math.Round(float64(x) * by)
		q[i] = int8(r)
		length += r * r
	}
	return q, float32(1 / math.Sqrt(length)), true
}

// dot is the sum of the products of two int8 vectors of one length; b holds its
// numbers as bytes.
func dot(a []int8, b []byte) int32 {
	var s0, s1, s2, s3 int32
	b = b[:len(a)]
	i := 0
	for ; i+8 <= len(a); i += 8 {
		x, y := a[i:i+8:i+8], b[i:i+8:i+8]
		s0 += int32(x[0])*int32(int8(y[0])) + int32(x[4])*int32(int8(y[4]))
		s1 += int32(x[1])*int32(int8(y[1])) + int32(x[5])*int32(int8(y[5]))
		s2 += int32(x[2])*int32(int8(y[2])) + int32(x[6])*int32(int8(y[6]))
		s3 += int32(x[3])*int32(int8(y[3])) + int32(x[7])*int32(int8(y[7]))
	}
	for ; i < len(a); i++ {
		s0 += int32(a[i]) * int32(int8(b[i]))
	}
	return s0 + s1 + s2 + s3
}
