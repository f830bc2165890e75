package oatfcmd

import (
	"slices"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
)

// Limits of messages on a page: those with matches, and the first others.
const (
	loggedMessages = 10_000
	loggedBytes    = 600      // of a message that nothing was found in
	foundBytes     = 64 << 10 // of a message with a match
	logRoom        = 12 << 20 // bytes, in all
	secretBytes    = 4 << 10  // read beyond the end, to recognize a secret there
)

// messageLog keeps messages for a page while they are read, because captures can be pipes.
type messageLog struct {
	mute  bool // what messages say is not kept
	hide  func(name, text string) [][2]int
	kept  []loggedMessage
	room  int
	total int
}

type loggedMessage struct {
	number                     int // of those that were evaluated, from 1
	index, input, line         int
	direction                  capture.Direction
	what, actor, phase, moment string
	text                       string // as JSON; "" when it is not kept
	whole                      bool   // the text is all of it
	stars                      bool   // secrets are hidden in the text
}

func newMessageLog(mute bool, hide func(name, text string) [][2]int) *messageLog {
	return &messageLog{mute: mute, hide: hide, room: logRoom}
}

// take keeps a message. found means that an indicator matched.
func (l *messageLog) take(m *capture.Message, found bool) {
	l.total++
	if !found && len(l.kept) >= loggedMessages {
		return
	}
	method := m.Kind.String()
	if m.Kind == (oatf.MessageKind{}) {
		method = "payload"
	}
	k := loggedMessage{
		number: l.total, index: m.Index, input: m.Input, line: m.Line, direction: m.Direction,
		what: cmdline.Clipped(method), actor: cmdline.Clipped(m.Actor), phase: cmdline.Clipped(m.Phase), moment: cmdline.Clipped(m.Timestamp),
	}
	most := loggedBytes
	if found {
		most = foundBytes
	}
	if most = min(most, l.room); !l.mute && most > 0 {
		text, whole := jsonUpTo(m.Value, most+secretBytes)
		k.text, k.stars = hideSecrets(string(text), l.hide)
		if k.whole = whole && len(k.text) <= most; !k.whole {
			k.text = say.Preview(k.text, most)
		}
		l.room -= len(k.text)
	}
	l.kept = append(l.kept, k)
}

// jsonUpTo returns the first most bytes of a value as JSON; whole reports whether that is all.
func jsonUpTo(v oatf.Value, most int) (text []byte, whole bool) {
	w := jsonPrefix{most: most}
	w.value(v)
	if len(w.text) <= most {
		return w.text, true
	}
	return []byte(say.Preview(w.text, most)), false
}

// jsonPrefix writes JSON up to a limit.
type jsonPrefix struct {
	text []byte
	most int
}

func (w *jsonPrefix) full() bool { return len(w.text) > w.most }

func (w *jsonPrefix) value(v oatf.Value) {
	switch v := v.(type) {
	case string:
		if len(v) > w.most {
			v = say.Preview(v, w.most)
		}
		w.text = oatf.AppendJSON(w.text, v)
	case []oatf.Value:
		w.list('[', ']', len(v), func(i int) { w.value(v[i]) })
	case oatf.Object:
		w.list('{', '}', len(v), func(i int) {
			w.value(v[i].Key)
			w.text = append(w.text, ':')
			w.value(v[i].Value)
		})
	default:
		w.text = oatf.AppendJSON(w.text, v)
	}
}

func (w *jsonPrefix) list(open, end byte, size int, element func(int)) {
	w.text = append(w.text, open)
	for i := 0; i < size && !w.full(); i++ {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		element(i)
	}
	w.text = append(w.text, end)
}

// of returns the position of a message by its number in the run.
func (l *messageLog) of(index int) (at int, found bool) {
	return slices.BinarySearchFunc(l.kept, index, func(m loggedMessage, index int) int { return m.index - index })
}
