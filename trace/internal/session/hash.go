package session

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/second"
)

// errEngines means that the engines disagree.
var errEngines = errors.New("the engines disagree")

// hasher computes hashes of canonical forms. It is not safe for concurrent use.
type hasher struct {
	profiles []*jcs.Profile
	writers  []*jcs.Writer
	bits     []uint8
	engine   Engine
	second   second.Engine
	buf      []byte
}

func newHasher(profiles []*jcs.Profile, engine Engine, second second.Engine) hasher {
	if engine == "" {
		engine = Fast
	}
	h := hasher{profiles: profiles, engine: engine, second: second}
	for _, p := range profiles {
		h.writers = append(h.writers, jcs.NewWriter(p))
		h.bits = append(h.bits, profileBit(p))
	}
	return h
}

// match finds the canonicalization under which n hashes to recorded. It returns its bit (0 if none) and the hash
// under the first one.
func (h *hasher) match(recorded link, n strictjson.Node) (bit uint8, first digest.Sum, err error) {
	return h.try(recorded,
		func(w *jcs.Writer) []byte { return w.Append(h.buf[:0], n) },
		func() ([]byte, error) { return h.second.Canonical(n.Raw()) })
}

// matchObject is match for an object that consists of some members of an event.
func (h *hasher) matchObject(recorded link, members []strictjson.Node) (bit uint8, first digest.Sum, err error) {
	return h.try(recorded,
		func(w *jcs.Writer) []byte { return w.AppendObject(h.buf[:0], members) },
		func() ([]byte, error) { return h.second.Canonical(objectText(members)) })
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

// consult replaces the form in h.buf by that of the reference engine. If both engines are used, they must agree.
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

func objectText(members []strictjson.Node) []byte {
	text := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, m.KeyRaw()...)
		text = append(append(text, ':'), m.Raw()...)
	}
	return append(text, '}')
}
