package recordcmd

import (
	"fmt"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/internal/jcs"
)

// eventRedactor applies the default privacy rules to events before they are recorded.
type eventRedactor struct {
	redactor *privacy.Redactor
	hasher   *evidence.Hasher
}

func newEventRedactor() *eventRedactor {
	return &eventRedactor{redactor: privacy.NewRedactor(privacy.Default()), hasher: evidence.NewHasher(evidence.Options{})}
}

// event appends the redacted event to dst, or nothing if there is nothing to redact.
func (r *eventRedactor) event(dst []byte, e *evidence.Event) ([]byte, error) {
	out, _, err := r.redactor.Event(dst, e)
	return out, err
}

// payload redacts the payload of a session event, as the data of an evidence event.
func (r *eventRedactor) payload(eventType string, payload []byte) ([]byte, error) {
	wrapped := jcs.AppendText([]byte(`{"specversion":"1.0","source":"urn:cupel:record","type":`), eventType)
	wrapped = append(append(append(wrapped, `,"data":`...), payload...), '}')
	result, err := r.hasher.Hash(wrapped)
	if err != nil {
		return nil, err
	}
	if result.Event == nil {
		return nil, fmt.Errorf("the payload cannot be redacted: %s", result.Findings[0].Message)
	}
	out, err := r.event(nil, result.Event)
	if err != nil || len(out) == 0 {
		return payload, err
	}
	if result, err = r.hasher.Hash(out); err != nil {
		return nil, err
	}
	return append([]byte(nil), result.Event.Get(evidence.AttrData).Raw()...), nil
}
