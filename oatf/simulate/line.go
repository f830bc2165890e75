package simulate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// EventOf converts a captured message to an event. Runner lines and JSON-RPC messages are events; a
// line without an envelope is an event as in §2.8a:
//
//	{"event_type":"tools/call","content":{"name":"calc","arguments":{}},"elapsed":"5s"}
//
// with optional "actor", "request" (a response's request params), "timestamp" (RFC 3339) and
// "elapsed" (duration since the start); without "event_type" only time passes. Revision sdk-0.1
// also allows "qualifier", and a content of only {"params":…} means its params.
//
// The event refers to the message and is valid as long as it.
func EventOf(r oatf.Revision, m *capture.Message) (*Event, error) {
	as := revision.Of(r)
	e := &Event{Input: m.Input, Line: m.Line}
	if m.Method != "" || m.Kind.Role != "" {
		return e, e.ofMessage(as, m)
	}
	object, ok := m.Value.(model.Object)
	if !ok {
		return nil, errors.New("an event is a JSON object")
	}
	for _, member := range object {
		if member.Value == nil && member.Key != "content" {
			continue // as good as absent
		}
		if err := e.set(as, member.Key, member.Value); err != nil {
			return nil, err
		}
	}
	return e, e.complete(as, object)
}

// ofMessage copies the envelope's data.
func (e *Event) ofMessage(as *profile.Profile, m *capture.Message) (err error) {
	e.Type, e.Content, e.Actor, e.Protocol, e.Role = cmp.Or(m.Kind.Method, m.Method), m.Value, m.Actor, m.Protocol, m.Kind.Role
	e.Type = cmp.Or(as.Renamed[e.Type], e.Type)
	if params, ok := m.Params(); ok {
		e.Request = &params
	}
	if m.Timestamp != "" {
		e.At, err = readTime(m.Timestamp)
	}
	return err
}

var lineKeys = []string{"event_type", "qualifier", "content", "request", "actor", "timestamp", "elapsed"}

func (e *Event) set(as *profile.Profile, key string, v oatf.Value) (err error) {
	text, isText := v.(string)
	if !isText && key != "content" && key != "request" && slices.Contains(lineKeys, key) {
		return fmt.Errorf("%s must be a text, found %s", key, value.Describe(v))
	}
	switch key {
	case "event_type":
		if e.named(as, text); e.Type == "" {
			return errors.New("event_type is empty")
		}
	case "qualifier":
		if e.Qualifier = &text; as.Qualifiers == nil {
			return errors.New("events of revision " + string(as.Revision) + " have no qualifier: the subject is in the content")
		}
	case "content":
		e.Content = v
	case "request":
		e.Request = &v
	case "actor":
		e.Actor = text
	case "timestamp":
		e.At, err = readTime(text)
	case "elapsed":
		var d time.Duration
		d, err = oatf.ParseDuration(text)
		e.Elapsed = &d
	default:
		err = errors.New("an event does not have a member " + say.Quoted(key))
		if hint := suggest.Hint(key, lineKeys); hint != "" {
			err = fmt.Errorf("%w: %s", err, hint)
		}
	}
	return err
}

func (e *Event) complete(as *profile.Profile, line model.Object) error {
	if e.Type == "" {
		if e.Tick = e.Elapsed != nil || !e.At.IsZero(); !e.Tick {
			return errors.New("the line has neither an event_type nor a time")
		}
		return nil
	}
	if e.Content = unwrapped(as, e.Content); e.Content == nil {
		if _, stated := line.Get("content"); !stated {
			e.Content = model.Object{}
		}
	}
	return nil
}

func readTime(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return at, fmt.Errorf("timestamp is %s, expected a time such as 2026-01-02T15:04:05Z", say.Quoted(text))
	}
	return at, nil
}
