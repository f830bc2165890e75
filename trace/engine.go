package trace

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/second"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Engine is what reads lines, writes canonical forms and checks rules.
type Engine string

// The engines. Reference and Both need the second engine in the program:
//
//	import _ "github.com/cupel-dev/cupel/trace/reference"
const (
	Fast      Engine = "fast"      // cupel's own
	Reference Engine = "reference" // independent libraries decide what is readable and what is hashed
	Both      Engine = "both"      // both; a disagreement is an error
)

// Under both Reference and Both the rules are checked a second time, as far as
// MaxNaiveBytes goes, and a disagreement about them is an error.

func (e Engine) consultsSecond() bool { return e == Reference || e == Both }

// check returns an error for an engine that this program does not have.
func (e Engine) check() error {
	switch {
	case e == "", e == Fast:
		return nil
	case !e.consultsSecond():
		return fmt.Errorf("unknown engine %q, expected %q, %q or %q", string(e), Fast, Reference, Both)
	case second.Linked() == nil:
		return fmt.Errorf("engine %q is not part of this program: import _ %q", string(e), referencePackage)
	}
	return nil
}

// referencePackage is what a program imports to have the second engine.
const referencePackage = "github.com/cupel-dev/cupel/trace/reference"

// DisagreementError is the error of Verify when the two engines read a line differently,
// or come to another answer about it. One of them has a fault, so neither is believed.
type DisagreementError struct {
	Line int // 0: the log as a whole, or what lies beside it
	What string
}

func (e *DisagreementError) Error() string {
	if e.Line == 0 {
		return "the engines disagree: " + e.What
	}
	return fmt.Sprintf("line %d: the engines disagree: %s", e.Line, e.What)
}

// secondOpinion asks the reference engine about a line that cupel's own has read. Under
// Reference it can refuse the line; under Both it must come to the same answer, and
// for a line that is read to the same canonical bytes. Limits are cupel's own. Without a
// second engine there is nobody to ask.
func secondOpinion(engine Engine, reference second.Engine) func(stream.Line, *strictjson.Document, error) (refusal, disagreement error) {
	if reference == nil {
		return nil
	}
	scratch := sync.Pool{New: func() any { return &canonical{w: jcs.NewWriter(nil)} }}
	return func(l stream.Line, doc *strictjson.Document, refused error) (refusal, disagreement error) {
		var fault *strictjson.Error
		if errors.As(refused, &fault) && fault.IsLimit() {
			return nil, nil
		}
		text, err := reference.Canonical(l.Bytes)
		if engine == Reference {
			return err, nil
		}
		disagree := func(format string, args ...any) (error, error) {
			return nil, &DisagreementError{l.Number, fmt.Sprintf(format, args...)}
		}
		switch {
		case refused != nil && err == nil:
			return disagree("the fast one refuses the line (%v), the reference reads it", refused)
		case refused == nil && err != nil:
			return disagree("the reference refuses the line (%v), the fast one reads it", err)
		case refused != nil:
			return nil, nil
		}
		own := scratch.Get().(*canonical)
		defer scratch.Put(own)
		if own.text = own.w.Append(own.text[:0], doc.Root()); !bytes.Equal(own.text, text) {
			return disagree("their canonical bytes differ")
		}
		return nil, nil
	}
}

// canonical is a canonical writer and its memory.
type canonical struct {
	w    *jcs.Writer
	text []byte
}
