// Package diagnosis finds the causes of damage in a session log that failed verification. It works
// on the whole text, independently of the checker:
//
//  1. It undoes changes of the text: another character encoding, a wrapper around each record,
//     records that share a line or were truncated, hashes and times in another spelling.
//     A change counts only if the recorded hashes match after undoing it.
//  2. It builds the graph of events: each contains its own hash and the previous one's.
//  3. It compares the graph's chains with the line order and names the differences.
//
// Of several explanations, it reports the one with fewer assumptions.
package diagnosis

import (
	"bytes"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// maxDamage bounds the list of damages.
const maxDamage = 1000

// Of diagnoses a text. ok is false for logs without hashes and those beyond the limits.
func Of(text []byte, opt Options) (story Story, ok bool) {
	text, encodings := decode(text)
	d := &reading{opt: opt, limits: opt.Limits.WithDefaults()}
	lines, read := d.lines(text)
	if !read {
		return Story{}, false
	}
	if name, whole := wrapped(lines, d); whole {
		name.Line = max(name.Line, 1)
		return Story{Wrap: name, Damage: []stream.Damage{{Kind: stream.DamageWrapped, From: int64(name.Line), To: int64(lastLine(lines)), Name: name.Name, Help: name.Help}}}, true
	}
	for _, e := range encodings {
		story.Damage = append(story.Damage, stream.Damage{Kind: stream.DamageReencoded, From: 1, To: int64(lastLine(lines)), Name: e.name, Note: e.note, Help: e.help})
	}
	found, ok := ofLog(d, lines)
	story.Damage = append(story.Damage, found...)
	story.Damage = story.Damage[:min(len(story.Damage), maxDamage)]
	return story, ok || len(encodings) > 0
}

// ofLog diagnoses the lines of one log. ok is false without hashes.
func ofLog(d *reading, lines []stream.Line) (damage []stream.Damage, ok bool) {
	if d.single = d.reader(lines); d.single == nil {
		return nil, false
	}
	d.collect(lines)
	if len(d.nodes) == 0 {
		return nil, false
	}
	damage = append(d.told(), newGraph(d.nodes, d.gaps, d.family).told()...)
	return damage[:min(len(damage), maxDamage)], true
}

// OfSessions diagnoses the sessions of a text that are wanted, each by its own lines. key tells the session
// of a record; a line that cannot be read is of none. A session without hashes is left out.
func OfSessions[K comparable](text []byte, opt Options, key func(strictjson.Node) K, wanted map[K]bool) map[K][]stream.Damage {
	limits := opt.Limits.WithDefaults()
	lines, _ := (&reading{limits: limits}).lines(text)
	scanner, of := limits.Scanner(), map[K][]stream.Line{}
	for _, l := range lines {
		doc, err := scanner.Scan(l.Bytes)
		if err != nil || !doc.Root().Is(strictjson.Object) {
			continue
		}
		if k := key(doc.Root()); wanted[k] {
			of[k] = append(of[k], l)
		}
	}
	all := map[K][]stream.Damage{}
	for k, lines := range of {
		if damage, ok := ofLog(&reading{opt: opt, limits: limits, wrapper: &wrapper{limits.Scanner(), opt.Family}}, lines); ok {
			all[k] = damage
		}
	}
	return all
}

// renamed counts the families of records whose members were renamed.
func (d *reading) renamed(lines []stream.Line, counts map[string]int) {
	scanner := d.limits.Scanner()
	for _, l := range lines {
		doc, err := scanner.Scan(l.Bytes)
		if err != nil {
			continue
		}
		for line := range undoNames(nil, l.Bytes, doc) {
			if again, err := d.limits.Scanner().Scan(line); err == nil {
				counts[d.opt.Family(again.Root())]++
			}
			break
		}
	}
}

// lines cuts a text into records, as the checker does: lines, or the elements of an array.
func (d *reading) lines(text []byte) (list []stream.Line, ok bool) {
	in := stream.Records(bytes.NewReader(text), d.limits, 0)
	for {
		b, err := in.Next(nil)
		if err != nil {
			return list, true
		}
		for l := range b.Lines {
			if l.Blank() {
				continue
			}
			if len(list) >= d.limits.IDs {
				return nil, false
			}
			list = append(list, l)
		}
	}
}

func lastLine(lines []stream.Line) int {
	if len(lines) == 0 {
		return 1
	}
	return lines[len(lines)-1].Number
}

// countedLines is how many lines are counted between two looks at the counts.
const countedLines = 64

// decided says whether a family with hashes has more records than any other can still get.
func decided(counts map[string]int, rest int) bool {
	lead, second := "", 0
	for family, n := range counts {
		switch {
		case n > counts[lead] || lead == "":
			lead, second = family, counts[lead]
		case n > second:
			second = n
		}
	}
	return slices.Contains(chained, lead) && counts[lead] > second+rest
}

// chained are the families with hashes.
var chained = []string{session.V0, session.V1, session.V1B}

// reader returns the reader for the family of most records, nil if it has no hashes.
func (d *reading) reader(lines []stream.Line) *session.Single {
	counts := map[string]int{}
	scanner := d.limits.Scanner()
	for i, l := range lines {
		if i%countedLines == 0 && decided(counts, len(lines)-i) {
			break
		}
		if l.Long {
			continue
		}
		if doc, err := scanner.Scan(l.Bytes); err == nil && doc.Root().Is(strictjson.Object) {
			counts[d.opt.Family(doc.Root())]++
		} else if fixed, ok := fromWindows1252(l.Bytes); ok {
			if doc, err := scanner.Scan(fixed); err == nil && doc.Root().Is(strictjson.Object) {
				counts[d.opt.Family(doc.Root())]++
			}
		}
	}
	if len(counts) == 1 && counts[""] > 0 {
		d.renamed(lines, counts)
	}
	best := ""
	for _, family := range chained {
		if counts[family] > counts[best] || best == "" && counts[family] > 0 {
			best = family
		}
	}
	if best == "" || counts[best] < counts[session.Bare] {
		return nil
	}
	return session.NewSingle(best, d.limits, d.opt.Session)
}
