package lint

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// payloadMembers are the members of states that become a part of a message.
var payloadMembers = []struct {
	modes     profile.ModeSet
	member    string
	operation string
	direction model.Direction
	path      string // in the payload
}{
	{profile.MCPServer, "tools", "tools/list", model.DirectionResponse, "tools"},
	{profile.MCPServer, "resources", "resources/list", model.DirectionResponse, "resources"},
	{profile.MCPServer, "resource_templates", "resources/templates/list", model.DirectionResponse, "resourceTemplates"},
	{profile.MCPServer, "prompts", "prompts/list", model.DirectionResponse, "prompts"},
	{profile.MCPServer, "elicitations", "elicitation/create", model.DirectionRequest, ""},
	{profile.MCPServer, "capabilities", "initialize", model.DirectionResponse, "capabilities"},
	{profile.MCPServer, "server_info", "initialize", model.DirectionResponse, "serverInfo"},
	{profile.MCPClient, "capabilities", "initialize", model.DirectionRequest, "capabilities"},
	{profile.MCPClient, "client_info", "initialize", model.DirectionRequest, "clientInfo"},
	{profile.MCPClient, "roots", "roots/list", model.DirectionResponse, "roots"},
	{profile.A2AServer, "agent_card", "agent_card/get", model.DirectionResponse, ""},
	{profile.AGUIClient, "run_agent_input", "run_agent_input", model.DirectionRequest, ""},
}

// ownKeys are keys of the format beside those of a payload.
var ownKeys = []string{"when", "synthesize", "response", "responses", "content", "messages"}

// lintPayloadKeys finds keys of payloads that no revision of the protocol has and that resemble one that it has.
func lintPayloadKeys(doc *view.Document, out *reporter) {
	if !doc.Profile.Evaluation.Operations {
		return // the earlier revision gives states types of its own
	}
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		p := vocabulary.ExtractProtocol(ph.Mode)
		sends := func(o model.Object, at *place.Path) {
			method, _ := o.Get("method")
			if name, ok := method.(string); ok {
				params, _ := o.Get("params")
				q := protocol.Query{Protocol: p, Operation: name, Direction: model.DirectionRequest}
				lintPayload(out, params, protocol.ShapeAt(q, ""), at.Field("params"))
			}
		}
		for i := range ph.OnEnter {
			if send := ph.OnEnter[i].Send; send != nil {
				q := protocol.Query{Protocol: p, Operation: send.Method, Direction: model.DirectionRequest}
				lintPayload(out, send.Params, protocol.ShapeAt(q, ""), ph.At.Field("on_enter").Element(i).Field("send").Field("params"))
			}
		}
		state, _ := ph.State.(model.Object)
		at := ph.At.Field("state")
		for _, row := range payloadMembers {
			if v, ok := state.Get(row.member); ok && profile.SetOf(ph.Mode)&row.modes != 0 {
				q := protocol.Query{Protocol: p, Operation: row.operation, Direction: row.direction}
				lintPayload(out, v, protocol.ShapeAt(q, row.path), at.Field(row.member))
			}
		}
		actions, at := view.ListAt(state, "actions", at)
		for i, v := range actions {
			if o, ok := v.(model.Object); ok {
				sends(o, at.Element(i))
			}
		}
	})
	doc.EachResponses(doc.Profile.Responses, func(r *view.Responses) {
		operation := chosenBy[r.List+"."+r.Member]
		q := protocol.Query{Protocol: protocol.Of(operation), Operation: operation, Direction: model.DirectionResponse}
		for i, entry := range r.Entries {
			o, _ := entry.(model.Object)
			switch content, _ := o.Get("content"); r.Member {
			case "responses", "task_responses":
				if r.List == "prompts" {
					lintPayload(out, entry, protocol.ShapeAt(q, ""), r.Entry(i))
				} else if operation != "" {
					lintPayload(out, content, protocol.ShapeAt(q, ""), r.Entry(i).Field("content"))
				}
			}
		}
	})
}

// lintPayload checks the keys in a value that has a known shape.
func lintPayload(out *reporter, v model.Value, shape protocol.Shape, at *place.Path) {
	if len(shape) == 0 {
		return
	}
	switch v := v.(type) {
	case []model.Value:
		items := shape.Items()
		if items == nil {
			items = shape
		}
		for i := range v {
			lintPayload(out, v[i], items, at.Element(i))
		}
	case model.Object:
		names := shape.Names()
		var free []string // the members that it does not have
		for _, m := range v {
			member := shape.Member(m.Key)
			if member == nil && names != nil && !strings.HasPrefix(m.Key, "x-") && !slices.Contains(ownKeys, m.Key) {
				if free == nil {
					free = view.Free(v, names)
				}
				lookAlike(out, free, m.Key, at.Field(m.Key))
			}
			lintPayload(out, m.Value, member, at.Field(m.Key))
		}
	}
}

func lookAlike(out *reporter, free []string, key string, at *place.Path) {
	meant := suggest.Nearest(key, free)
	if meant == "" || !suggest.Alike(key, meant) && !(len(key) > 4 && suggest.Within(key, meant, 1)) {
		return
	}
	f := out.LintOfKey(rules.PayloadKey, at.String(), "no revision of the protocol has a key "+say.Quoted(key)+" here")
	out.Suggest(f, key, []string{meant})
	findings.Guess(f) // an attack can misspell a key on purpose
}
