package importer

import (
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
)

// thread is the work of the main agent or of a subagent.
type thread struct {
	steps   []*agentStep
	answers map[string]*agentStep // by the ids of responses
	run     *agentStep            // the response that the next record of the model continues
	latest  *agentStep            // the last step
	prompt  *kept                 // the first words of a user
	at      strictjson.Node
}

// agentStep is a model response with its tool calls.
type agentStep struct {
	at            strictjson.Node
	answers       bool // the model wrote it; false: only its calls are steps
	said, thought text
	calls         []*agentCall
	usage         transcript.Usage
	model         strictjson.Node
}

type agentCall struct {
	transcript.Part
	result transcript.Part
	done   bool
	sub    *thread
}

// arrange builds steps from the records.
func (s *session) arrange() {
	s.main = &thread{answers: map[string]*agentStep{}}
	s.subs = map[string]*thread{}
	a := &arranger{session: s, calls: map[string]*agentCall{}, early: map[string]transcript.Part{}}
	for _, k := range s.living() {
		a.take(k)
	}
	a.attach()
}

// living returns the records without those that were rolled back or replaced later.
func (s *session) living() []*kept {
	list := make([]*kept, 0, len(s.kept))
	at := map[string]int{} // of Gemini's messages in list, by id
	clean := func(from int) {
		for _, k := range list[from:] {
			delete(at, idText(k.ID))
		}
		s.rolled += len(list) - from
		list = list[:from]
	}
	add := func(k *kept) {
		if id := idText(k.ID); k.Has(transcript.Update) && id != "" {
			if i, known := at[id]; known {
				list[i] = k
				return
			}
			at[id] = len(list)
		}
		list = append(list, k)
	}
	for i := range s.kept {
		k := &s.kept[i]
		switch {
		case s.kind.Format == transcript.Gemini && !k.Rewind.Missing():
			if from, known := at[idText(k.Rewind)]; known {
				clean(from)
			} else {
				clean(0)
			}
		case k.Messages.Exists():
			clean(0)
			for _, m := range s.checkpoint(k) {
				add(m)
			}
		case k.Back > 0:
			clean(turnsBack(list, k.Back))
		default:
			add(k)
		}
	}
	return list
}

// checkpoint returns the list of records that a compaction record puts in place of all earlier ones.
func (s *session) checkpoint(k *kept) (list []*kept) {
	for m := range k.Messages.Children() {
		inner := &kept{part: k.part}
		inner.Place = k.Place
		transcript.Read(s.kind.Format, "", m, &inner.Record)
		list = append(list, inner)
	}
	return list
}

// turnsBack returns the index at which the last n user turns start.
func turnsBack(list []*kept, n int64) int {
	for i, k := range slices.Backward(list) {
		if !k.Has(transcript.Prompt) {
			continue
		}
		if n--; n <= 0 {
			return i
		}
	}
	return 0
}

func idText(n strictjson.Node) string { s, _ := n.Text(); return s }

type arranger struct {
	*session
	calls map[string]*agentCall
	early map[string]transcript.Part // results that came before their calls
	order []*agentCall
	keys  []string // of subagents, in order of appearance
}

func (a *arranger) take(k *kept) {
	if !k.Model.Missing() && !k.Has(transcript.Side) {
		a.model = k.Model
		if k.Has(transcript.Synthetic) {
			a.model = strictjson.Node{}
		}
	}
	t := a.thread(k)
	if !t.at.Exists() {
		t.at = k.Root
	}
	if k.Has(transcript.Prompt) && t.prompt == nil || k.Role == transcript.User && t != a.main && t.prompt == nil {
		t.prompt = k
	}
	if a.breaks(k) {
		t.run = nil
	}
	local := map[string]*agentCall(nil)
	if k.Root.Exists() && (a.kind.Format == transcript.ATIF || a.kind.Format == transcript.Inspect) {
		local = map[string]*agentCall{}
	}
	if k.Has(transcript.Copied) && a.kind.Format == transcript.ATIF {
		return // the steps of another trajectory
	}
	a.pieces(t, k, local)
}

func (a *arranger) thread(k *kept) *thread {
	if !k.Has(transcript.Side) {
		return a.main
	}
	key := idText(k.Agent)
	t := a.subs[key]
	if t == nil {
		t = &thread{answers: map[string]*agentStep{}}
		a.subs[key] = t
		a.keys = append(a.keys, key)
	}
	return t
}

// breaks reports whether a record ends a model response, which Codex writes as several records.
func (a *arranger) breaks(k *kept) bool {
	return a.kind.Format == transcript.Codex && !k.Has(transcript.Model) && (k.Role != transcript.NoRole || k.Has(transcript.Compacted) || len(k.Parts) > 0)
}

