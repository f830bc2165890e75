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
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// maxDamage limits the list of damages.
const maxDamage = 1000

// Of diagnoses a text. ok is false for logs without hashes, beyond the limits or too tangled to search, and for a
// text that has changed since its trail was recorded.
func Of(text *io.SectionReader, opt Options) (story Story, ok bool) {
	from, encodings := decode(text)
	d := &logReader{opt: opt, limits: opt.Limits.WithDefaults()}
	d.open = func() *lines { return recordsOf(stream.Records(from(), d.limits, 0)) }
	records, last := 0, 0
	if t := opt.Trail; t != nil {
		records, last = int(t.Records), t.Last
	} else if records, last = d.count(); records > d.limits.IDs {
		return Story{}, false
	}
	d.wrapper = &wrapper{d.limits.Scanner(), opt.Family}
	if opt.Trail == nil || !opt.Trail.Sound(maxSniffed) {
		if story, whole := d.wrapped(last); whole {
			return story, true
		}
	}
	story.Damage = reencoded(encodings, last)
	var found []stream.Damage
	if opt.Trail != nil {
		found, ok = d.ofTrail(text)
	} else {
		found, ok = d.ofLog(records)
	}
	story.Damage = append(story.Damage, found...)
	story.Damage = story.Damage[:min(len(story.Damage), maxDamage)]
	return story, ok || len(encodings) > 0
}

// OfAll diagnoses changes of a text as a whole: a wrapper around each record, or a conversion. ok is false for
// other texts.
func OfAll(text *io.SectionReader, opt Options) (story Story, ok bool) {
	from, encodings := decode(text)
	d := &logReader{opt: opt, limits: opt.Limits.WithDefaults()}
	d.open = func() *lines { return recordsOf(stream.Records(from(), d.limits, 0)) }
	d.wrapper = &wrapper{d.limits.Scanner(), opt.Family}
	_, last := d.count()
	if story, ok = d.wrapped(last); ok {
		return story, true
	}
	return Story{Damage: reencoded(encodings, last)}, len(encodings) > 0
}

// wrapped returns the story of a log whose records are all wrapped.
func (d *logReader) wrapped(last int) (story Story, ok bool) {
	as, ok := wrapped(d.open().sniff(), d)
	if !ok {
		return Story{}, false
	}
	as.Line = max(as.Line, 1)
	return Story{Wrap: as, Damage: []stream.Damage{{
		Kind: stream.DamageWrapped, From: int64(as.Line), To: int64(last), Name: as.Name, Help: as.Help,
	}}}, true
}

// reencoded returns the damage of a text that was converted.
func reencoded(undone []encoding, last int) (list []stream.Damage) {
	for _, e := range undone {
		list = append(list, stream.Damage{
			Kind: stream.DamageReencoded, From: 1, To: int64(last), Name: e.name, Note: e.note, Help: e.help,
		})
	}
	return list
}

// ofLog diagnoses the records of one log. ok is false if it has no hashes.
func (d *logReader) ofLog(records int) (damage []stream.Damage, ok bool) {
	if d.single = d.reader(records); d.single == nil {
		return nil, false
	}
	d.begin(records)
	d.collect(d.open())
	return d.all()
}

// ofTrail diagnoses a log whose records are mostly known from its trail.
func (d *logReader) ofTrail(text *io.SectionReader) (damage []stream.Damage, ok bool) {
	mark := markSize(text)
	d.single = session.NewSingle(d.opt.Chain, d.limits, d.opt.Session)
	d.begin(int(d.opt.Trail.Records))
	rest := io.NewSectionReader(text, mark, text.Size()-mark)
	if !d.follow(d.opt.Trail, &cursor{text: rest, lineBytes: d.limits.LineBytes}, mark) {
		return nil, false
	}
	return d.all()
}

func (d *logReader) all() (damage []stream.Damage, ok bool) {
	if len(d.nodes) == 0 {
		return nil, false
	}
	g := newGraph(d.nodes, d.gaps, d.computed, d.single.First())
	damage = append(d.lineDamage(), g.damage()...)
	return damage[:min(len(damage), maxDamage)], g.work > 0
}

// OfSessions diagnoses the selected sessions of a text, each by its lines. key returns the session of a record; an
// unreadable line belongs to no session. Sessions without hashes are omitted.
func OfSessions[K comparable](text *io.SectionReader, opt Options, key func(strictjson.Node) K, wanted map[K]bool) map[K][]stream.Damage {
	limits := opt.Limits.WithDefaults()
	scanner, of := limits.Scanner(), map[K][]stream.Line{}
	from, _ := decode(text)
	for l := range recordsOf(stream.Records(from(), limits, 0)).all {
		doc, err := scanner.Scan(l.Bytes)
		if err != nil || !doc.Root().Is(strictjson.Object) {
			continue
		}
		if k := key(doc.Root()); wanted[k] {
			of[k] = append(of[k], l)
		}
	}
	all := map[K][]stream.Damage{}
	for k, list := range of {
		d := &logReader{opt: opt, limits: limits, wrapper: &wrapper{limits.Scanner(), opt.Family}, open: func() *lines { return listed(list) }}
		if damage, ok := d.ofLog(len(list)); ok {
			all[k] = damage
		}
	}
	return all
}

// renamed counts records with renamed members by family.
func (d *logReader) renamed(counts map[string]int) {
	scanner := d.limits.Scanner()
	for l := range d.open().all {
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

// count returns the number of records, up to one more than the limit, and the line of the last.
func (d *logReader) count() (records, last int) {
	last = 1
	for l := range d.open().all {
		if records, last = records+1, l.Number; records > d.limits.IDs {
			break
		}
	}
	return records, last
}

// countedLines is the number of lines between checks of the counts.
const countedLines = 64

// decided reports whether a family with hashes has more records than any other can still reach.
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

// reader returns the reader for the most frequent family, or nil if it has no hashes.
func (d *logReader) reader(records int) *session.Single {
	counts := map[string]int{}
	scanner := d.limits.Scanner()
	rest := records
	for l := range d.open().all {
		if rest%countedLines == 0 && decided(counts, rest) {
			break
		}
		rest--
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
		d.renamed(counts)
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
