package eval

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/view"
)

// Delivery reports whether the payload of a document reached the agent. Only then can a match be an effect of the
// attack.
type Delivery struct {
	Status DeliveryStatus
	Place  *Place // of the message that brought it; nil when none did
	What   string // description for people
}

// DeliveryStatus is the status of a Delivery.
type DeliveryStatus string

// The statuses.
const (
	Delivered       DeliveryStatus = "delivered"     // a message with a text of the document was before the match
	NotDelivered    DeliveryStatus = "not_delivered" // the messages that would bring it were before the match, without it
	DeliveryUnknown DeliveryStatus = "unknown"       // the capture does not show those messages
)

// shortText is the minimum length, in characters, of a text that is specific enough to identify a payload.
const shortText = 24

// needleBytes is the length of the prefix that is searched for first.
const needleBytes = 12

type payload struct {
	texts    []payloadText
	phases   map[string]bool // the phases that send something
	carriers map[string]bool // the methods whose messages bring it
	clients  bool            // an actor is a client: its requests bring it
}

// payloadText is a text of a payload, as its literal parts between templates.
type payloadText struct {
	pieces []string
	where  string // in the state: "tools[0].description"
}

// payloads are the payloads of a batch's documents, with an index.
type payloads struct {
	of    []*payload // nil for a document that sends nothing
	index map[string][]payloadRef
	short []payloadRef // texts shorter than a needle
}

type payloadRef struct{ document, text int }

