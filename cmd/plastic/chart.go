package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) chartCmd() *cobra.Command {
	var svg string
	var width, height int
	cmd := &cobra.Command{
		Use:   "chart",
		Short: "The picture of the memory: one bar a memory, oldest left, high as it is clear",
		Long: "Draws the memory in the terminal, or as SVG into a file: the beginning, the\n" +
			"recent and what matters stand high, the rest fades.",
		Example: "  plastic chart --svg memory.svg",
		Args:    count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("width") {
				width = a.columns()
			} else if err := between("width", width, minChart, maxWidth); err != nil {
				return err
			}
			if err := between("height", height, 1, maxHeight); err != nil {
				return err
			}
			return a.with(reads, func(b *plastic.Bank) error {
				if svg != "" {
					return a.chartSVG(b, svg)
				}
				text, err := b.Chart(width, height, a.colour() && !a.flags.json)
				if err != nil {
					return err
				}
				return a.answer(map[string]string{"chart": text}, func(w io.Writer) { endLine(w, text) })
			})
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&svg, "svg", "", "write SVG to this `file`; - is stdout")
	cmd.Flags().IntVar(&width, "width", 0, "in `columns` (default: the terminal's)")
	cmd.Flags().IntVar(&height, "height", 12, "in `rows`")
	return cmd
}

// The sizes of a picture: no less shows anything, no more fits any screen.
const (
	minChart  = 20
	maxWidth  = 1000
	maxHeight = 200
)

func (a *app) chartSVG(b *plastic.Bank, path string) error {
	var svg bytes.Buffer
	if err := b.ChartSVG(&svg); err != nil {
		return err
	}
	if path == "-" {
		_, err := a.out.Write(svg.Bytes())
		return err
	}
	if err := os.WriteFile(path, svg.Bytes(), 0o644); err != nil {
		return err
	}
	return a.answer(map[string]string{"svg": path}, func(w io.Writer) { fmt.Fprintln(w, path) })
}
