package keytable

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Shapes of values without keys.
var (
	anything = &Shape{}
	text     = &Shape{Kind: Text}
	whole    = &Shape{Kind: Integer}
	number   = &Shape{Kind: Number}
	object   = &Shape{Kind: Object}
	texts    = &Shape{Item: text}
	values   = &Shape{Item: anything}
)

// The shapes of the parts of a document, from the whole down.

// Document is the shape of a whole document.
var Document = &Shape{Clause: "2.2", Needs: []Need{{"oatf", rules.Version}, {"attack", rules.OneAttack}}, Keys: []Key{
	{"oatf", "the version of the format: \"0.1\"", &Shape{Kind: Text, Words: []string{`"0.1"`}, Closed: true}},
	{"$schema", "a JSON Schema that editors may use; nothing reads it", text},
	{"attack", "the attack that the document describes", attack},
}}

var attack = &Shape{Name: "attack", Needs: []Need{{"execution", rules.HasExecution}}, Extensible: true, Clause: "2.3", Keys: []Key{
	{"id", "the attack's id in reports, such as ACME-001", text},
	{"name", "the attack's name for people", text},
	{"version", "a whole number from 1 on; a higher one is newer", whole},
	{"status", "how finished the document is", oneOf(vocabulary.Statuses)},
	{"created", "the day or the time of the first publication", text},
	{"modified", "the day or the time of the last change", text},
	{"author", "a person or an organisation", text},
	{"description", "the attack in prose", text},
	{"grace_period", "how long the agent is watched after the last phase: 30s, PT5M", text},
	{"severity", "a level, or a level with a confidence", severity},
	{"impact", "the kinds of harm", &Shape{Item: oneOf(vocabulary.Impacts)}},
	{"classification", "its place in taxonomies", classification},
	{"references", "references for further reading", &Shape{Item: reference}},
	{"execution", "how the attack is carried out", execution},
	{"indicators", "signs that the agent complied", &Shape{Item: Indicator}},
	{"correlation", "how the verdicts on indicators are combined", correlation},
}}

var severity = &Shape{Name: "severity", Clause: "2.4", Kind: Text, Members: vocabulary.Names(vocabulary.SeverityLevels), Needs: []Need{{Key: "level"}}, Keys: []Key{
	{"level", "how severe a success is", oneOf(vocabulary.SeverityLevels)},
	{"confidence", "how sure the author is of the level: 0 to 100", whole},
}}

var classification = &Shape{Name: "classification", Clause: "2.5", Keys: []Key{
	{"category", "the mechanism of the attack", oneOf(vocabulary.Categories)},
	{"mappings", "the entries of other frameworks", &Shape{Item: mapping}},
	{"tags", "your own words, in lower case with hyphens", texts},
}}

var mapping = &Shape{Name: "mapping", Needs: []Need{{Key: "framework"}, {Key: "id"}}, Clause: "2.18", Keys: []Key{
	{"framework", "the framework that defines the entry", &Shape{Kind: Text, Words: []string{"atlas", "mitre_attack", "owasp_llm", "owasp_mcp", "owasp_agentic", "cwe", "other"}}},
	{"id", "the entry's id in the framework", text},
	{"name", "the entry's name", text},
	{"url", "the address of the entry", text},
	{"relationship", "how closely the attack belongs to the entry", oneOf(vocabulary.Relationships)},
}}

var reference = &Shape{Name: "reference", Needs: []Need{{Key: "url"}}, Clause: "2.17", Keys: []Key{
	{"url", "where it is", text},
	{"title", "the name", text},
	{"description", "the subject", text},
}}

var correlation = &Shape{Name: "correlation", Clause: "2.3a", Keys: []Key{
	{"logic", "whether any indicator is enough, or all are needed", oneOf(vocabulary.CorrelationLogics)},
}}

var mode = &Shape{Kind: Text, Words: vocabulary.Names(vocabulary.KnownModes[:])}

