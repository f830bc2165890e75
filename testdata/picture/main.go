// Picture writes a PNG with few colours: a screenshot of text needs no more, and takes a third of the room. Each colour
// becomes the nearest of the most frequent ones.
//
//	go run ./testdata/picture [-colours 48] SHOT.png PICTURE.png
package main

import (
	"cmp"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"slices"
)

func main() {
	colours := flag.Int("colours", 48, "how many colours are kept, at most 256")
	flag.Parse()
	if flag.NArg() != 2 || *colours < 2 || *colours > 256 {
		flag.Usage()
		os.Exit(2)
	}
	if err := convert(flag.Arg(0), flag.Arg(1), *colours); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func convert(from, to string, colours int) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	shot, err := png.Decode(in)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(out, reduce(shot, colours)); err != nil {
		return err
	}
	return out.Close()
}

// reduce draws the picture with its most frequent colours.
func reduce(shot image.Image, colours int) image.Image {
	count := map[color.RGBA]int{}
	bounds := shot.Bounds()
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(shot.At(x, y)).(color.RGBA) }
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	byCount := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range byCount[:min(colours, len(byCount))] {
		palette = append(palette, c)
	}
	picture := image.NewPaletted(bounds, palette)
	nearest := map[color.RGBA]uint8{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := at(x, y)
			i, known := nearest[c]
			if !known {
				i = uint8(palette.Index(c))
				nearest[c] = i
			}
			picture.SetColorIndex(x, y, i)
		}
	}
	return picture
}
