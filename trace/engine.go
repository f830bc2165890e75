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

// Engine selects the implementation that reads lines, writes canonical forms and checks rules.
type Engine string

// The engines. Reference and Both require the second engine in the program:
//
//	import _ "github.com/cupel-dev/cupel/trace/reference"
const (
	Fast      Engine = "fast"      // cupel's own
	Reference Engine = "reference" // independent libraries parse and hash
	Both      Engine = "both"      // both; a disagreement is an error
)

// With Reference and Both, rules are checked a second time, up to MaxNaiveBytes. A disagreement is an error.

func (e Engine) consultsSecond() bool { return e == Reference || e == Both }

// check returns an error if the engine is not linked into this program.
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

// referencePackage is the import path of the second engine.
const referencePackage = "github.com/cupel-dev/cupel/trace/reference"

// DisagreementError is returned by Verify if the engines disagree about a line. Neither result can be trusted then.
type DisagreementError struct {
	Line int // 0: the whole log or its companion files
	What string
}

func (e *DisagreementError) Error() string {
	if e.Line == 0 {
		return "the engines disagree: " + e.What
	}
	return fmt.Sprintf("line %d: the engines disagree: %s", e.Line, e.What)
}

// secondOpinion returns a function that checks scanned lines with the reference engine, or nil if it is not used.
// With Reference, the engine can refuse a line. With Both, it must agree, including the canonical bytes. The limits
// of the fast engine apply.
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

type canonical struct {
	w    *jcs.Writer
	text []byte
}
