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
		ms := threeYears(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				compress.Night(ms, compress.Default(), now)
			}
		})
	}
}

func BenchmarkForecastOfAYear(b *testing.B) {
	ms := threeYears(100_000)
	for b.Loop() {
		compress.Forecast(ms, compress.Default(), now, 365)
	}
}

// threeYears gives n memories evenly over three years.
func threeYears(n int) []memory.Memory {
	ms := make([]memory.Memory, n)
	for i := range ms {
		ms[i] = memory.Memory{
			ID: fmt.Sprintf("m%06d", i), Importance: float64(i%70) / 100, RecallCount: i % 4 * (i % 7),
			CreatedAt: now.Add(-time.Duration(n-i) * (3 * 365 * 24 * time.Hour / time.Duration(n))),
		}
	}
	return ms
}
