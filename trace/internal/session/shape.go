package session

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// shapeReader checks the members of the envelope and their types.
type shapeReader struct {
	env      *envelope
	required uint32            // members, as bits
	notes    noteMemory        // about unknown members
	order    []member          // the members of the last event, in its order
	last     *strictjson.Shape // of the last event; nil: it is not known
}

// read returns the last violated rule if the line does not have the envelope's shape. It tries the member order of
// the last event first, because producers rarely change it.
func (r *shapeReader) read(rec *record, e *event) (fault rule, good bool) {
	good = true
	var seen uint32
	i, root := 0, rec.doc.Root()
	known := r.knows(root.Shape())
	for n := range root.Children() {
		var m member
		if known {
			m = r.order[i]
		} else {
			m = r.member(n, i)
		}
		i++
		if r.env.whole && m.covered() {
			rec.covered = append(rec.covered, n)
		}
		if m == noMember || r.env.shapes[m] == stranger {
			r.unknown(rec, n, m)
			continue
		}
		rec.nodes[m] = n
		kind := n.Kind()
		if kind == strictjson.Null && r.env.shapes[m] != aLink {
			continue // counts as absent
		}
		seen |= 1 << m
		if !fits(kind, r.env.shapes[m]) {
			fault, good = wrongType(rec, m, r.env.shapes[m]), false
			continue
		}
		if kind != strictjson.Null {
			e.set(m, n)
		}
	}
	for missing := r.required &^ seen; missing != 0; missing &= missing - 1 {
		fault, good = missingMember(rec, member(bits.TrailingZeros32(missing))), false
	}
	return fault, good
}

// knows reports whether shape is that of the last event, and stores it otherwise.
func (r *shapeReader) knows(shape *strictjson.Shape) bool {
	known := shape != nil && shape == r.last
	r.last = shape
	return known
}

func (r *shapeReader) member(n strictjson.Node, i int) member {
	if i < len(r.order) && r.order[i] != noMember && n.KeyIs(memberNames[r.order[i]]) {
		return r.order[i]
	}
	m := memberOf(n)
	if i < 2*int(memberCount) {
		r.order = append(r.order[:min(i, len(r.order))], m)
	}
	return m
}

// fits reports whether a value has the type that the envelope requires.
func fits(k strictjson.Kind, s shape) bool {
	switch s {
	case aText, maybeText:
		return k == strictjson.String
	case aLink:
		return k == strictjson.String || k == strictjson.Null
	case aUint, maybeUint:
		return k == strictjson.Number
	case anObject:
		return k == strictjson.Object
	}
	return true
}

// unknown reports a member outside the envelope, once per name. A hash in a bare log is an error, because such logs
// do not have hashes.
func (r *shapeReader) unknown(rec *record, n strictjson.Node, m member) {
	if !r.env.chained {
		if m == payloadHash || m == prevEventHash || m == eventHash || m == prevHash {
			f := rules[ruleEnvelopeUnknown].New(fmt.Sprintf("%s in a log that began without hashes", m))
			f.Path = m.String()
			rec.reject(f, keySpanOf(n))
		}
		return
	}
	var scratch [64]byte
	name := n.KeyBytes(scratch[:0])
	if about, first := r.notes.once(ruleFieldUnknown, nil, name); first {
		rec.note(about, n, keySpanOf(n), place{})
	}
}

func missingMember(rec *record, m member) rule {
	f := rules[ruleFieldMissing].New(fmt.Sprintf("mandatory member %q is missing", m))
	f.Path = m.String()
	at := opening(rec.doc.Root())
	if n := rec.nodes[m]; n.Exists() {
		at = spanOf(n)
		f.Message = fmt.Sprintf("mandatory member %q is null", m)
		if m == eventHash {
			f.Help = "an event without its hash is a proposal: verify the log after it was sealed"
		}
	}
	rec.reject(f, at)
	return ruleFieldMissing
}

var shapeNames = [...]string{maybeText: "a string", maybeUint: "an unsigned integer", aText: "a string", aLink: "a string or null", aUint: "an unsigned integer", anObject: "an object"}

func wrongType(rec *record, m member, s shape) rule {
	n := rec.nodes[m]
	found := say.Article(n.Kind().String())
	f := rules[ruleFieldType].New(fmt.Sprintf("%s is %s, expected %s", m, found, shapeNames[s]))
	f.Path, f.Expected, f.Found = m.String(), shapeNames[s], found
	if text, ok := n.Text(); ok && m == payloadMember && strings.HasPrefix(text, "{") {
		f.Help = "the payload is JSON inside a string: write it as an object"
	}
	rec.reject(f, spanOf(n))
	return ruleFieldType
}
