package diagnosis

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// logReader extracts the events from the records of a log.
type logReader struct {
	opt     Options
	limits  stream.Limits
	open    func() *lines // all records
	single  *session.Single
	wrapper *wrapper
	scanner *strictjson.Scanner

	nodes    []node
	computed map[session.Key][]int32 // broken nodes by the hashes that they should have
	gaps     []gap
	remarks  map[remark]*remark // of the gaps
	sessions *session.Trail     // numbers the sessions
	after    session.Key        // of Options.After
	rank     int32

	found      map[*conversion]*converted
	order      []*conversion // of found
	mismatched []pending
	searches   int
	wraps      map[string]int // indexes of gaps of wrapped lines, by wrapper
}

type converted struct{ from, to, count, unproven int }

// begin allocates memory for the events of a number of records.
func (d *logReader) begin(records int) {
	d.scanner, d.computed, d.found = d.limits.Scanner(), map[session.Key][]int32{}, map[*conversion]*converted{}
	d.wraps, d.remarks = map[string]int{}, map[remark]*remark{}
	d.nodes = make([]node, 0, records)
	d.after = session.KeyOfHex(d.opt.After)
	if d.sessions = d.opt.Trail; d.sessions == nil {
		d.sessions = session.NewTrail(0)
	}
}

func (d *logReader) collect(all *lines) {
	for list := all.see(maxAhead); len(list) > 0; list = all.see(maxAhead) {
		all.drop(1 + d.record(list))
	}
	d.believe()
}

// follow adds the events of a trail and reads the other records. It returns false if the text has changed.
func (d *logReader) follow(trail *session.Trail, c *cursor, mark int64) bool {
	passed := 0 // records that belong to one before
	for s := range trail.Steps() {
		if s.Unsound == 0 {
			for i := min(passed, len(s.Run)); i < len(s.Run); i++ {
				d.rank++
				d.add(s.At(i), s.Line+i, false)
			}
			passed -= min(passed, len(s.Run))
			continue
		}
		if passed >= s.Unsound {
			passed -= s.Unsound
			continue
		}
		at := c.to(max(0, s.Offset-mark), s.Line)
		at.see(passed)
		at.drop(passed)
		for ; passed < s.Unsound; passed++ {
			list := at.see(maxAhead)
			if len(list) == 0 {
				return false
			}
			more := d.record(list)
			at.drop(1 + more)
			passed += more
		}
		passed -= s.Unsound
	}
	d.believe()
	return true
}

// record processes the first of some lines and returns how many of the following lines belong to it.
func (d *logReader) record(list []stream.Line) (more int) {
	l := list[0]
	d.rank++
	if l.Long {
		at := gapAt(l.Number, d.rank)
		at.kind, at.lost, at.more, at.count = stream.DamageEdited, 1, true, 0
		d.lose(at)
		return 0
	}
	if d.event(l.Bytes, l.Number) {
		if d.nodes[len(d.nodes)-1].broken {
			d.suspend(l.Bytes)
		}
		return 0
	}
	if fixed, ok := fromWindows1252(l.Bytes); ok {
		if e, ok := d.single.Read(fixed); ok { // a character that this encoding does not have is lost
			d.read(e, l.Number, true)
			d.suspend(l.Bytes)
			return 0
		}
	}
	return d.unreadable(list)
}

// pending is an event with incorrect hashes.
type pending struct {
	node    int32
	applies uint32 // the lossy conversions that could have changed it, as bits
}

// suspend records which lossy conversions can have changed the line of the last event.
func (d *logReader) suspend(line []byte) {
	p := pending{node: int32(len(d.nodes) - 1)}
	doc, _ := d.scanner.Scan(line)
	for i := range conversions {
		if c := &conversions[i]; c.lossy {
			for range c.undo(d.single, line, doc) {
				p.applies |= 1 << i
				break
			}
		}
	}
	if p.applies != 0 {
		d.mismatched = append(d.mismatched, p)
	}
}

// believe assumes that other lines underwent the same proven conversion, if possible, because lost data cannot
// always be recovered.
func (d *logReader) believe() {
	for _, p := range d.mismatched {
		for _, c := range d.order {
			i := slices.IndexFunc(conversions, func(of conversion) bool { return of.name == c.name })
			if !c.lossy || p.applies&(1<<i) == 0 {
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

// event processes a line with an event, unchanged or after undoing a conversion.
func (d *logReader) event(line []byte, number int) bool {
	e, ok := d.single.Read(line)
	if ok && e.Holds {
		d.read(e, number, false)
		return true
	}
	if before, c := d.convert(line); c != nil {
		d.fits(c, number)
		d.read(before, number, false)
		return true
	}
	if ok {
		d.read(e, number, true)
	}
	return ok
}

func (d *logReader) read(e session.Event, line int, broken bool) {
	e.Session = d.sessions.SessionNumber(e.Named)
	if broken && e.Computed != e.Hash {
		d.computed[e.Computed] = append(d.computed[e.Computed], int32(len(d.nodes)))
	}
	d.add(e.Place, line, broken)
}

func (d *logReader) add(at session.Place, line int, broken bool) {
	d.nodes = append(d.nodes, node{
		hash: at.Hash, prev: at.Prev, number: at.Number, session: at.Session, line: int32(line), rank: d.rank,
		numbered: at.Numbered, genesis: at.Genesis || d.opt.After != "" && at.Prev == d.after, end: at.End, broken: broken,
	})
}

// fits counts an event that a conversion explains.
func (d *logReader) fits(c *conversion, line int) {
	f := d.found[c]
	if f == nil {
		f = &converted{from: line}
		d.found[c], d.order = f, append(d.order, c)
	}
	f.from, f.to = min(f.from, line), max(f.to, line)
	f.count++
}

// convert finds the conversion that explains the hashes of a line. It tries previously successful ones first.
func (d *logReader) convert(line []byte) (session.Event, *conversion) {
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

func (d *logReader) try(c *conversion, line []byte, doc *strictjson.Document) (session.Event, bool) {
	for before := range c.undo(d.single, line, doc) {
		if e, ok := d.single.Read(before); ok && e.Holds {
			return e, true
		}
	}
	return session.Event{}, false
}

func (d *logReader) lineDamage() (list []stream.Damage) {
	for _, c := range d.order {
		f := d.found[c]
		said := say.Counted(f.count, "event") + " differ from the hashed ones only in their bytes: the recorded hash matches " + c.note
		if f.count == 1 {
			said = "1 event differs from the hashed one only in its bytes: the recorded hash matches " + c.note
		}
		if f.unproven > 0 {
			said += fmt.Sprintf("; what %d of them contained before was not found", f.unproven)
		}
		list = append(list, stream.Damage{Kind: c.kind, From: int64(f.from), To: int64(f.to), Count: int64(f.count), Name: c.name, Note: said, Help: c.help})
	}
	return list
}
