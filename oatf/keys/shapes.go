package keys

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Shapes of values without keys.
var (
	anything = &shape{}
	text     = &shape{is: isText}
	whole    = &shape{is: isInteger}
	number   = &shape{is: isNumber}
	object   = &shape{is: isObject}
	texts    = &shape{item: text}
	values   = &shape{item: anything}
)

// The shapes of the parts of a document, from the whole down.

var document = &shape{clause: "2.2", needs: []string{"oatf", "attack"}, keys: []key{
	{"oatf", "the version of the format: \"0.1\"", &shape{is: isText, closed: true, words: open(`"0.1"`)}},
	{"$schema", "a JSON Schema that editors may use; nothing reads it", text},
	{"attack", "the attack that the document describes", attack},
}}

var attack = &shape{name: "attack", needs: []string{"execution"}, extensible: true, clause: "2.3", keys: []key{
	{"id", "the attack's id in reports, such as ACME-001", text},
	{"name", "the attack's name for people", text},
	{"version", "a whole number from 1 on; a higher one is newer", whole},
	{"status", "how finished the document is", closed(vocabulary.Statuses)},
	{"created", "the day or the time of the first publication", text},
	{"modified", "the day or the time of the last change", text},
	{"author", "a person or an organisation", text},
	{"description", "the attack in prose", text},
	{"grace_period", "how long the agent is watched after the last phase: 30s, PT5M", text},
	{"severity", "a level, or a level with a confidence", severity},
	{"impact", "the kinds of harm", &shape{item: closed(vocabulary.Impacts)}},
	{"classification", "its place in taxonomies", classification},
	{"references", "references for further reading", &shape{item: reference}},
	{"execution", "how the attack is carried out", execution},
	{"indicators", "signs that the agent complied", &shape{item: indicator}},
	{"correlation", "how the verdicts on indicators are combined", correlation},
}}

var severity = &shape{name: "severity", clause: "2.4", is: isText, closed: true, words: members(vocabulary.SeverityLevels), needs: []string{"level"}, keys: []key{
	{"level", "how severe a success is", closed(vocabulary.SeverityLevels)},
	{"confidence", "how sure the author is of the level: 0 to 100", whole},
}}

var classification = &shape{name: "classification", clause: "2.5", keys: []key{
	{"category", "the mechanism of the attack", closed(vocabulary.Categories)},
	{"mappings", "the entries of other frameworks", &shape{item: mapping}},
	{"tags", "your own words, in lower case with hyphens", texts},
}}

var mapping = &shape{name: "mapping", needs: []string{"framework", "id"}, clause: "2.18", keys: []key{
	{"framework", "the framework that defines the entry", &shape{is: isText, words: open("atlas", "mitre_attack", "owasp_llm", "owasp_mcp", "owasp_agentic", "cwe", "other")}},
	{"id", "the entry's id in the framework", text},
	{"name", "the entry's name", text},
	{"url", "the address of the entry", text},
	{"relationship", "how closely the attack belongs to the entry", closed(vocabulary.Relationships)},
}}

var reference = &shape{name: "reference", needs: []string{"url"}, clause: "2.17", keys: []key{
	{"url", "where it is", text},
	{"title", "the name", text},
	{"description", "the subject", text},
}}

var correlation = &shape{name: "correlation", clause: "2.3a", keys: []key{
	{"logic", "whether any indicator is enough, or all are needed", closed(vocabulary.CorrelationLogics)},
}}

var mode = &shape{is: isText, words: func(g guide) []Word {
	return open("mcp_server", "mcp_client", "a2a_server", "a2a_client", "ag_ui_client")(g)
}}

var protocol = &shape{is: isText, words: open("mcp", "a2a", "ag_ui")}

var execution = &shape{name: "execution", extensible: true, clause: "2.6", keys: []key{
	{"mode", "the attacker's mode: {protocol}_{server|client}", mode},
	{"state", "the data that the attacker presents, for an attack in one phase", state},
	{"phases", "the phases of the attack, one after the other", &shape{item: phase}},
	{"actors", "several attackers at once, each with its own phases", &shape{item: actor}},
}}

