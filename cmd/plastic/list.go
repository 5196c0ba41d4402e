package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/layers"
	"plastic/memory"
)

func (a *app) listCmd() *cobra.Command {
	var layer, kind string
	var f plastic.Filter
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "All memories that hold, oldest first",
		Long:    "Prints one memory a line: id | kind | age | importance | content.",
		Example: "  plastic list --layer fading",
		Args:    count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.Layer, f.Kind = layers.Layer(layer), memory.Kind(kind)
			if cmd.Flags().Changed("layer") && !slices.Contains(layerNames(), layer) {
				return usage("there is no layer "+quote(layer), "the layers are "+strings.Join(layerNames(), ", "))
			}
			return a.with(reads, func(b *plastic.Bank) error {
				got, err := b.List(f)
				if err != nil {
					return err
				}
				return a.answer(got, func(w io.Writer) { lines(w, got.Memories, a.time()) })
			})
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&layer, "layer", "", "only this `layer`: "+strings.Join(layerNames(), ", "))
	cmd.Flags().StringVar(&kind, "kind", "", "only this `kind`")
	cmd.Flags().BoolVar(&f.All, "all", false, "superseded ones too")
	complete(cmd, "layer", layerNames()...)
	complete(cmd, "kind", kinds...)
	return cmd
}

func layerNames() []string {
	var names []string
	for _, l := range layers.All() {
		names = append(names, string(l))
	}
	return names
}
