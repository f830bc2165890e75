package eval

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/calls"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
)

// toolCalls assembles tool calls of a run from streamed parts, for the documents of a revision.
type toolCalls struct {
	profile *profile.Profile
	streams map[string]*calls.Memory // by the actor that saw them and their connection

	message oatf.Value // current message with its known call data
}

// mostStreams limits the number of open streams, because messages choose the names of their actors.
const mostStreams = 64

func (b *Batch) hearings() (list []toolCalls) {
	for _, e := range b.evaluators {
		needed := e.profile.Evaluation.AsTriggers && e.profile.Simulation.Calls != nil && e.cast.hasClient()
		if needed && !slices.ContainsFunc(list, func(t toolCalls) bool { return t.profile == e.profile }) {
			list = append(list, toolCalls{profile: e.profile, streams: map[string]*calls.Memory{}})
		}
	}
	return list
}

func (t *toolCalls) take(m *capture.Message) {
	name := m.Actor + m.Connection
	stream := t.streams[name]
	switch {
	case stream != nil:
	case len(t.streams) < mostStreams && len(name) <= mostNames:
		stream = &calls.Memory{}
		t.streams[strings.Clone(name)] = stream
	default:
		t.message = m.Value
		return
	}
	t.message = stream.Named(t.profile.Simulation.Calls, cmp.Or(m.Kind.Method, m.Method), m.Value)
}

// seen returns the current message as the triggers of a mode see it.
func (r *BatchRun) seen(p perspective) oatf.Value {
	v := r.m.Value
	for i := range r.heard {
		if r.heard[i].profile == p.profile {
			v = r.heard[i].message
		}
	}
	var request *oatf.Value
	if params, ok := r.m.Params(); ok {
		request = &params
	}
	return p.profile.Simulation.Seen(p.mode, answerRole(r.m, p.mode), v, request)
}

// answerRole returns the role of a message to a client: an event of a stream, or an answer.
func answerRole(m *capture.Message, mode oatf.Mode) oatf.MessageRole {
	role := cmp.Or(m.Kind.Role, oatf.RoleOf(mode, m.Kind.Method, true))
	if role == "" && oatf.ExtractProtocol(mode) == "ag_ui" {
		return oatf.RoleEvent
	}
	return cmp.Or(role, oatf.RoleResponse)
}
