package recognize

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// lines identifies JSON lines, an array over several lines, or other text. It compares all records in the head, so
// that a single foreign or edited line does not matter.
func lines(h Head) Answer {
	var count tally
	text := h.Text
	scanner := strictjson.NewScanner(strictjson.Limits{DuplicateKeys: true, LoneSurrogates: true})
	for len(text) > 0 && count.records < mostLines {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		if !ended && h.Cut && count.records+count.bad > 0 {
			break // the head ends inside this line
		}
		text = rest
		line = trimStart(bytes.TrimRight(line, "\r, \t\x00"))
		if len(line) == 0 || len(line) == 1 {
			continue
		}
		doc, err := scanner.Scan(line)
		if err != nil {
			count.bad++
			continue
		}
		count.add(doc.Root())
	}
	return count.answer(h)
}

// tally counts a head's records by kind.
type tally struct {
	records, bad int
	known        []countedAnswer // formats that cupel knows, in order of appearance
	firstForeign Answer
	foreign      int
}

type countedAnswer struct {
	answer Answer
	n      int
}

func (c *tally) add(root strictjson.Node) {
	if root.Is(strictjson.Array) {
		for element := range root.Children() {
			if element.Is(strictjson.Object) && c.records < mostLines {
				c.add(element)
			}
		}
		return
	}
	c.records++
	a := record(root)
	if a.State == Foreign {
		if c.foreign == 0 || c.firstForeign.Format == "" {
			c.firstForeign = a
		}
		c.foreign++
		return
	}
	for i := range c.known {
		if c.known[i].answer.Family == a.Family {
			c.known[i].n++
			return
		}
	}
	c.known = append(c.known, countedAnswer{a, 1})
}

// answer returns the majority format. Foreign records never outvote known ones, which have distinctive members: a
// log with foreign lines counts as damaged.
func (c *tally) answer(h Head) Answer {
	best := countedAnswer{}
	for _, known := range c.known {
		if known.n > best.n {
			best = known
		}
	}
	if best.n > 0 {
		a := best.answer
		a.Records, a.Others, a.Bad = c.records, c.records-best.n, c.bad
		return a
	}
	a := c.firstForeign
	if c.bad > 0 && !ownKind(a.Format) {
		if broken := unreadable(h.Text); broken.State == Damaged {
			a = broken
		}
	}
	if a.State == Foreign && !ownKind(a.Format) {
		if inside := wrapped(h.Text); inside.State == Damaged {
			a = inside
		}
	}
	a.Records, a.Bad = c.records, c.bad
	switch {
	case a.State == Damaged:
	case c.records > 0 && a.Format == "":
		a.Why = "" + strconv.Itoa(c.records) + " JSON records have no member of a known format"
		if c.records == 1 {
			a.Why = "the JSON record has no member of a known format"
		}
	case c.records == 0 && a.Why == "":
		a.Why = nothingShown
	}
	return a
}

// ownKind reports whether records of other formats inside a foreign format are normal, not damage. Shippers only
// wrap lines.
func ownKind(format string) bool { return format != "" && !slices.Contains(shippers, format) }
