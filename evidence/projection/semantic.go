package projection

import (
	"bytes"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
)

// SetMembers returns the members of an event's data that are sets, in which order and repetition do not matter.
func SetMembers() []string {
	return []string{"dropped_keys", "matched_tool_classes", "passed_keys", "tool_classes"}
}

// Semantic computes digests of events' meaning. They correlate events but do not protect integrity, because omitted
// parts can change. It reuses memory and is not safe for concurrent use.
type Semantic struct {
	sets      []string
	canonical *evidence.Canonicalizer
	dst       []byte
	members   []evidence.Value
	elements  [][]byte // of the current set, without escapes
}

// NewSemantic returns a Semantic. more lists data members that are sets in addition to [SetMembers].
func NewSemantic(more ...string) *Semantic {
	return &Semantic{sets: append(SetMembers(), more...), canonical: evidence.NewCanonicalizer()}
}

// Sum returns the digest of an event's data under a canonicalization profile: the SHA-256 of
// {"canonicalization_profile":…,"record":…} in canonical form, or, without a profile, of the record
// alone. The record is the data with its sets (top-level string arrays) sorted by code point
// without repetitions. canonical is valid until the next call.
func (s *Semantic) Sum(data evidence.Value, profile string) (sum evidence.Sum, canonical []byte) {
	s.dst = s.dst[:0]
	if profile != "" {
		s.dst = jcs.AppendText(append(s.dst, `{"canonicalization_profile":`...), profile)
		s.dst = append(s.dst, `,"record":`...)
	}
	s.record(data)
	if profile != "" {
		s.dst = append(s.dst, '}')
	}
	return digest.Of(s.dst), s.dst
}

// record writes the data with sorted sets.
func (s *Semantic) record(data evidence.Value) {
	if data.Kind() != evidence.KindObject {
		s.dst = data.AppendCanonical(s.dst)
		return
	}
	s.members = slices.AppendSeq(s.members[:0], data.Children())
	slices.SortFunc(s.members, func(a, b evidence.Value) int { return evidence.CompareNames(a.Name(), b.Name()) })
	if len(s.members) == 0 {
		s.dst = append(s.dst, '{')
	}
	before := byte('{')
	for _, m := range s.members {
		if slices.Contains(s.sets, m.Name()) && s.isSet(m) {
			s.set(before, m)
		} else {
			s.dst = s.canonical.AppendMember(s.dst, before, m)
		}
		before = ','
	}
	s.dst = append(s.dst, '}')
}

// isSet reads a member's elements and reports whether all are strings.
func (s *Semantic) isSet(v evidence.Value) bool {
	s.elements = s.elements[:0]
	for e := range v.Children() {
		if e.Kind() != evidence.KindString {
			return false
		}
		s.elements = append(s.elements, e.TextBytes(nil))
	}
	return v.Kind() == evidence.KindArray
}

// set writes a member with the elements read by isSet.
func (s *Semantic) set(before byte, m evidence.Value) {
	slices.SortFunc(s.elements, bytes.Compare)
	s.elements = slices.CompactFunc(s.elements, bytes.Equal)
	s.dst = append(jcs.AppendText(append(s.dst, before), m.Name()), ':', '[')
	for i, e := range s.elements {
		if i > 0 {
			s.dst = append(s.dst, ',')
		}
		s.dst = jcs.AppendText(s.dst, e)
	}
	s.dst = append(s.dst, ']')
}
