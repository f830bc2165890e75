package format

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// objects checks the objects of a line against their tables and records whether the line has a fault.
type objects struct {
	aliases bool // read the names that old writers used
	most    int  // additive members that are remembered in a block, to be noted once; 0: none are noted
	keys    siphash.Key

	block   *Block
	noted   map[uint64]bool // additive members of the block
	scratch []byte

	line   stream.Line
	idx    int64 // of the line's event, for findings
	hasIdx bool
	broken bool
}

// begin turns to the next line of the block.
func (o *objects) begin(l stream.Line) {
	o.line, o.idx, o.hasIdx, o.broken = l, 0, false, false
}

// at returns a finding at a place of the line.
func (o *objects) at(id rule.ID, path string, at fault.Place, message string) finding.Finding {
	return fault.At(o.line, id, path, at, message)
}

// full counts a fault beyond the report's limit and returns true, which saves the caller the explanation.
func (o *objects) full(at fault.Place) bool {
	if !o.block.Faults.FullOfRejections(o.line, int(at.Start)) {
		return false
	}
	o.broken = true
	o.block.Faults.CountRejection()
	return true
}

// reject adds a structural fault of the line.
func (o *objects) reject(f finding.Finding) {
	o.broken = true
	f.Index = o.index()
	o.block.Faults.Reject(f)
}

func (o *objects) index() *int64 {
	if !o.hasIdx {
		return nil
	}
	idx := o.idx
	return &idx
}

// read checks an object against its table and returns its members. Faults are structural; unknown members are
// additive and only noted.
func read[M ~uint8](o *objects, n strictjson.Node, at location, table shape[M]) (out members[M]) {
	o.read(n, at, table, (*[maxMembers]strictjson.Node)(&out))
	return out
}

// read finds the members of an object and checks them.
func (o *objects) read(n strictjson.Node, at location, table []member, out *[maxMembers]strictjson.Node) {
	for child := range n.Children() {
		if i := o.lookup(child, table); i >= 0 {
			if !out[i].Exists() || child.KeyIs(table[i].name) {
				out[i] = child
			}
			continue
		}
		o.note(child, at)
	}
	for i := range table {
		o.check(n, at, &table[i], out[i])
	}
}

// lookup returns a member's row, or -1.
func (o *objects) lookup(child strictjson.Node, table []member) int {
	for i := range table {
		if child.KeyIs(table[i].name) && table[i].name != "" {
			return i
		}
	}
	if !o.aliases {
		return -1
	}
	for i := range table {
		if table[i].alias != "" && child.KeyIs(table[i].alias) {
			return i
		}
	}
	return -1
}

func (o *objects) check(parent strictjson.Node, at location, m *member, n strictjson.Node) {
	switch {
	case n.Missing() && m.must:
		o.missing(parent, at, m, n)
	case n.Missing():
	case !m.want.fits(n):
		o.wrongType(n, at.member(m.name), m.name, m.want)
	case m.must && m.want == aString && n.TextIs("") && !o.full(fault.PlaceOf(n)):
		o.reject(o.at(rule.FieldEmpty, at.member(m.name), fault.PlaceOf(n), fmt.Sprintf("mandatory member %q is empty", m.name)))
	}
}

// missing reports a mandatory member that is absent or null.
func (o *objects) missing(parent strictjson.Node, at location, m *member, n strictjson.Node) {
	place, what := fault.Opening(parent), "missing"
	if n.Exists() {
		place, what = fault.PlaceOf(n), "null"
	}
	if o.full(place) {
		return
	}
	f := o.at(rule.FieldMissing, at.member(m.name), place, fmt.Sprintf("mandatory member %q is %s", m.name, what))
	if !n.Exists() && m.alias != "" && parent.Get(m.alias).Exists() {
		f.Help = fmt.Sprintf("%q is an old name of it: accept it with --accept-aliases", m.alias)
	}
	o.reject(f)
}

func (o *objects) wrongType(n strictjson.Node, path, name string, expected want) {
	if o.full(fault.PlaceOf(n)) {
		return
	}
	f := o.at(rule.FieldType, path, fault.PlaceOf(n), fmt.Sprintf("%q is %s, expected %s", name, describe(n), wantNames[expected]))
	f.Expected, f.Found = wantNames[expected], describe(n)
	o.reject(f)
}

// note records an additive member: the first at each place of the format, up to a limit.
func (o *objects) note(n strictjson.Node, at location) {
	if o.most == 0 {
		return
	}
	var unescaped [64]byte
	var key uint64
	key, o.scratch = additiveKey(o.keys, o.scratch, at.base, n.KeyBytes(unescaped[:0]))
	if o.noted[key] {
		return
	}
	if len(o.noted) < o.most {
		o.noted[key] = true
	}
	start, end := n.KeySpan()
	o.block.Additive = append(o.block.Additive, Additive{
		Key: key, At: fault.Place{Start: int32(start), End: int32(end)}, where: at,
		record: len(o.block.Records), idx: o.idx, hasIdx: o.hasIdx,
	})
}

// additiveKey returns the key of a member below a path, and the scratch buffer.
func additiveKey(keys siphash.Key, scratch []byte, base string, name []byte) (uint64, []byte) {
	scratch = append(append(scratch[:0], base...), 0) // the path of an object of the format has no NUL
	scratch = append(scratch, name...)
	return keys.Sum64(scratch), scratch
}