var actor = &shape{name: "actor", needs: []string{"name", "mode", "phases"}, extensible: true, clause: "2.6a", keys: []key{
	{"name", "the actor's name, such as weather_server", text},
	{"mode", "the actor's mode: {protocol}_{server|client}", mode},
	{"phases", "the actor's phases, one after the other", &shape{item: phase}},
}}

var phase = &shape{name: "phase", extensible: true, clause: "2.7", keys: []key{
	{"name", "the phase's name", text},
	{"description", "the purpose of the phase", text},
	{"mode", "the attacker's mode in this phase", mode},
	{"state", "the data that the attacker presents; default: that of the phase before", state},
	{"extractors", "values that are taken out of messages, for templates", &shape{item: extractor}},
	{"on_enter", "actions at the start of the phase", &shape{item: action}},
	{"trigger", "the condition that ends the phase; not for the last phase", trigger},
}}

var extractor = &shape{name: "extractor", needs: []string{"name", "source", "type", "selector"}, clause: "2.9", keys: []key{
	{"name", "what templates call the value by: {{name}}", text},
	{"source", "which message the value is in", closed(vocabulary.ExtractorSources)},
	{"type", "the type of the selector", closed(vocabulary.ExtractorTypes)},
	{"selector", "a JSONPath, or a regular expression with a group", text},
}}

var action = &shape{
	name:    "action",
	clause:  "2.7a",
	free:    true,
	without: func(p *profile.Profile) []string { return p.Keys.ActionLacks },
	keys: []key{
		{"send_notification", "sends a notification of the protocol", &shape{clause: "2.7a", needs: []string{"method"}, keys: []key{
			{"method", "of the notification", text}, {"params", "of the notification", object},
		}}},
		{"log", "writes a line to the tool's log", &shape{clause: "2.7a", needs: []string{"message"}, keys: []key{
			{"message", "the written text; templates are filled in", &shape{is: isText, names: Extractors}},
			{"level", "how it speaks", closed(vocabulary.LogLevels)},
		}}},
		{"send_elicitation", "asks the client's user, as an MCP server may", &shape{clause: "2.7a", needs: []string{"message"}, keys: []key{
			{"message", "the request; templates are filled in", &shape{is: isText, names: Extractors}},
			{"mode", "how it is asked", closed(vocabulary.ElicitationModes)},
			{"requestedSchema", "a JSON Schema of the answer, of a form", object},
			{"elicitationId", "the id of a question with a url", text},
			{"url", "where the user is sent", text},
		}}},
		{"send", "sends a message of the protocol", &shape{clause: "2.7a", needs: []string{"method"}, keys: []key{
			{"method", "of the message", text}, {"params", "of the message", anything},
		}}},
	},
}

var trigger = &shape{name: "trigger", clause: "2.8", keys: []key{
	{"event", "the event that is waited for", &shape{is: isText, words: events}},
	{"count", "the number of such events required", whole},
	{"match", "the condition on the events", predicate},
	{"after", "how long the phase lasts at most: 30s, PT5M", text},
}}

var predicate = &shape{name: "predicate", clause: "2.10", each: condition}

var condition = &shape{name: "condition", free: true, clause: "2.11", keys: operators(true)}

// operators returns a condition's operators. exists is not allowed in the shorthand.
func operators(exists bool) []key {
	list := []key{
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
		list = append(list, key{"exists", "true: the path leads to a value; false: it does not", &shape{is: isBoolean, words: open("true", "false")}})
	}
	return list
}

