package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// The parts of lists that are elements of the document from the start. A browser shows the other items while they are
// near its window, and without JavaScript not at all.
const (
	stillItems    = 50        // items of a list of findings or in a view
	stillRows     = 64 << 10  // bytes of rows
	stillSections = 256 << 10 // bytes of sections
)

// items are elements of one kind, in order.
type items [][]byte

// pass writes items until their size exceeds most bytes or their number exceeds number, if not 0, and the others as
// a JSON array of their HTML. tag is the element of an item.
func (list items) pass(to *clean, tag string, most, number int) {
	written := 0
	for i, item := range list {
		if i > 0 && (most > 0 && written+len(item) > most || number > 0 && i == number) {
			list[i:].later(to, tag)
			return
		}
		written += len(item)
		to.pass(item)
	}
}

// moreItems are the elements that say how many items need JavaScript.
var moreItems = map[string]string{
	"li": "<li class=\"more still\">%s</li>\n",
	"tr": "<tr class=\"still\"><td class=\"more\" colspan=\"4\">%s</td></tr>\n",
	"":   "<p class=\"more still\">%s</p>\n",
}

// later writes items as JSON.
func (list items) later(to *clean, tag string) {
	to.pass(fmt.Appendf(nil, moreItems[tag], strconv.Itoa(len(list))+" more: a browser with JavaScript shows them"))
	to.pass([]byte(`<script type="application/json" class="later">[`))
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false)
	for i, item := range list {
		if text.Reset(); i > 0 {
			text.WriteByte(',')
		}
		_ = out.Encode(string(item)) // a string always encodes
		to.pass(bytes.ReplaceAll(text.Bytes(), []byte("</"), []byte(`<\/`)))
	}
	to.pass([]byte("]</script>\n"))
}

// failingFirst are items of which those about failed subjects come first.
type failingFirst struct{ failed, others items }

func (f *failingFirst) add(mark Mark, item []byte) {
	if mark >= Bad {
		f.failed = append(f.failed, item)
	} else {
		f.others = append(f.others, item)
	}
}

func (f *failingFirst) pass(to *clean, tag string, most int) {
	slices.Concat(f.failed, f.others).pass(to, tag, most, 0)
}

// folder is the writer of a view. It defers the items of long lists, of which the view's template names begin and end.
type folder struct {
	out   *clean
	lists []int // number of items of the open lists

	depth int    // open lists up to the one whose items are deferred; 0 for none
	into  *clean // the deferred item
	item  bytes.Buffer
	rest  items
	size  int // of rest
}

func (f *folder) Write(text []byte) (int, error) {
	if f.out.err != nil {
		return 0, f.out.err
	}
	if f.depth > 0 {
		return f.into.Write(text)
	}
	return f.out.Write(text)
}

func (f *folder) begin() { f.lists = append(f.lists, 0) }

func (f *folder) next() {
	last := len(f.lists)
	f.lists[last-1]++
	switch {
	case f.depth == last:
		f.rest, f.size = append(f.rest, bytes.Clone(f.item.Bytes())), f.size+f.item.Len()
		f.item.Reset()
		if f.out.most > 0 && f.out.bytes+f.size > f.out.most {
			f.out.err = errFull
		}
	case f.depth == 0 && f.lists[last-1] == stillItems:
		f.depth, f.into = last, &clean{w: &f.item}
	}
}

func (f *folder) end(tag string) {
	if f.depth == len(f.lists) {
		if len(f.rest) > 0 {
			f.rest.later(f.out, tag)
		}
		f.depth, f.rest, f.size = 0, nil, 0
		f.item.Reset()
	}
	f.lists = f.lists[:len(f.lists)-1]
}
