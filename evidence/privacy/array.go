package privacy

import (
	"bytes"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/secrets/naming"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// arrayTexts are the texts of an array, or of one member in all its objects.
type arrayTexts struct {
	offsets []int
	texts   [][]byte
}

func (a *arrayTexts) add(v evidence.Value) {
	raw := v.Raw()
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') >= 0 {
		raw = strictjson.AppendUnescaped(nil, raw)
	}
	offset, _ := v.Span()
	a.offsets, a.texts = append(a.offsets, offset), append(a.texts, raw)
}

func (a *arrayTexts) reset() { a.offsets, a.texts = a.offsets[:0], a.texts[:0] }

// deepestDelta is the maximum depth of a text below a stream element.
const deepestDelta = 4

// joined searches the consecutive texts of an array, because a secret can be split over them.
func (r *Redactor) joined(v evidence.Value) {
	if v.Len() < 2 {
		return
	}
	r.array.reset()
	objects := 0
	for child := range v.Children() {
		switch child.Kind() {
		case evidence.KindString:
			r.array.add(child)
		case evidence.KindObject:
			objects++
			r.give()
		default:
			r.give()
		}
	}
	r.give()
	if objects < 2 {
		return
	}
	groups := map[string]*arrayTexts{}
	for child := range v.Children() {
		if child.Kind() == evidence.KindObject {
			collect(groups, child, "", 0)
		}
	}
	for _, group := range groups {
		if len(group.texts) > 1 && touching(group.texts) {
			r.array = *group
			r.give()
		}
	}
}

// collect adds the texts of an element, grouped by the path to them.
func collect(groups map[string]*arrayTexts, v evidence.Value, way string, depth int) {
	for child := range v.Children() {
		switch child.Kind() {
		case evidence.KindString:
			name := way + "/" + child.Name()
			if groups[name] == nil {
				groups[name] = new(arrayTexts)
			}
			groups[name].add(child)
		case evidence.KindObject, evidence.KindArray:
			if depth < deepestDelta {
				collect(groups, child, way+"/"+child.Name(), depth+1)
			}
		}
	}
}

// touching reports whether a token or key can continue from one text to the next.
func touching(texts [][]byte) bool {
	for i, text := range texts[1:] {
		before := texts[i]
		if len(before) > 0 && len(text) > 0 && wordByte(before[len(before)-1]) && wordByte(text[0]) || bytes.Contains(before, []byte("-----BEGIN ")) {
			return true
		}
	}
	return false
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
}

// give records the findings of each text and clears them.
func (r *Redactor) give() {
	defer r.array.reset()
	r.pass(&r.array)
	r.rest()
}

// pass records what is found in several texts together.
func (r *Redactor) pass(a *arrayTexts) {
	r.texts.scan().Array(a.texts, func(i int, h secrets.Hit) { r.giveHit(a.offsets[i], h) })
}

func (r *Redactor) giveHit(offset int, h secrets.Hit) {
	if r.given == nil {
		r.given = map[int][]secrets.Hit{}
	}
	r.given[offset] = append(r.given[offset], h)
}

// mostRest limits the length of arrays for rest.
const mostRest = 16

// rest searches the last two texts that redaction leaves in an array, because they can form a name and value that a
// second run would redact.
func (r *Redactor) rest() {
	texts := r.array.texts
	named := func(text []byte) bool { return len(text) <= naming.MostName && !r.texts.rulesOf().Plain(text) }
	if len(texts) < 3 || len(texts) > mostRest || !slices.ContainsFunc(texts, named) {
		return
	}
	var stay, before arrayTexts
	for i, text := range texts {
		offset := r.array.offsets[i]
		after, what := r.texts.judge(text, Redacts, r.given[offset], nil)
		if what.action == Removed {
			continue
		}
		if what.action != "" {
			after = bytes.Clone(after)
		}
		stay.texts = append(stay.texts, after)
		before.offsets, before.texts = append(before.offsets, offset), append(before.texts, text)
	}
	if len(stay.texts) != 2 {
		return
	}
	var hit [2]bool // what a second run would find, which sees the texts as they are by then
	r.texts.scan().Array(stay.texts, func(i int, _ secrets.Hit) { hit[i] = true })
	if hit[0] || hit[1] {
		r.texts.scan().Array(before.texts, func(i int, h secrets.Hit) {
			if hit[i] {
				r.giveHit(before.offsets[i], h)
			}
		})
	}
}
