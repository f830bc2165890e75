package trace

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/reference"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/stream"
)

// DisagreementError is the error of Verify when the two engines read a line
// differently. One of them has a fault, so neither is believed.
type DisagreementError struct {
	Line int
	What string
}

func (e *DisagreementError) Error() string {
	return fmt.Sprintf("line %d: the engines disagree: %s", e.Line, e.What)
}

// secondOpinion asks the reference engine about a line that cupel's own has read. Under
// Reference it can refuse the line; under Both it must come to the same answer, and
// for a line that is read to the same canonical bytes. Limits are cupel's own.
func (v *verification) secondOpinion() func(stream.Line, *strictjson.Document, error) (refusal, disagreement error) {
	if v.opt.Engine != Reference && v.opt.Engine != Both {
		return nil
	}
	scratch := sync.Pool{New: func() any { return &canonical{w: jcs.NewWriter(nil)} }}
	return func(l stream.Line, doc *strictjson.Document, refused error) (refusal, disagreement error) {
		var fault *strictjson.Error
		if errors.As(refused, &fault) && fault.IsLimit() {
			return nil, nil
		}
		text, err := reference.Canonical(l.Bytes)
		if v.opt.Engine == Reference {
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
