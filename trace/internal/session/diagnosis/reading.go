package diagnosis

import (
	"bytes"
	"fmt"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// reading takes the events out of the lines of a log.
type reading struct {
	opt     Options
	limits  stream.Limits
	single  *session.Single
	wrapper *wrapper
	scanner *strictjson.Scanner

	nodes    []node
	gaps     []gap
	sessions map[string]uint32
	rank     int32
	family   uint64 // number of the first event, by the family

	found    map[*conversion]*fitting
	order    []*conversion // of found
	searches int
	wraps    map[string]int // indexes of gaps of wrapped lines, by wrapper
}

// fitting is the result of a conversion.
type fitting struct{ from, to, count, unproven int }

func (d *reading) collect(lines []stream.Line) {
	d.scanner, d.sessions, d.found, d.wraps = d.limits.Scanner(), map[string]uint32{}, map[*conversion]*fitting{}, map[string]int{}
	var open []pending
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		d.rank++
		if l.Long {
			d.gaps = append(d.gaps, gap{kind: stream.DamageEdited, from: l.Number, to: l.Number, rank: d.rank, lost: 1, more: true})
			continue
		}
		if d.event(l.Bytes, l.Number) {
			if n := &d.nodes[len(d.nodes)-1]; n.broken {
				open = append(open, pending{len(d.nodes) - 1, bytes.Clone(l.Bytes)})
			}
			continue
		}
		if fixed, ok := fromWindows1252(l.Bytes); ok {
			if e, ok := d.single.Read(fixed); ok { // a character that this encoding does not have is lost
				d.add(e, l.Number, true)
				open = append(open, pending{len(d.nodes) - 1, bytes.Clone(l.Bytes)})
				continue
			}
		}
		i += d.unreadable(lines, i)
	}
	d.believe(open)
}

// pending is a line whose hashes do not hold.
type pending struct {
	node int
	line []byte
}

// believe assumes that other lines underwent the same proven conversion, if possible, because lost
// data cannot always be recovered.
func (d *reading) believe(open []pending) {
	for _, p := range open {
		for _, c := range d.order {
			if !c.lossy || d.found[c].count < 1 || !d.applies(c, p.line) {
				continue
			}
			n := &d.nodes[p.node]
			n.broken = false
			d.fits(c, int(n.line))
			d.found[c].unproven++
			break
		}
	}
}

// event takes a line that is an event, as it is or after a conversion is undone.
func (d *reading) event(line []byte, number int) bool {
	e, ok := d.single.Read(line)
	if ok && e.Holds {
		d.add(e, number, false)
		return true
	}
	if before, c := d.convert(line); c != nil {
		d.fits(c, number)
		d.add(before, number, false)
		return true
	}
	if ok {
		d.add(e, number, true)
	}
	return ok
}

func (d *reading) add(e session.Event, line int, broken bool) {
	id, known := d.sessions[e.Session]
	if !known {
		id = uint32(len(d.sessions))
		d.sessions[e.Session] = id
	}
	d.family = e.First
	e.Genesis = e.Genesis || d.opt.After != "" && e.Prev.Hex() == d.opt.After
	d.nodes = append(d.nodes, node{
		hash: keyOf(e.Hash), computed: keyOf(e.Computed), prev: keyOf(e.Prev), number: e.Number, session: id, line: int32(line), rank: d.rank,
		numbered: e.Numbered, genesis: e.Genesis, start: e.Start, end: e.End, broken: broken,
	})
}

// fits counts an event that a conversion explains.
func (d *reading) fits(c *conversion, line int) {
	f := d.found[c]
	if f == nil {
		f = &fitting{from: line}
		d.found[c], d.order = f, append(d.order, c)
	}
	f.from, f.to = min(f.from, line), max(f.to, line)
	f.count++
}

// convert looks for the conversion after which the hashes of a line hold: those that explained
// others first.
func (d *reading) convert(line []byte) (session.Event, *conversion) {
	doc, _ := d.scanner.Scan(line)
	for _, c := range d.order {
		if !c.lossy || c == &conversions[0] {
			if e, ok := d.try(c, line, doc); ok {
				return e, c
			}
		}
	}
	if d.searches >= maxSearches*len(conversions) {
		return session.Event{}, nil
	}
	d.searches++
	for i := range conversions {
		c := &conversions[i]
		if c.lossy && i > 0 {
			if d.searches++; d.searches > maxSearches && d.found[c] != nil {
				continue // it is believed without a search
			}
		}
		if e, ok := d.try(c, line, doc); ok {
			return e, c
		}
	}
	return session.Event{}, nil
}

func (d *reading) try(c *conversion, line []byte, doc *strictjson.Document) (session.Event, bool) {
	for before := range c.undo(d.single, line, doc) {
		if e, ok := d.single.Read(before); ok && e.Holds {
			return e, true
		}
	}
	return session.Event{}, false
}

// applies says whether a line has anything that a conversion could have changed.
func (d *reading) applies(c *conversion, line []byte) bool {
	doc, _ := d.scanner.Scan(line)
	for range c.undo(d.single, line, doc) {
		return true
	}
	return false
}

// told returns the damage of single lines.
func (d *reading) told() (list []stream.Damage) {
	for _, c := range d.order {
		f := d.found[c]
		said := say.Counted(f.count, "event") + " differ from what was hashed in their bytes alone: the recorded hash matches " + c.note
		if f.count == 1 {
			said = "1 event differs from what was hashed in its bytes alone: the recorded hash matches " + c.note
		}
		if f.unproven > 0 {
			said += fmt.Sprintf("; what %d of them had before was not found again", f.unproven)
		}
		list = append(list, stream.Damage{Kind: c.kind, From: int64(f.from), To: int64(f.to), Count: int64(f.count), Name: c.name, Note: said, Help: c.help})
	}
	return list
}
