package sdk01

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
)

// Clauses of the rules.
const (
	format = "OATF format v0.1, "
	sdk    = "OATF SDK specification 0.1, "
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
		Title: "a value of a closed enumeration is unknown, or one of an open enumeration is malformed",
	},
	rules.OpenMember:         {ID: "V-005", Clause: format + "§11.1.5"},
	rules.SomeIndicators:     {ID: "V-006", Clause: format + "§11.1.6"},
	rules.SomePhases:         {ID: "V-007", Clause: format + "§11.1.8, §11.1.9"},
	rules.TerminalPhase:      {ID: "V-008", Clause: format + "§11.1.8"},
	rules.FirstState:         {ID: "V-009", Clause: format + "§11.1.8"},
	rules.UniqueIndicatorID:  {ID: "V-010", Clause: format + "§11.1.10"},
	rules.UniquePhaseName:    {ID: "V-011", Clause: format + "§11.1.8"},
	rules.OneMethod:          {ID: "V-012", Clause: format + "§11.1.11"},
	rules.Regex:              {ID: "V-013", Clause: format + "§5.7"},
	rules.CEL:                {ID: "V-014", Clause: format + "§5.7"},
	rules.JSONPath:           {ID: "V-015", Clause: format + "§5.7"},
	rules.TemplateSyntax:     {ID: "V-016", Clause: format + "§5.7"},
	rules.SeverityConfidence: {ID: "V-017", Clause: format + "§4.3"},
	rules.KnownSurface: {
		ID: "V-018", Clause: format + "§7",
		Title:     "an indicator's surface does not exist in its protocol",
		Rationale: "The surface decides which part of which message is looked at; one of another protocol never occurs.",
		Bad:       "indicators:\n  - {surface: agent_card, pattern: {target: name, condition: evil}}\n",
		Good:      "indicators:\n  - {surface: tool_name, pattern: {contains: evil}}\n",
	},
	rules.CountNeedsEvent: {ID: "V-019", Clause: format + "§5.3"},
	rules.PlainYAML: {
		ID: "V-020", Clause: format + "§11.1.1",
		Bad:  "indicators:\n  - {surface: tool_name, description: &text Seen twice, pattern: {contains: a}}\n  - {surface: tool_title, description: *text, pattern: {contains: a}}\n",
		Good: "indicators:\n  - {surface: tool_name, description: Seen twice, pattern: {contains: a}}\n  - {surface: tool_title, description: Seen twice, pattern: {contains: a}}\n",
	},
	rules.TargetSyntax: {
		ID: "V-021", Clause: format + "§6.2, §6.4",
		Bad:  "indicators:\n  - surface: tool_name\n    pattern: {target: \"tools[0].name\", condition: {contains: evil}}\n",
		Good: "indicators:\n  - surface: tool_name\n    pattern: {target: \"tools[*].name\", condition: {contains: evil}}\n",
	},
	rules.Threshold:           {ID: "V-022", Clause: format + "§6.4"},
	rules.AttackID:            {ID: "V-023", Clause: format + "§4.2"},
	rules.IndicatorID:         {ID: "V-024", Clause: format + "§6.1"},
	rules.IndicatorConfidence: {ID: "V-025", Clause: format + "§6.1"},
	rules.VariablePath:        {ID: "V-026", Clause: format + "§6.3"},
	rules.PredicateKey:        {ID: "V-027", Clause: format + "§5.4"},
	rules.ModeAndProtocol: {
		ID: "V-028", Clause: format + "§5.1",
		Title:     "without execution.mode, a phase has no mode or an indicator no protocol",
		Rationale: "There is nothing to inherit from. Actors give their phases a mode, but indicators belong to the document.",
	},
	rules.KnownEvent: {
		ID: "V-029", Clause: format + "§7",
		Title:     "a trigger event is not known for the mode of its phase",
		Rationale: "A trigger on an event that never comes keeps the attack in its phase forever. Unknown modes are not judged.",
	},
	rules.OneForm:        {ID: "V-030", Clause: format + "§5.1"},
	rules.Actors:         {ID: "V-031", Clause: format + "§5.1"},
	rules.ActorReference: {ID: "V-032", Clause: format + "§5.5"},
	rules.StaticOrGenerated: {
		ID: "V-033", Title: "a response has both fixed content and synthesize", Severity: finding.Error, Class: "non-conforming",
		Clause:    format + "§11.1.14",
		Rationale: "A tool could send only one of them, and each tool might choose differently.",
		Bad:       "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: t\n        responses:\n          - content: [{type: text, text: fixed}]\n            synthesize: {prompt: Make it up}\n",
		Good:      "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: t\n        responses:\n          - synthesize: {prompt: Make it up}\n",
	},
	rules.OneDefault: {
		ID: "V-034", Clause: format + "§11.1.15",
		Bad:  "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: t\n        responses:\n          - content: [{type: text, text: first}]\n          - content: [{type: text, text: second}]\n",
		Good: "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: t\n        responses:\n          - when: {arguments.cmd: ls}\n            content: [{type: text, text: first}]\n          - content: [{type: text, text: second}]\n",
	},
	rules.Prompt: {
		ID: "V-035", Title: "synthesize.prompt is empty", Severity: finding.Error, Class: "non-conforming",
		Clause:    format + "§11.1.16",
		Rationale: "A model cannot be asked for nothing.",
		Bad:       "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: t\n        responses:\n          - synthesize: {prompt: \"\"}\n",
		Good:      "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: t\n        responses:\n          - synthesize: {prompt: Make it up}\n",
	},
	rules.ModePattern:     {ID: "V-036", Clause: format + "§5.1"},
	rules.PositiveVersion: {ID: "V-037", Clause: format + "§4.2"},
	rules.DurationSyntax: {
		ID: "V-038", Clause: format + "§5.3",
		Title: "trigger.after or grace_period is not a duration",
	},
	rules.GracePeriod:    {ID: "V-038", Clause: format + "§5.3"},
	rules.ExtractorName:  {ID: "V-039", Clause: format + "§5.5"},
	rules.SomeExtractors: {ID: "V-040", Clause: format + "§11.1.8"},
	rules.VariableName:   {ID: "V-041", Clause: format + "§11.1.17"},
	rules.EventOrAfter:   {ID: "V-042", Clause: format + "§5.2, §5.3"},
	rules.OneAction:      {ID: "V-043", Clause: format + "§5.2"},
	rules.FirstKeyAdvice: {ID: "W-001", Clause: sdk + "§7.0"},
	rules.KnownMode:      {ID: "W-002", Clause: sdk + "§7.0"},
	rules.KnownProtocol: {
		ID: "W-003", Clause: sdk + "§7.0",
		Rationale: "It can be your own binding, or a typing error: its surface cannot be checked.",
	},
	rules.ReferenceResolves: {ID: "W-004", Clause: sdk + "§7.0"},
	rules.SpokenProtocol: {
		ID: "W-005", Clause: sdk + "§7.0",
		Bad:  "indicators:\n  - {protocol: a2a, surface: card_name, pattern: {contains: evil}}\n",
		Good: "indicators:\n  - {protocol: mcp, surface: tool_name, pattern: {contains: evil}}\n",
	},

	// The lint rules.
	rules.StructureTarget: {
		ID: "L-101", Title: "a condition on text looks at a target that holds objects or lists", Severity: finding.Warning,
		Clause:    "cupel",
		Rationale: "The default target of most surfaces is an object, and string operators never match one: nothing is turned into text for them. Give the pattern a deeper target.",
		Bad:       "indicators:\n  - surface: tool_arguments\n    pattern: {regex: id_rsa}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.path, condition: {regex: id_rsa}}\n",
	},
	rules.TextTarget: {
		ID: "L-102", Title: "a condition on numbers or objects looks at a target that holds text", Severity: finding.Warning,
		Clause:    "cupel",
		Rationale: "Types are never converted: no text is greater than a number or equal to one.",
		Bad:       "execution: {mode: a2a_client, state: {}}\nindicators:\n  - surface: task_status\n    pattern: {gt: 3}\n",
		Good:      "execution: {mode: a2a_client, state: {}}\nindicators:\n  - surface: task_status\n    pattern: {contains: failed}\n",
	},
	rules.AbsencePattern: {
		ID: "L-103", Title: "a pattern with exists: false never matches", Severity: finding.Warning,
		Clause:    "cupel",
		Rationale: "A pattern is evaluated on the values that its target resolves to; where there is none it does not match. Absence is CEL's business: !has(message.field).",
		Bad:       "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.confirm, condition: {exists: false}}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    expression: {cel: \"!has(message.arguments.confirm)\"}\n",
	},
	rules.Contradiction: {
		ID:   "L-104",
		Bad:  "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.count, condition: {gt: 5, lt: 3}}\n",
		Good: "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.count, condition: {gt: 3, lt: 5}}\n",
	},
	rules.OwnPayload: {
		ID:        "L-105",
		Rationale: "An indicator should show whether the agent complied. On a surface that only the document's own actors fill, it finds the payload, whatever the agent did.",
		Bad:       "indicators:\n  - surface: tool_description\n    pattern: {contains: id_rsa}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.path, condition: {contains: id_rsa}}\n",
	},
	rules.EnvelopeTarget: {
		ID:        "L-106",
		Title:     "the surface's default target does not lie in the message itself",
		Rationale: "Indicators see the params or the result of a message, without its envelope. The registry's default target for a few surfaces names the envelope's member, and tools that take it at its word find nothing.",
		Bad:       "execution: {mode: mcp_client, state: {}}\nindicators:\n  - surface: sampling_request\n    pattern: {condition: {exists: true}}\n",
		Good:      "execution: {mode: mcp_client, state: {}}\nindicators:\n  - surface: sampling_request\n    pattern: {target: systemPrompt, condition: {exists: true}}\n",
	},
	rules.PayloadPath: {
		ID:   "L-110",
		Bad:  "indicators:\n  - {surface: tool_arguments, pattern: {target: args.path, condition: {contains: id_rsa}}}\n",
		Good: "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, condition: {contains: id_rsa}}}\n",
	},
	rules.TypedExpression: {
		ID:   "L-112",
		Bad:  "indicators:\n  - {surface: tool_arguments, expression: {cel: name == 'cat'}}\n",
		Good: "indicators:\n  - {surface: tool_arguments, expression: {cel: message.name == 'cat'}}\n",
	},
	rules.MappingName: {ID: "L-113"},
	rules.EnoughExamples: {
		ID: "L-107", Clause: sdk + "§2.16",
		Bad:  "indicators:\n  - surface: tool_arguments\n    semantic: {intent: Read private keys, examples: {positive: [cat ~/.ssh/id_rsa]}}\n",
		Good: "indicators:\n  - surface: tool_arguments\n    semantic:\n      intent: Read private keys\n      examples: {positive: [cat ~/.ssh/id_rsa, less server.pem], negative: [cat README, ls ~/.ssh]}\n",
	},
	rules.GivenID: {
		ID: "L-108", Clause: sdk + "§3.3 (N-003)",
		Bad:  "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.a, contains: x}}\n  - {id: indicator-01, surface: tool_arguments, pattern: {target: arguments.a, contains: y}}\n",
		Good: "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.a, condition: {contains: x}}}\n  - {id: indicator-02, surface: tool_arguments, pattern: {target: arguments.a, condition: {contains: y}}}\n",
	},
	rules.TriggerFires: {
		ID:        "L-201",
		Rationale: "Its qualifier or its predicate excludes every event, and no time ends the phase.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: \"tools/list:calculator\"}\n    - name: switch\n      state: {tools: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: \"tools/call:calculator\"}\n    - name: switch\n      state: {tools: []}\n",
	},
	rules.OfferedName: {
		ID:   "L-202",
		Bad:  "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: \"tools/call:calc\"}\n    - name: switch\n      state: {tools: []}\n",
		Good: "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: \"tools/call:calculator\"}\n    - name: switch\n      state: {tools: []}\n",
	},
	rules.TriggerWaits:    {ID: "L-203"},
	rules.ReachedPhase:    {ID: "L-204"},
	rules.GivenName:       {ID: "L-205", Clause: sdk + "§3.3 (N-001)"},
	rules.UsedExtractor:   {ID: "L-301"},
	rules.CapturedValue:   {ID: "L-302"},
	rules.UniqueExtractor: {ID: "L-303"},
	rules.ChosenResponse:  {ID: "L-401"},
	rules.DefaultLast:     {ID: "L-402", Clause: format + "§11.1.15"},
	rules.WhenHolds:       {ID: "L-403"},
	rules.LooseResponses: {
		ID:        "L-404",
		Title:     "elicitations and task_message break a rule of the other responses",
		Rationale: "The conformance rules about fixed content and synthesize, and about the paths of when, do not name these two places. What breaks them there goes wrong all the same.",
	},
	rules.ResponseKey: {ID: "L-405", Clause: format + "protocol bindings"},
	rules.Date:        {ID: "L-501", Clause: schema},
	rules.ImpactTwice: {
		ID: "L-502", Title: "a kind of impact is listed twice", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "The list is a set; a repeated member is usually meant to be another one.",
		Bad:       "impact: [data_exfiltration, data_exfiltration]\n",
		Good:      "impact: [data_exfiltration, data_tampering]\n",
	},
	rules.CorrelationAlone: {
		ID: "L-503", Title: "correlation exists without indicators", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "correlation combines the verdicts of indicators, and the document has no indicators.",
		Bad:       "correlation: {logic: all}\n",
		Good:      "indicators:\n  - {surface: roots_response, pattern: {target: \"roots[*].uri\", condition: {contains: home}}}\ncorrelation: {logic: all}\n",
	},
	rules.ModeBesideActors: {ID: "L-504", Clause: schema},
	rules.LinkOrName:       {ID: "L-505", Clause: schema},
	rules.NoActions: {
		ID: "L-506", Title: "on_enter is empty", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "A list of actions without actions is left over.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, on_enter: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, on_enter: [{log: {message: Begun}}]}\n",
	},
	rules.CountAtLeastOne: {ID: "L-507", Clause: schema},
	rules.EventSpelling: {
		ID: "L-508", Clause: schema,
		Rationale: "Events are letters, digits, underscores and slashes, start with a lower-case letter, and can have one qualifier after a colon.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: \"tools/call:calcul@tor\", after: 5s}\n    - name: switch\n      state: {tools: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: \"tools/call:calculator\", after: 5s}\n    - name: switch\n      state: {tools: []}\n",
	},
	rules.PatternForm: {
		ID: "L-509", Clause: schema,
		Bad:  "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, contains: id_rsa}}\n",
		Good: "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, condition: {contains: id_rsa}}}\n",
	},
	rules.SomeAnyOf: {
		ID: "L-510", Clause: schema,
		Bad:  "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, condition: {any_of: []}}}\n",
		Good: "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, condition: {any_of: [/etc/passwd]}}}\n",
	},
	rules.SomeExamples: {
		ID: "L-511", Clause: schema,
		Bad:  "indicators:\n  - {surface: tool_arguments, semantic: {intent: Read keys, examples: {positive: [cat a, cat b], negative: []}}}\n",
		Good: "indicators:\n  - {surface: tool_arguments, semantic: {intent: Read keys, examples: {positive: [cat a, cat b], negative: [ls, pwd]}}}\n",
	},
	rules.NameLength:  {ID: "L-512", Clause: format + "§4.2"},
	rules.TagSpelling: {ID: "L-513", Clause: sdk + "§2.5"},
	rules.NoValue:     {ID: "L-515", Clause: schema},
}