func payloadsOf(evaluators []*Evaluator) (p payloads) {
	p.index = map[string][]payloadRef{}
	for i, e := range evaluators {
		own := e.payload()
		p.of = append(p.of, own)
		if own == nil {
			continue
		}
		for n, t := range own.texts {
			longest := slices.MaxFunc(t.pieces, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
			if len(longest) < needleBytes {
				p.short = append(p.short, payloadRef{i, n})
				continue
			}
			needle := longest[:needleBytes]
			p.index[needle] = append(p.index[needle], payloadRef{i, n})
		}
	}
	return p
}

// payload collects what the document sends.
func (e *Evaluator) payload() *payload {
	p := &payload{phases: map[string]bool{}, carriers: map[string]bool{}}
	type sent struct {
		text   payloadText
		phases int
	}
	texts := map[string]*sent{}
	var order []string
	for _, a := range e.cast {
		for i := range a.Phases {
			c := textCollector{mode: cmp.Or(a.Phases[i].Mode, a.Mode), payload: p, texts: map[string]payloadText{}}
			c.phase(a.Phases[i])
			for _, text := range c.order {
				if texts[text] == nil {
					texts[text] = &sent{text: c.texts[text]}
					order = append(order, text)
				}
				texts[text].phases++
			}
			if name := a.Phases[i].Name; name != nil && len(c.order) > 0 {
				p.phases[*name] = true
			}
		}
	}
	all := slices.Clone(order)
	order = slices.DeleteFunc(order, func(text string) bool { return texts[text].phases > 1 })
	if len(order) == 0 {
		order = all
	}
	long := slices.DeleteFunc(slices.Clone(order), func(text string) bool { return len([]rune(text)) < shortText })
	switch {
	case len(long) > 0:
		order = long
	case len(order) > 1:
		return nil
	}
	for _, text := range order {
		p.texts = append(p.texts, texts[text].text)
	}
	if len(p.texts) == 0 {
		return nil
	}
	return p
}

type textCollector struct {
	mode    oatf.Mode
	payload *payload
	texts   map[string]payloadText
	order   []string
}

// sends maps the members of a state that an actor sends to the methods of the messages that carry them.
var sends = map[string][]string{
	"tools": {"tools/list", "tools/call"}, "resources": {"resources/list", "resources/read"}, "resource_templates": {"resources/templates/list"},
	"prompts": {"prompts/list", "prompts/get"}, "instructions": {"initialize", "server/discover"}, "elicitations": {"elicitation/create"},
	"sampling_requests": {"sampling/createMessage"}, "agent_card": {"agent_card/get", "agent/getAuthenticatedExtendedCard"},
	"task_responses": {"message/send", "message/stream", "tasks/get"},
	"actions":        nil, "run_agent_input": {"run_agent_input"}, "messages": nil, "task_message": {"message/send"},
}

// named are members that only name something, not payload.
var named = map[string]bool{
	"name": true, "uri": true, "type": true, "mimeType": true, "when": true, "synthesize": true, "method": true, "id": true, "url": true,
	"role": true, "kind": true, "messageId": true, "threadId": true, "runId": true, "event": true, "generate": true, "enum": true,
}

func (c *textCollector) phase(p view.Phase) {
	state, _ := p.State.(oatf.Object)
	for _, m := range state {
		carriers, is := sends[m.Key]
		if !is {
			continue
		}
		before := len(c.order)
		c.walk(m.Value, m.Key)
		if len(c.order) == before {
			continue
		}
		for _, method := range carriers {
			c.payload.carriers[method] = true
		}
		c.payload.clients = c.payload.clients || isClient(c.mode)
	}
	for i := range p.OnEnter {
		a := &p.OnEnter[i]
		if s := a.Send; s != nil && s.Params != nil {
			c.walk(s.Params, "on_enter.send")
		}
		if s := a.SendNotification; s != nil && s.Params != nil {
			c.walk(s.Params, "on_enter.send_notification")
		}
		if s := a.SendElicitation; s != nil {
			c.walk(s.Message, "on_enter.send_elicitation")
		}
	}
}

func (c *textCollector) walk(v oatf.Value, where string) {
	switch v := v.(type) {
	case string:
		text := payloadText{pieces: literals(v), where: where}
		if _, known := c.texts[v]; !known && len(text.pieces) > 0 {
			c.texts[v] = text
			c.order = append(c.order, v)
		}
	case []oatf.Value:
		for _, one := range v {
			c.walk(one, where)
		}
	case oatf.Object:
		for _, m := range v {
			if !named[m.Key] {
				c.walk(m.Value, where+"."+m.Key)
			}
		}
	}
}

// literals returns the parts of a text between its templates.
func literals(text string) (pieces []string) {
	for {
		before, rest, is := strings.Cut(text, "{{")
		if strings.TrimSpace(before) != "" {
			pieces = append(pieces, before)
		}
		if !is {
			return pieces
		}
		if _, text, is = strings.Cut(rest, "}}"); !is {
			return pieces
		}
	}
}

type delivery struct {
	payload *payload
	begun   bool   // the beginning of a connection is captured
	carried string // the method of the last message that would bring the payload and did not
	brought *Delivery
	settled *Delivery // at the first match
}

// deliver searches a message for the payloads of the documents, after its evaluation.
func deliver(r *BatchRun, m *capture.Message) {
	open := false
	for i := range r.reached {
		d := &r.reached[i].delivery
		if d.payload == nil || d.settled != nil {
			continue
		}
		if anyMatchedOf(r, i) {
			now := d.now()
			d.settled = &now
			continue
		}
		open = open || d.brought == nil
		d.notes(m)
	}
	if open && !m.Variant {
		searchPayloads(r, m)
	}
}

func anyMatchedOf(r *BatchRun, document int) bool {
	first := 0
	if document > 0 {
		first = r.batch.documents[document-1]
	}
	for i := first; i < r.batch.documents[document]; i++ {
		if r.states[i].matched || r.batch.checks[i].twin > 0 && r.states[r.batch.checks[i].twin].matched {
			return true
		}
	}
	return false
}

func (d *delivery) notes(m *capture.Message) {
	switch m.Kind.Method {
	case "initialize", "server/discover":
		d.begun = true
	}
	if m.Direction != capture.Unknown && d.payload.phases[m.Phase] && d.brought == nil {
		d.brought = &Delivery{Status: Delivered, Place: placeOf(m), What: "phase " + escaped(say.Preview(m.Phase, say.Usual)) + ", which sends the payload, was active"}
	}
	carries := d.payload.carriers[m.Kind.Method]
	answer := m.Kind.Role == oatf.RoleResponse || m.Direction == capture.Outgoing
	if carries && (answer || d.payload.clients && m.Kind.Role == oatf.RoleRequest) && !m.IsError && m.Kind.Method != "tools/call" {
		d.carried = m.Kind.Method
	}
}

func placeOf(m *capture.Message) *Place {
	return &Place{Input: m.Input, Line: m.Line, MessageIndex: m.Index, Method: strings.Clone(m.Method)}
}

func searchPayloads(r *BatchRun, m *capture.Message) {
	p := &r.batch.payloads
	if len(p.index) == 0 && len(p.short) == 0 {
		return
	}
	visitTexts(m.Value, func(text string) {
		for i := 0; i+needleBytes <= len(text); i++ {
			for _, ref := range p.index[text[i:i+needleBytes]] {
				bring(r, ref, m, text)
			}
		}
		for _, ref := range p.short {
			bring(r, ref, m, text)
		}
	})
}

// bring records a delivery if the message contains the text of a payload.
func bring(r *BatchRun, ref payloadRef, m *capture.Message, text string) {
	d := &r.reached[ref.document].delivery
	if d.settled != nil || d.brought != nil || !fromActor(r, ref.document, m) {
		return
	}
	t := d.payload.texts[ref.text]
	for _, piece := range t.pieces {
		_, rest, is := strings.Cut(text, piece)
		if !is {
			return
		}
		text = rest
	}
	d.brought = &Delivery{Status: Delivered, Place: placeOf(m), What: t.where + " of the document"}
}

func fromActor(r *BatchRun, document int, m *capture.Message) bool {
	if m.Direction != capture.Unknown {
		return m.Direction == capture.Outgoing || m.Synthetic
	}
	e := r.batch.evaluators[document]
	agent := e.cast.agent(m.Protocol)
	return agent == "" || m.Sender == "" || m.Sender != agent
}

func visitTexts(v oatf.Value, visit func(string)) {
	switch v := v.(type) {
	case string:
		visit(v)
	case []oatf.Value:
		for _, one := range v {
			visitTexts(one, visit)
		}
	case oatf.Object:
		for _, m := range v {
			visitTexts(m.Value, visit)
		}
	}
}

// now returns the status so far.
func (d *delivery) now() Delivery {
	switch {
	case d.brought != nil:
		return *d.brought
	case d.carried != "":
		return Delivery{Status: NotDelivered, What: "the " + d.carried + " earlier messages contain no text of the document"}
	case d.begun:
		return Delivery{Status: NotDelivered, What: "the capture has the start of the connection, but no message contains a text of the document"}
	}
	return Delivery{Status: DeliveryUnknown, What: "the capture lacks the messages that would carry the document's payload"}
}

// answer returns the status at the end of a run.
func (d *delivery) answer() *Delivery {
	if d.settled != nil {
		return d.settled
	}
	now := d.now()
	return &now
}