var protocol = &Shape{Kind: Text, Words: vocabulary.Names(vocabulary.KnownProtocols[:])}

var execution = &Shape{Name: "execution", Extensible: true, Clause: "2.6", Keys: []Key{
	{"mode", "the attacker's mode: {protocol}_{server|client}", mode},
	{"state", "the data that the attacker presents, for an attack in one phase", state},
	{"phases", "the phases of the attack, one after the other", &Shape{Item: phase}},
	{"actors", "several attackers at once, each with its own phases", &Shape{Item: actor}},
}}

var actor = &Shape{Name: "actor", Needs: []Need{{"name", rules.Actors}, {"mode", rules.Actors}, {"phases", rules.Actors}}, Extensible: true, Clause: "2.6a", Keys: []Key{
	{"name", "the actor's name, such as weather_server", text},
	{"mode", "the actor's mode: {protocol}_{server|client}", mode},
	{"phases", "the actor's phases, one after the other", &Shape{Item: phase}},
}}

var phase = &Shape{Name: "phase", Extensible: true, Clause: "2.7", Keys: []Key{
	{"name", "the phase's name", text},
	{"description", "the purpose of the phase", text},
	{"mode", "the attacker's mode in this phase", mode},
	{"state", "the data that the attacker presents; default: that of the phase before", state},
	{"extractors", "values that are taken out of messages, for templates", &Shape{Item: extractor}},
	{"on_enter", "actions at the start of the phase", &Shape{Item: action}},
	{"trigger", "the condition that ends the phase; not for the last phase", Trigger},
}}

var extractor = &Shape{Name: "extractor", Needs: []Need{{Key: "name"}, {Key: "source"}, {Key: "type"}, {Key: "selector"}}, Clause: "2.9", Keys: []Key{
	{"name", "what templates call the value by: {{name}}", text},
	{"source", "which message the value is in", oneOf(vocabulary.ExtractorSources)},
	{"type", "the type of the selector", oneOf(vocabulary.ExtractorTypes)},
	{"selector", "a JSONPath, or a regular expression with a group", text},
}}

var action = &Shape{
	Name:    "action",
	Clause:  "2.7a",
	Free:    true,
	Without: func(p *profile.Profile) []string { return p.Keys.ActionLacks },
	Keys: []Key{
		{"send_notification", "sends a notification of the protocol", &Shape{Clause: "2.7a", Needs: []Need{{Key: "method"}}, Keys: []Key{
			{"method", "of the notification", text}, {"params", "of the notification", object},
		}}},
		{"log", "writes a line to the tool's log", &Shape{Clause: "2.7a", Needs: []Need{{Key: "message"}}, Keys: []Key{
			{"message", "the written text; templates are filled in", &Shape{Kind: Text, Names: Extractors}},
			{"level", "how it speaks", oneOf(vocabulary.LogLevels)},
		}}},
		{"send_elicitation", "asks the client's user, as an MCP server may", &Shape{Clause: "2.7a", Needs: []Need{{Key: "message"}}, Keys: []Key{
			{"message", "the request; templates are filled in", &Shape{Kind: Text, Names: Extractors}},
			{"mode", "how it is asked", oneOf(vocabulary.ElicitationModes)},
			{"requestedSchema", "a JSON Schema of the answer, of a form", object},
			{"elicitationId", "the id of a question with a url", text},
			{"url", "where the user is sent", text},
		}}},
		{"send", "sends a message of the protocol", &Shape{Clause: "2.7a", Needs: []Need{{Key: "method"}}, Keys: []Key{
			{"method", "of the message", text}, {"params", "of the message", anything},
		}}},
	},
}

// Trigger is the shape of a trigger.
var Trigger = &Shape{Name: "trigger", Clause: "2.8", Keys: []Key{
	{"event", "the event that is waited for", &Shape{Kind: Text, Source: Events}},
	{"count", "the number of such events required", whole},
	{"match", "the condition on the events", Predicate},
	{"after", "how long the phase lasts at most: 30s, PT5M", text},
}}