var indicator = &shape{
	name:       "indicator",
	clause:     "2.12",
	needsOf:    func(p *profile.Profile) string { return p.Keys.IndicatorNeeds },
	extensible: true,
	without:    func(p *profile.Profile) []string { return p.Keys.IndicatorLacks },
	keys: []key{
		{"id", "the indicator's id in verdicts", text},
		{"protocol", "whose messages are looked at", protocol},
		{"surface", "the examined part of messages", &shape{is: isText, words: surfaces}},
		{"target", "the path of the examined value, such as arguments.path or tools[*].name", text},
		{"actor", "whose messages are looked at", &shape{is: isText, names: Actors}},
		{"direction", "which side of an exchange is looked at", closed(vocabulary.Directions)},
		{"method", "how messages are looked at", closed(vocabulary.IndicatorMethods)},
		{"tier", "how far the attack came when this matches", &shape{is: isText, words: open(vocabulary.Tiers...)}},
		{"description", "the meaning of a match", text},
		{"pattern", "compares the value at a path", pattern},
		{"expression", "asks a CEL expression", expression},
		{"semantic", "asks a model about the meaning", semantic},
		{"confidence", "how much a match says: 0 to 100", whole},
		{"severity", "how severe a match is, other than the attack's", closed(vocabulary.SeverityLevels)},
		{"false_positives", "harmless content that would match", texts},
	},
}

var pattern = &shape{name: "pattern", clause: "2.13", keys: slices.Concat([]key{
	{"target", "the path of the compared value; default: the surface's own", text},
	{"condition", "a value to compare with, or operators", condition},
}, operators(false))}

var expression = &shape{name: "expression", needs: []string{"cel"}, clause: "2.14", keys: []key{
	{"cel", "an expression about message that is true or false", text},
	{"variables", "names for paths into the message", &shape{clause: "2.14", each: text}},
}}

var semantic = &shape{name: "semantic", needs: []string{"intent"}, clause: "2.15", keys: []key{
	{"target", "the path of the judged value; default: the surface's own", text},
	{"intent", "the intent to look for, in prose", text},
	{"intent_class", "the class of the intent", closed(vocabulary.IntentClasses)},
	{"threshold", "the lowest score that is a match: 0.0 to 1.0", number},
	{"examples", "example texts to test a model with", &shape{clause: "2.16", keys: []key{
		{"positive", "texts that must match", texts}, {"negative", "texts that must not", texts},
	}}},
}}

var response = &shape{name: "response", free: true, clause: "2.24", keys: []key{
	{"when", "which requests it answers; the last entry may answer all others", predicate},
	{"content", "the answer in the protocol's form", anything},
	{"messages", "the messages of the answer, in the protocol's form", anything},
	{"synthesize", "has a model make the answer", synthesize},
}}

var synthesize = &shape{name: "synthesize", clause: "2.23", keys: []key{{"prompt", "the prompt for the model; templates are filled in", &shape{is: isText, names: Extractors}}}}

var responses = &shape{item: response}

// The state of a phase is the protocol's, by the mode.
var state = &shape{name: "state", free: true, clause: "2.7", state: true}

var actions = &shape{item: &shape{keys: []key{{"method", "of the request", anything}, {"params", "of the request", anything}}}}

