package trace

import (
	"context"
	"io"
	"time"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
)

// Conversation is the content of a transcript in file order.
type Conversation struct {
	Parts   []ConversationPart
	Omitted int64 // parts beyond MaxConversation or MaxOutlineText
}

// ConversationPart is a text, a call or a result.
type ConversationPart struct {
	Line     int
	Kind     string // "user", "assistant", "system", "reasoning", "call", "result"
	Name     string // of a call: the tool
	ID       string // of a call or a result: what pairs them
	Time     time.Time
	Subagent bool
	Failed   bool
	Open     bool // a call without its result
	Text     Excerpt
}

// The limits of a conversation: the number of listed parts and the bytes per part.
const (
	MaxConversation     = 10_000
	maxConversationText = 4 << 10
)

// OutlineTranscript returns the conversation of a transcript. It returns ErrNoTranscript or an error of Verify.
func OutlineTranscript(ctx context.Context, input io.Reader, opt Options) (*Conversation, error) {
	o := &conversationOutliner{room: MaxOutlineText, answered: map[string]bool{}}
	opt.OnFinding = nil
	_, _, err := watchTranscript(ctx, input, opt, func(transcript.Kind) func(string, *transcript.Record) { return o.take })
	if err != nil {
		return nil, err
	}
	for i := range o.out.Parts {
		p := &o.out.Parts[i]
		p.Open = p.Kind == "call" && p.ID != "" && !o.answered[p.ID]
	}
	return &o.out, nil
}

type conversationOutliner struct {
	out      Conversation
	room     int
	answered map[string]bool
}

func (o *conversationOutliner) take(_ string, r *transcript.Record) {
	at := time.Time{}
	if ms, ok := transcript.Millis(r.Time); ok && !r.Has(transcript.NoTime) {
		at = time.UnixMilli(ms).UTC()
	}
	for i := range r.Parts {
		p := &r.Parts[i]
		part := ConversationPart{Line: r.LineOf(p.Node), Time: at, Subagent: r.Has(transcript.Side)}
		switch p.Kind {
		case transcript.Text:
			part.Kind = [...]string{transcript.NoRole: "assistant", transcript.User: "user", transcript.Assistant: "assistant", transcript.System: "system"}[r.Role]
		case transcript.Thought:
			part.Kind = "reasoning"
		case transcript.Call:
			if p.Echo {
				continue
			}
			part.Kind, part.Name = "call", p.As
			if name, ok := p.Name.Text(); ok {
				part.Name = name
			}
		case transcript.Result:
			part.Kind, part.Failed = "result", r.Failed(p)
		default:
			continue
		}
		if id, ok := p.ID.Text(); ok && (part.Kind == "call" || part.Kind == "result") {
			part.ID = id
			if part.Kind == "result" {
				o.answered[id] = true
			}
		}
		o.add(part, p.Value)
	}
}

func (o *conversationOutliner) add(part ConversationPart, value strictjson.Node) {
	text := value.TextBytes(nil)
	if text == nil && value.Exists() {
		text = value.Raw()
	}
	if len(o.out.Parts) >= MaxConversation || o.room <= 0 {
		o.out.Omitted++
		return
	}
	cut := min(len(text), maxConversationText, o.room)
	for cut > 0 && cut < len(text) && !utf8.RuneStart(text[cut]) {
		cut--
	}
	o.room -= cut
	part.Text = Excerpt{Text: string(text[:cut]), Cut: int64(len(text) - cut)}
	o.out.Parts = append(o.out.Parts, part)
}
