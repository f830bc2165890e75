package v202603

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
)

// Clauses of the rules, from the format unless the SDK specification is named.
const (
	format = "OATF format 2026-03, "
	sdk    = "OATF SDK specification 2026-03, "
	schema = format + "JSON Schema"
)

// own are the rules that differ in this revision. An example that is not a whole document is the content of
// `attack:`; see rules.Complete.
var own = rules.Set{
	rules.Version:      {ID: "V-001", Clause: format + "§11.1.1"},
	rules.FirstKey:     {ID: "V-002", Clause: format + "§11.1.2"},
	rules.OneAttack:    {ID: "V-003", Clause: format + "§11.1.3"},
	rules.HasExecution: {ID: "V-004", Clause: format + "§11.1.4"},
	rules.EnumMember: {
		ID: "V-005", Clause: format + "§11.1.5",
		Title: "a value of a closed enumeration is unknown",
	},
	rules.SomeIndicators:     {ID: "V-006", Clause: format + "§11.1.9"},
	rules.SomePhases:         {ID: "V-007", Clause: format + "§11.1.7, §11.1.8"},
	rules.TerminalPhase:      {ID: "V-008", Clause: format + "§11.1.7"},
	rules.FirstState:         {ID: "V-009", Clause: format + "§11.1.7"},
	rules.UniqueIndicatorID:  {ID: "V-010", Clause: format + "§11.1.10"},
	rules.UniquePhaseName:    {ID: "V-011", Clause: format + "§11.1.7"},
	rules.OneMethod:          {ID: "V-012", Clause: format + "§11.1.11"},
	rules.Regex:              {ID: "V-013", Clause: format + "§6.2"},
	rules.CEL:                {ID: "V-014", Clause: format + "§6.3"},
	rules.JSONPath:           {ID: "V-015", Clause: format + "§5.5"},
	rules.TemplateSyntax:     {ID: "V-016", Clause: format + "§5.7"},
	rules.SeverityConfidence: {ID: "V-017", Clause: format + "§4.3"},
	rules.KnownSurface: {
		ID: "V-018", Clause: format + "§7",
		Title: "an indicator's surface is not an operation of its protocol", Severity: finding.Warning,
		Rationale: "The surface narrows the indicator to the messages of one operation; one that never occurs leaves none. It is advice: a protocol may have operations that the table does not have yet.",
		Bad:       "indicators:\n  - {surface: message/send, target: arguments.path, pattern: {contains: id_rsa}}\n",
		Good:      "indicators:\n  - {surface: tools/call, target: arguments.path, pattern: {contains: id_rsa}}\n",
	},
	rules.CountNeedsEvent: {ID: "V-019", Clause: format + "§5.3"},
	rules.PlainYAML: {
		ID: "V-020", Clause: format + "§11.1.1",
		Bad:  "indicators:\n  - {target: name, description: &text Seen twice, pattern: {contains: a}}\n  - {target: arguments, description: *text, pattern: {contains: a}}\n",
		Good: "indicators:\n  - {target: name, description: Seen twice, pattern: {contains: a}}\n  - {target: arguments, description: Seen twice, pattern: {contains: a}}\n",
	},
	rules.TargetSyntax: {
		ID: "V-021", Clause: format + "§6.1, §6.2, §6.4",
		Bad:  "indicators:\n  - target: \"tools[0].name\"\n    pattern: {contains: evil}\n",
		Good: "indicators:\n  - target: \"tools[*].name\"\n    pattern: {contains: evil}\n",
	},
	rules.Threshold:           {ID: "V-022", Clause: format + "§6.4"},
	rules.AttackID:            {ID: "V-023", Clause: format + "§4.2"},
	rules.IndicatorID:         {ID: "V-024", Clause: format + "§6.1"},
	rules.IndicatorConfidence: {ID: "V-025", Clause: format + "§6.1"},
	rules.VariablePath:        {ID: "V-026", Clause: format + "§6.3"},
	rules.PredicateKey:        {ID: "V-027", Clause: format + "§5.4"},
	rules.ModeAndProtocol: {
		ID: "V-028", Clause: format + "§5.1",
		Title:     "without execution.mode, phases have different modes or an indicator no protocol",
		Rationale: "There is nothing to inherit from, and one actor is on one side of one protocol: another mode needs another actor. Actors give their phases a mode, but indicators belong to the document.",
	},
	rules.OneMode: {ID: "V-028", Clause: format + "§5.1"},
	rules.KnownEvent: {
		ID: "V-029", Clause: format + "§7",
		Title: "a trigger's event is not in its phase's mode", Severity: finding.Warning,
		Rationale: "A trigger on an event that never comes keeps the attack in its phase forever. It is advice: a protocol may have events that the table does not have yet. Unknown modes are not judged.",
	},
	rules.OneForm:        {ID: "V-030", Clause: format + "§5.1"},
	rules.Actors:         {ID: "V-031", Clause: format + "§5.1"},
	rules.ActorReference: {ID: "V-032", Clause: sdk + "§5.5"},
	rules.OneDefault: {
		ID: "V-033", Clause: format + "§11.1.14",
		Bad:  "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: t\n        responses:\n          - content: {content: [{type: text, text: first}]}\n          - content: {content: [{type: text, text: second}]}\n",
		Good: "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: t\n        responses:\n          - when: {arguments.cmd: ls}\n            content: {content: [{type: text, text: first}]}\n          - content: {content: [{type: text, text: second}]}\n",
	},
	rules.ModePattern:     {ID: "V-034", Clause: format + "§5.1"},
	rules.PositiveVersion: {ID: "V-035", Clause: format + "§4.2"},
	rules.DurationSyntax: {
		ID: "V-036", Clause: sdk + "§5.2",
		Title: "trigger.after is not a duration",
	},
	rules.ExtractorName:            {ID: "V-037", Clause: format + "§5.5"},
	rules.SomeExtractors:           {ID: "V-038", Clause: format + "§11.1.7"},
	rules.VariableName:             {ID: "V-039", Clause: format + "§11.1.15"},
	rules.EventOrAfter:             {ID: "V-040", Clause: format + "§5.3"},
	rules.OneAction:                {ID: "V-041", Clause: format + "§11.1.16"},
	rules.SelectorGroup:            {ID: "V-042", Clause: format + "§5.5"},
	rules.SomeActions:              {ID: "V-043", Clause: format + "§5.2"},
	rules.PhaseMode:                {ID: "V-044", Clause: format + "§5.2"},
	rules.UniqueImpact:             {ID: "V-045", Clause: format + "§4.2"},
	rules.GracePeriod:              {ID: "V-046", Clause: format + "§4.2"},
	rules.CorrelationHasIndicators: {ID: "V-047", Clause: sdk + "§2.3a"},
	rules.IndicatorActor:           {ID: "V-048", Clause: format + "§6.1"},
	rules.PresentMethod:            {ID: "V-049", Clause: format + "§6.1"},

	rules.FirstKeyAdvice: {ID: "W-001", Clause: sdk + "§7.0"},
	rules.KnownMode:      {ID: "W-002", Clause: sdk + "§7.0"},
	rules.KnownProtocol: {
		ID: "W-003", Clause: sdk + "§7.0",
		Rationale: "It can be your own binding, or a typing error: its operations cannot be checked.",
	},
	rules.ReferenceResolves: {ID: "W-004", Clause: sdk + "§7.0"},
	rules.SpokenProtocol: {
		ID: "W-005", Clause: sdk + "§7.0",
		Bad:  "indicators:\n  - {protocol: a2a, target: message, pattern: {contains: evil}}\n",
		Good: "indicators:\n  - {protocol: mcp, target: name, pattern: {contains: evil}}\n",
	},
	rules.Synthesized:       {ID: "W-006", Clause: sdk + "§7.0"},
	rules.SemanticIndicator: {ID: "W-007", Clause: sdk + "§7.0"},

	// The lint rules.
	rules.Contradiction: {
		ID:   "L-104",
		Bad:  "indicators:\n  - target: arguments.count\n    pattern: {condition: {gt: 5, lt: 3}}\n",
		Good: "indicators:\n  - target: arguments.count\n    pattern: {condition: {gt: 3, lt: 5}}\n",
	},
	rules.OwnPayload: {
		ID:        "L-105",
		Rationale: "An indicator should show whether the agent complied. On the side of an operation that only the document's own actors fill, it finds the payload, whatever the agent did.",
		Bad:       "indicators:\n  - {surface: tools/list, direction: response, target: \"tools[*].description\", pattern: {contains: id_rsa}}\n",
		Good:      "indicators:\n  - {surface: tools/call, direction: request, target: arguments.path, pattern: {contains: id_rsa}}\n",
	},
	rules.EnvelopeTarget: {
		ID:        "L-106",
		Title:     "a target begins with a part of the envelope",
		Rationale: "Indicators see the params or the result of a message, without its envelope: the target begins inside them.",
		Bad:       "indicators:\n  - {surface: tools/call, target: params.arguments.path, pattern: {contains: id_rsa}}\n",
		Good:      "indicators:\n  - {surface: tools/call, target: arguments.path, pattern: {contains: id_rsa}}\n",
	},
	rules.PayloadPath: {
		ID:   "L-110",
		Bad:  "indicators:\n  - {surface: tools/call, direction: request, target: argument.path, pattern: {contains: id_rsa}}\n",
		Good: "indicators:\n  - {surface: tools/call, direction: request, target: arguments.path, pattern: {contains: id_rsa}}\n",
	},
	rules.RunnerName: {
		ID:   "L-111",
		Bad:  "execution:\n  mode: ag_ui_client\n  state: {run_agent_input: {threadId: t, runId: r, messages: []}}\nindicators:\n  - {direction: response, target: response.content, pattern: {contains: id_rsa}}\n",
		Good: "execution:\n  mode: ag_ui_client\n  state: {run_agent_input: {threadId: t, runId: r, messages: []}}\nindicators:\n  - {surface: text_message_content, direction: response, target: delta, pattern: {contains: id_rsa}}\n",
	},
	rules.TypedExpression: {
		ID:   "L-112",
		Bad:  "indicators:\n  - {surface: tools/call, direction: request, target: \"\", expression: {cel: name == 'cat'}}\n",
		Good: "indicators:\n  - {surface: tools/call, direction: request, target: \"\", expression: {cel: message.name == 'cat'}}\n",
	},
	rules.MappingName: {ID: "L-113"},
	rules.WholeResult: {
		ID: "L-114", Clause: format + "§7.1",
		Bad:  "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - {name: calculator, inputSchema: {type: object}, responses: [{content: [{type: text, text: \"4\"}]}]}\n",
		Good: "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - {name: calculator, inputSchema: {type: object}, responses: [{content: {content: [{type: text, text: \"4\"}]}}]}\n",
	},
	rules.EnoughExamples: {
		ID: "L-107", Clause: format + "§6.4",
		Bad:  "indicators:\n  - target: arguments.command\n    semantic: {intent: Read private keys, examples: {positive: [cat ~/.ssh/id_rsa]}}\n",
		Good: "indicators:\n  - target: arguments.command\n    semantic:\n      intent: Read private keys\n      examples: {positive: [cat ~/.ssh/id_rsa, less server.pem], negative: [cat README, ls ~/.ssh]}\n",
	},
	rules.GivenID: {
		ID: "L-108", Clause: sdk + "§3.3 (N-003)",
		Bad:  "indicators:\n  - {target: arguments.a, pattern: {contains: x}}\n  - {id: indicator-01, target: arguments.a, pattern: {contains: y}}\n",
		Good: "indicators:\n  - {target: arguments.a, pattern: {contains: x}}\n  - {id: indicator-02, target: arguments.a, pattern: {contains: y}}\n",
	},
	rules.KnownTier: {
		ID:   "L-109",
		Bad:  "indicators:\n  - {tier: critical, target: name, pattern: {contains: evil}}\n",
		Good: "indicators:\n  - {tier: boundary_breach, target: name, pattern: {contains: evil}}\n",
	},
	rules.TriggerFires: {
		ID:        "L-201",
		Rationale: "Its predicate excludes every event, and no time ends the phase.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: tools/call, match: {arguments.n: {gt: 9, lt: 1}}}\n    - name: switch\n      state: {tools: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: tools/call, match: {arguments.n: {gt: 1, lt: 9}}}\n    - name: switch\n      state: {tools: []}\n",
	},
	rules.OfferedName: {
		ID:   "L-202",
		Bad:  "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: tools/call, match: {name: calc}}\n    - name: switch\n      state: {tools: []}\n",
		Good: "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: tools/call, match: {name: calculator}}\n    - name: switch\n      state: {tools: []}\n",
	},
	rules.TriggerWaits:    {ID: "L-203"},
	rules.ReachedPhase:    {ID: "L-204"},
	rules.GivenName:       {ID: "L-205", Clause: sdk + "§3.3 (N-001)"},
	rules.UsedExtractor:   {ID: "L-301"},
	rules.CapturedValue:   {ID: "L-302"},
	rules.UniqueExtractor: {ID: "L-303"},
	rules.ChosenResponse:  {ID: "L-401"},
	rules.DefaultLast:     {ID: "L-402", Clause: format + "§11.1.14"},
	rules.WhenHolds:       {ID: "L-403"},
	rules.LooseResponses: {
		ID:        "L-404",
		Title:     "elicitations break a rule of responses",
		Rationale: "The conformance rules about the predicates of responses do not name elicitations. What breaks them there goes wrong all the same.",
	},
	rules.ResponseKey: {ID: "L-405", Clause: format + "§7, protocol bindings"},
	rules.EarlierKey: {
		ID:   "L-406",
		Bad:  "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      on_enter: [{send_notification: {method: notifications/tools/list_changed}}]\n",
		Good: "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      on_enter: [{send: {method: notifications/tools/list_changed}}]\n",
	},
	rules.StateKey:         {ID: "L-407", Clause: format + "§7, protocol bindings"},
	rules.WantedKey:        {ID: "L-408", Clause: format + "§7, protocol bindings"},
	rules.PayloadKey:       {ID: "L-409"},
	rules.Date:             {ID: "L-501", Clause: schema},
	rules.ModeBesideActors: {ID: "L-504", Clause: schema},
	rules.LinkOrName:       {ID: "L-505", Clause: schema},
	rules.CountAtLeastOne:  {ID: "L-507", Clause: schema},
	rules.EventSpelling: {
		ID: "L-508", Clause: schema,
		Rationale: "Events are letters, digits, underscores and slashes, and start with a lower-case letter. Events of known modes have their own rule.",
		Bad:       "execution:\n  mode: voice_server\n  phases:\n    - name: bait\n      state: {greeting: Hello}\n      trigger: {event: \"call/answer:twice\", after: 5s}\n    - name: switch\n      state: {greeting: Bye}\n",
		Good:      "execution:\n  mode: voice_server # cupel:ignore W-002 a binding of our own\n  phases:\n    - name: bait\n      state: {greeting: Hello}\n      trigger: {event: call/answer, count: 2, after: 5s}\n    - name: switch\n      state: {greeting: Bye}\n",
	},
	rules.PatternForm: {
		ID: "L-509", Clause: schema,
		Bad:  "indicators:\n  - {target: arguments, pattern: {target: arguments.path, contains: id_rsa}}\n",
		Good: "indicators:\n  - {target: arguments, pattern: {target: arguments.path, condition: {contains: id_rsa}}}\n",
	},
	rules.SomeAnyOf: {
		ID: "L-510", Clause: schema,
		Bad:  "indicators:\n  - {target: arguments.path, pattern: {any_of: []}}\n",
		Good: "indicators:\n  - {target: arguments.path, pattern: {any_of: [/etc/passwd]}}\n",
	},
	rules.SomeExamples: {
		ID: "L-511", Clause: schema,
		Bad:  "indicators:\n  - {target: arguments.command, semantic: {intent: Read keys, examples: {positive: [cat a, cat b], negative: []}}}\n",
		Good: "indicators:\n  - {target: arguments.command, semantic: {intent: Read keys, examples: {positive: [cat a, cat b], negative: [ls, pwd]}}}\n",
	},
	rules.NameLength:  {ID: "L-512", Clause: format + "§4.2"},
	rules.TagSpelling: {ID: "L-513", Clause: format + "§4.5"},
	rules.SomeImpact:  {ID: "L-514", Clause: schema},
	rules.NoValue:     {ID: "L-515", Clause: schema},
}
