package plastic

import (
	"io"

	"plastic/internal/chart"
	"plastic/internal/section"
)

// Chart draws the memory for a terminal: one bar a memory, the oldest left, as
// high as it is clear, coloured by its layer. It exists for the owner alone.
func (b *Bank) Chart(width, height int, color bool) (string, error) {
	bars, err := b.bars()
	if err != nil {
		return "", err
	}
	return chart.Terminal(bars, width, height, color), nil
}

// ChartSVG writes the same picture as SVG.
func (b *Bank) ChartSVG(w io.Writer) error {
	bars, err := b.bars()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, chart.SVG(bars, 0, 0))
	return err
}

func (b *Bank) bars() ([]chart.Bar, error) {
	if err := b.mayDump("chart"); err != nil {
		return nil, err
	}
	s, err := b.look()
	if err != nil {
		return nil, err
	}
	var bars []chart.Bar
	for i, st := range s.stand() {
		if m := &s.memories()[i]; m.Live(s.now) {
			bars = append(bars, chart.Bar{ID: m.ID, Content: section.OneLine(m.Content), Layer: st.Layer, Clarity: st.Clarity, CreatedAt: m.CreatedAt.In(s.config.Memory.Location())})
		}
	}
	return bars, nil
}