var states = map[model.Mode][]key{
	"mcp_server": {
		{"tools", "the tools that are offered", &shape{item: &shape{keys: []key{
			{"name", "of the tool", anything},
			{"title", "for people", anything},
			{"description", "for the model", anything},
			{"inputSchema", "a JSON Schema of the arguments", anything},
			{"outputSchema", "a JSON Schema of the structured answer", anything},
			{"annotations", "hints for clients", anything},
			{"responses", "the answers to calls; the first that fits counts", responses},
		}}}},
		{"resources", "the resources that are offered", &shape{item: &shape{keys: []key{
			{"uri", "of the resource", anything},
			{"name", "of the resource", anything},
			{"description", "for the model", anything},
			{"mimeType", "of the content", anything},
			{"content", "the content: text or blob", &shape{keys: []key{{"text", "the text", anything}, {"blob", "the bytes, in base64", anything}}}},
		}}}},
		{"prompts", "the prompts that are offered", &shape{item: &shape{keys: []key{
			{"name", "of the prompt", anything},
			{"description", "for people", anything},
			{"arguments", "that it takes", anything},
			{"responses", "the messages that it becomes; the first that fits counts", responses},
		}}}},
		{"server_info", "who the server says it is", anything},
		{"instructions", "the server's instructions to the model", anything},
		{"capabilities", "the server's capabilities", anything},
		{"elicitations", "the request to the client's user", &shape{item: &shape{keys: []key{
			{"when", "the requests that trigger it", predicate},
			{"message", "the question", anything},
			{"mode", "how it is asked", closed(vocabulary.ElicitationModes)},
			{"requestedSchema", "a JSON Schema of the answer", anything},
			{"url", "where the user is sent", anything},
		}}}},
	},
	"mcp_client": {
		{"actions", "the requests that are sent, one after the other", actions},
		{"sampling_responses", "the answers when the server asks the model", responses},
		{"elicitation_responses", "the answers when the server asks the user", &shape{clause: "2.24", item: &shape{keys: slices.Concat([]key{
			{"action", "the user's action", closed(vocabulary.ElicitationOutcomes)},
		}, response.keys)}}},
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
		{"run_agent_input", "the agent's initial input", &shape{keys: []key{
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

// titles explain enumeration words.
var titles = map[string]string{
	"informational": "an observation", "low": "little harm", "medium": "some harm", "high": "serious harm", "critical": "full compromise",
	"behavior_manipulation": "the agent acts outside its purpose", "data_exfiltration": "data is sent to where it must not go",
	"data_tampering": "data are changed", "unauthorized_actions": "actions happen without permission",
	"information_disclosure": "the agent reveals secrets", "credential_theft": "keys and passwords are taken",
	"service_disruption": "a service is kept from working", "privilege_escalation": "rights are gained without permission",
	"capability_poisoning": "the self-description of a tool or agent misleads", "response_fabrication": "an answer is invented",
	"context_manipulation": "the model's input is changed", "oversight_bypass": "a person or a check is bypassed",
	"temporal_manipulation": "harmless content changes later", "availability_disruption": "the agent is kept busy or stopped",
	"cross_protocol_chain": "several protocols are used together",
	"draft":                "being written", "experimental": "may change", "stable": "can be relied on", "deprecated": "replaced by another document",
	"any": "one match is enough", "all": "every indicator must match",
	"request": "the request", "response": "the answer",
	"json_path": "a JSONPath", "regex": "a regular expression with a group",
	"prompt_injection": "instructions hidden in data", "social_engineering": "a person is persuaded", "instruction_override": "earlier instructions are overridden",
	"primary": "the entry is this attack", "related": "the entry is near",
	"info": "for the record", "warn": "a warning", "error": "an error",
	"form": "the user fills in a form", "url": "the user is sent to a page",
	"pattern": "compares values", "expression": "asks a CEL expression", "semantic": "asks a model",
	"accept": "the user answers", "decline": "the user refuses", "cancel": "the user closes the question",
	"mcp_server": "the attacker is a server of tools", "mcp_client": "the attacker uses the agent's tools",
	"a2a_server": "the attacker is an agent that is asked", "a2a_client": "the attacker asks the agent", "ag_ui_client": "the attacker is the agent's front end",
	"mcp": "the Model Context Protocol", "a2a": "Agent to Agent", "ag_ui": "Agent User Interaction",
	"atlas": "MITRE ATLAS", "mitre_attack": "MITRE ATT&CK", "owasp_llm": "OWASP Top 10 for LLM applications", "owasp_mcp": "OWASP MCP Top 10",
	"owasp_agentic": "OWASP agentic threats", "cwe": "Common Weakness Enumeration", "other": "any other framework",
	"ingested": "the agent has read it", "local_action": "the agent has acted on it", "boundary_breach": "the agent crossed a boundary",
	"true": "there is a value", "false": "there is none",
	`"0.1"`: "the only existing version",
}