// Predicate is the shape of a predicate.
var Predicate = &Shape{Name: "predicate", Clause: "2.10", Each: Condition}

// Condition is the shape of a condition with operators.
var Condition = &Shape{Name: "condition", Free: true, Clause: "2.11", Keys: operators(true)}

// operators returns a condition's operators. exists is not allowed in the shorthand.
func operators(exists bool) []Key {
	list := []Key{
		{"contains", "the text contains this", text},
		{"starts_with", "the text begins with this", text},
		{"ends_with", "the text ends with this", text},
		{"regex", "an RE2 expression matches some of the text", text},
		{"any_of", "the value equals one of these", values},
		{"gt", "the number is greater", number},
		{"lt", "the number is less", number},
		{"gte", "the number is greater or equal", number},
		{"lte", "the number is less or equal", number},
	}
	if exists {
		list = append(list, Key{"exists", "true: the path leads to a value; false: it does not", &Shape{Kind: Boolean, Words: []string{"true", "false"}}})
	}
	return list
}

// Indicator is the shape of an indicator.
var Indicator = &Shape{
	Name:       "indicator",
	Clause:     "2.12",
	NeedsOf:    func(p *profile.Profile) string { return p.Keys.IndicatorNeeds },
	Extensible: true,
	Without:    func(p *profile.Profile) []string { return p.Keys.IndicatorLacks },
	Keys: []Key{
		{"id", "the indicator's id in verdicts", text},
		{"protocol", "whose messages are looked at", protocol},
		{"surface", "the examined part of messages", &Shape{Kind: Text, Source: Surfaces}},
		{"target", "the path of the examined value, such as arguments.path or tools[*].name", text},
		{"actor", "whose messages are looked at", &Shape{Kind: Text, Names: Actors}},
		{"direction", "which side of an exchange is looked at", oneOf(vocabulary.Directions)},
		{"method", "how messages are looked at", oneOf(vocabulary.IndicatorMethods)},
		{"tier", "how far the attack came when this matches", &Shape{Kind: Text, Words: vocabulary.Tiers}},
		{"description", "the meaning of a match", text},
		{"pattern", "compares the value at a path", pattern},
		{"expression", "asks a CEL expression", expression},
		{"semantic", "asks a model about the meaning", semantic},
		{"confidence", "how much a match says: 0 to 100", whole},
		{"severity", "how severe a match is, other than the attack's", oneOf(vocabulary.SeverityLevels)},
		{"false_positives", "harmless content that would match", texts},
	},
}

var pattern = &Shape{Name: "pattern", Clause: "2.13", Keys: slices.Concat([]Key{
	{"target", "the path of the compared value; default: the surface's own", text},
	{"condition", "a value to compare with, or operators", Condition},
}, operators(false))}

var expression = &Shape{Name: "expression", Needs: []Need{{Key: "cel"}}, Clause: "2.14", Keys: []Key{
	{"cel", "an expression about message that is true or false", text},
	{"variables", "names for paths into the message", &Shape{Clause: "2.14", Each: text}},
}}

var semantic = &Shape{Name: "semantic", Needs: []Need{{Key: "intent"}}, Clause: "2.15", Keys: []Key{
	{"target", "the path of the judged value; default: the surface's own", text},
	{"intent", "the intent to look for, in prose", text},
	{"intent_class", "the class of the intent", oneOf(vocabulary.IntentClasses)},
	{"threshold", "the lowest score that is a match: 0.0 to 1.0", number},
	{"examples", "example texts to test a model with", &Shape{Clause: "2.16", Keys: []Key{
		{"positive", "texts that must match", texts}, {"negative", "texts that must not", texts},
	}}},
}}

var response = &Shape{Name: "response", Free: true, Clause: "2.24", Keys: []Key{
	{"when", "which requests it answers; the last entry may answer all others", Predicate},
	{"content", "the answer in the protocol's form", anything},
	{"messages", "the messages of the answer, in the protocol's form", anything},
	{"synthesize", "has a model make the answer", synthesize},
}}

