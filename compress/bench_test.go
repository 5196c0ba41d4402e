package compress_test

import (
	"fmt"
	"testing"
	"time"

	"plastic/compress"
	"plastic/memory"
)

func BenchmarkNight(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			ms := make([]memory.Memory, n)
			for i := range ms {
				ms[i] = memory.Memory{
					ID: fmt.Sprintf("m%06d", i), Importance: float64(i%70) / 100, RecallCount: i % 4 * (i % 7),
					CreatedAt: now.Add(-time.Duration(n-i) * (3 * 365 * 24 * time.Hour / time.Duration(n))),
				}
			}
			for b.Loop() {
				compress.Night(ms, compress.Default(), now)
			}
		})
	}
}