func (a *arranger) pieces(t *thread, k *kept, local map[string]*agentCall) {
	var step *agentStep
	if k.Has(transcript.Model) && !k.Has(transcript.Synthetic) {
		step = a.response(t, k)
	}
	inside := false // a response of the record's own began
	for i := range k.Parts {
		p := &k.Parts[i]
		switch p.Kind {
		case transcript.Begin:
			if step == nil || inside || len(step.said)+len(step.thought)+len(step.calls) > 0 {
				step = t.add(&agentStep{at: p.Node, answers: true, model: k.Model})
			}
			step.at = p.Node
			inside = true
		case transcript.Finish:
			if step != nil {
				step.usage = p.Usage
			}
			if a.kind.Format == transcript.Inspect {
				step = nil
			}
		case transcript.Text:
			if step != nil {
				step.said = append(step.said, p.Value)
			} else if t.prompt == nil && a.kind.Format == transcript.Inspect {
				t.prompt = k
			}
		case transcript.Thought:
			if step != nil {
				step.thought = append(step.thought, p.Value)
			}
		case transcript.Call:
			a.call(t, k, p, step, local)
		case transcript.Result:
			a.result(p, local)
		}
	}
}

// response returns the model step for a record, creating it if necessary.
func (a *arranger) response(t *thread, k *kept) *agentStep {
	var step *agentStep
	key := idText(k.Response)
	switch {
	case key != "":
		step = t.answers[key]
	case a.kind.Format == transcript.Codex:
		step = t.run
	}
	if step == nil {
		step = t.add(&agentStep{at: k.Root, answers: true})
		if key != "" {
			t.answers[key] = step
		}
	}
	t.run = step
	if k.Usage.Known && k.Usage.Total >= step.usage.Total && a.kind.Format != transcript.OpenCode {
		step.usage = k.Usage
	}
	if !k.Model.Missing() {
		step.model = k.Model
	}
	return step
}

func (t *thread) add(s *agentStep) *agentStep {
	t.steps = append(t.steps, s)
	t.latest = s
	return s
}

func (a *arranger) call(t *thread, k *kept, p *transcript.Part, step *agentStep, local map[string]*agentCall) {
	id := idText(p.ID)
	known := a.calls
	if local != nil {
		known = local
	}
	if known[id] != nil && id != "" && (p.Echo || local == nil) {
		return
	}
	if step == nil {
		if step = t.latest; step == nil || !p.Echo {
			step = t.add(&agentStep{at: k.Root})
		}
	}
	c := &agentCall{Part: *p}
	step.calls = append(step.calls, c)
	a.order = append(a.order, c)
	if id == "" {
		return
	}
	known[id] = c
	if early, ok := a.early[id]; ok && local == nil {
		c.result, c.done = early, true
	}
}

func (a *arranger) result(p *transcript.Part, local map[string]*agentCall) {
	known := a.calls
	if local != nil {
		known = local
	}
	c := known[idText(p.ID)]
	if p.NoPair && len(local) == 1 {
		for _, only := range local {
			c = only
		}
	}
	id := idText(p.ID)
	if _, again := a.early[id]; c == nil && local == nil && !again && id != "" {
		a.early[id] = *p
	}
	if c == nil || c.done {
		return
	}
	c.result, c.done = *p, true
}

// attach assigns subagents to the calls that started them, by call id or prompt. Subagents without a call are
// omitted from the trace.
func (a *arranger) attach() {
	for _, key := range a.keys {
		t := a.subs[key]
		if len(t.steps) == 0 {
			continue
		}
		call := a.calls[key]
		if call == nil || call.sub != nil {
			call = a.starter(t)
		}
		if call == nil {
			a.left += len(t.steps)
			continue
		}
		call.sub = t
	}
}

// starter returns the call whose arguments contain the first words of a subagent, or else the only possible call.
func (a *arranger) starter(t *thread) *agentCall {
	var free []*agentCall
	for _, c := range a.order {
		if c.Sub && c.sub == nil {
			free = append(free, c)
		}
	}
	if t.prompt != nil {
		said := words(t.prompt).bytes()
		for _, c := range free {
			if prompt := c.Value.Last("prompt"); prompt.Exists() && string(prompt.TextBytes(nil)) == string(said) {
				return c
			}
		}
	}
	if len(free) == 1 && len(a.keys) == 1 {
		return free[0]
	}
	return nil
}

// words returns the texts of a record up to the first response, because an Inspect sample contains a whole
// conversation.
func words(k *kept) (says text) {
	for i := range k.Parts {
		p := &k.Parts[i]
		if p.Kind == transcript.Begin {
			break
		}
		if p.Kind == transcript.Text && p.Value.Is(strictjson.String) {
			says = append(says, p.Value)
		}
	}
	return says
}