var synthesize = &Shape{Name: "synthesize", Clause: "2.23", Keys: []Key{{"prompt", "the prompt for the model; templates are filled in", &Shape{Kind: Text, Names: Extractors}}}}

var responses = &Shape{Item: response}

// The state of a phase is the protocol's, by the mode.
var state = &Shape{Name: "state", Free: true, Clause: "2.7", State: true}

var actions = &Shape{Item: &Shape{Keys: []Key{{"method", "of the request", anything}, {"params", "of the request", anything}}}}

// States are the keys of a mode's state.
var States = map[model.Mode][]Key{
	"mcp_server": {
		{"tools", "the tools that are offered", &Shape{Item: &Shape{Keys: []Key{
			{"name", "of the tool", anything},
			{"title", "for people", anything},
			{"description", "for the model", anything},
			{"inputSchema", "a JSON Schema of the arguments", anything},
			{"outputSchema", "a JSON Schema of the structured answer", anything},
			{"annotations", "hints for clients", anything},
			{"responses", "the answers to calls; the first that fits counts", responses},
		}}}},
		{"resources", "the resources that are offered", &Shape{Item: &Shape{Keys: []Key{
			{"uri", "of the resource", anything},
			{"name", "of the resource", anything},
			{"description", "for the model", anything},
			{"mimeType", "of the content", anything},
			{"content", "the content: text or blob", &Shape{Keys: []Key{{"text", "the text", anything}, {"blob", "the bytes, in base64", anything}}}},
		}}}},
		{"prompts", "the prompts that are offered", &Shape{Item: &Shape{Keys: []Key{
			{"name", "of the prompt", anything},
			{"description", "for people", anything},
			{"arguments", "that it takes", anything},
			{"responses", "the messages that it becomes; the first that fits counts", responses},
		}}}},
		{"server_info", "who the server says it is", anything},
		{"instructions", "the server's instructions to the model", anything},
		{"capabilities", "the server's capabilities", anything},
		{"elicitations", "the request to the client's user", &Shape{Item: &Shape{Keys: []Key{
			{"when", "the requests that trigger it", Predicate},
			{"message", "the question", anything},
			{"mode", "how it is asked", oneOf(vocabulary.ElicitationModes)},
			{"requestedSchema", "a JSON Schema of the answer", anything},
			{"url", "where the user is sent", anything},
		}}}},
	},
	"mcp_client": {
		{"actions", "the requests that are sent, one after the other", actions},
		{"sampling_responses", "the answers when the server asks the model", responses},
		{"elicitation_responses", "the answers when the server asks the user", &Shape{Clause: "2.24", Item: &Shape{Keys: slices.Concat([]Key{
			{"action", "the user's action", oneOf(vocabulary.ElicitationOutcomes)},
		}, response.Keys)}}},
		{"client_info", "who the client says it is", anything},
		{"capabilities", "the client's capabilities", anything},
		{"roots", "the folders that the client has", anything},
	},
	"a2a_server": {
		{"agent_card", "the agent that the attacker pretends to be", anything},
		{"task_responses", "the answers to messages; the first that fits counts", responses},
	},
	"a2a_client": {
		{"actions", "the requests that are sent, one after the other", actions},
		{"task_message", "the message that is sent", anything},
	},
	"ag_ui_client": {
		{"run_agent_input", "the agent's initial input", &Shape{Keys: []Key{
			{"threadId", "of the conversation", anything},
			{"runId", "of the run", anything},
			{"messages", "the earlier messages", anything},
			{"synthesize", "has a model make the messages", synthesize},
			{"tools", "that the agent may call", anything},
			{"context", "items that come with the messages", anything},
			{"state", "of the application", anything},
			{"forwardedProps", "handed through to the agent", anything},
		}}},
		{"tool_responses", "the results of the agent's tool calls", responses},
	},
}
