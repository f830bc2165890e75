package session

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/reference"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Canonicalizations returns the values that Options.Canonicalization may have.
func Canonicalizations() []string {
	names := []string{"auto", "strict"}
	for _, p := range jcs.SessionProfiles {
		names = append(names, p.Name)
	}
	return names
}

// Check returns an error for a value of the options that is not known.
func (o Options) Check() error {
	_, err := profilesOf(o.Canonicalization)
	return err
}

// profilesOf returns the canonicalizations to try, in order.
func profilesOf(choice string) (list []*jcs.Profile, err error) {
	switch choice {
	case "", "auto":
		return jcs.SessionProfiles, nil
	case "strict":
		return jcs.SessionProfiles[:1], nil
	}
	for _, p := range jcs.SessionProfiles {
		if p.Name == choice {
			return []*jcs.Profile{p}, nil
		}
	}
	return nil, fmt.Errorf("unknown canonicalization %q", choice)
}

// profileBit is the bit of a profile in a set of them.
func profileBit(p *jcs.Profile) uint8 {
	for i, q := range jcs.SessionProfiles {
		if p == q {
			return 1 << i
		}
	}
	return 0
}

// errEngines is what a disagreement between the engines is.
var errEngines = errors.New("the engines disagree")

// hasher computes hashes of canonical forms. It is not safe for concurrent use.
type hasher struct {
	profiles []*jcs.Profile
	writers  []*jcs.Writer
	bits     []uint8
	engine   Engine
	buf      []byte
}

func newHasher(profiles []*jcs.Profile, engine Engine) hasher {
	if engine == "" {
		engine = Fast
	}
	h := hasher{profiles: profiles, engine: engine}
	for _, p := range profiles {
		h.writers = append(h.writers, jcs.NewWriter(p))
		h.bits = append(h.bits, profileBit(p))
	}
	return h
}

// match looks for the canonicalization under which the value n hashes to recorded. It
// returns its bit, 0 when none does, and the hash under the first one.
func (h *hasher) match(recorded link, n strictjson.Node) (bit uint8, first digest.Sum, err error) {
	return h.try(recorded,
		func(w *jcs.Writer) []byte { return w.Append(h.buf[:0], n) },
		func() ([]byte, error) { return reference.Canonical(n.Raw()) })
}

// matchObject does the same for the object that consists of some of an event's
// members.
func (h *hasher) matchObject(recorded link, members []strictjson.Node) (bit uint8, first digest.Sum, err error) {
	return h.try(recorded,
		func(w *jcs.Writer) []byte { return w.AppendObject(h.buf[:0], members) },
		func() ([]byte, error) { return referenceObject(members) })
}

func (h *hasher) try(recorded link, canonical func(*jcs.Writer) []byte, other func() ([]byte, error)) (bit uint8, first digest.Sum, err error) {
	for i, w := range h.writers {
		h.buf = canonical(w)
		if h.engine != Fast && h.profiles[i] == jcs.RFC8785 {
			if err := h.consult(other); err != nil {
				return 0, first, err
			}
		}
		sum := digest.Of(h.buf)
		if i == 0 {
			first = sum
		}
		if recorded.proper && sum == recorded.Sum {
			return h.bits[i], first, nil
		}
	}
	return 0, first, nil
}

// consult lets the reference engine write the form in h.buf, and compares where both
// are asked.
func (h *hasher) consult(other func() ([]byte, error)) error {
	text, err := other()
	if h.engine == Both && (err != nil || !bytes.Equal(text, h.buf)) {
		return fmt.Errorf("%w about the canonical form: fast %q, reference %q (%v)", errEngines, clip(string(h.buf)), clip(string(text)), err)
	}
	if err != nil {
		return fmt.Errorf("reference engine: %w", err)
	}
	h.buf = append(h.buf[:0], text...)
	return nil
}

func referenceObject(members []strictjson.Node) ([]byte, error) {
	text := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			text = append(text, ',')
		}
		start, end := m.KeySpan()
		text = append(text, m.Document().Source[start:end]...)
		text = append(append(text, ':'), m.Raw()...)
	}
	return reference.Canonical(append(text, '}'))
}

// rfc8785Bit is RFC 8785 in a set of profiles.
const rfc8785Bit = 1 << 0

// matchPlain is a short way for the usual event: members that stand in their canonical
// order and whose source is their canonical form. false says nothing about the hash.
func (h *hasher) matchPlain(recorded link, members []strictjson.Node) bool {
	if h.engine != Fast || h.bits[0] != rfc8785Bit {
		return false
	}
	h.buf = h.buf[:0]
	separator := byte('{')
	for _, m := range members {
		v := &m.Document().Values[m.Index()]
		if v.Escaped || v.KeyEscaped || v.Kind == strictjson.Number && (!v.Integer || v.End-v.Start > maxExactDigits || m.Document().Source[v.Start] == '-') {
			return false
		}
		keyStart, keyEnd := m.KeySpan()
		h.buf = append(append(h.buf, separator), m.Document().Source[keyStart:keyEnd]...)
		start, end := m.Span()
		h.buf = append(append(h.buf, ':'), m.Document().Source[start:end]...)
		separator = ','
	}
	h.buf = append(h.buf, '}')
	return recorded.proper && digest.Of(h.buf) == recorded.Sum
}

// maxExactDigits is how many digits an integer may have and surely be a double.
const maxExactDigits = 15
