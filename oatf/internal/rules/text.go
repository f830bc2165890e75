package rules

import "github.com/cupel-dev/cupel/finding"

// texts are the default titles, severities, reasons and examples of the rules. An example that is not a whole
// document is the content of `attack:`. <where> is an indicator's selection.
var texts = Set{
	// Conformance rules. A title states a requirement.
	Version: {
		Title: `oatf does not name a supported version: "0.1"`, Severity: finding.Error, Class: "non-conforming",
		Rationale: "The version decides how every other key is read. It is quoted, because a bare 0.1 is a number to YAML.",
		Bad:       "oatf: \"9.9\"\nattack:\n  execution: {mode: mcp_server, state: {tools: []}}\n",
		Good:      "oatf: \"0.1\"\nattack:\n  execution: {mode: mcp_server, state: {tools: []}}\n",
	},
	FirstKey: {
		Title: "oatf is not the first key (advice; reported as W-001)", Severity: finding.Error, Class: "non-conforming",
		Rationale: "A reader should know the version before anything else. It is advice: a violation is the warning W-001 and never makes a document invalid.",
	},
	OneAttack: {
		Title: "the document does not have exactly one attack", Severity: finding.Error, Class: "non-conforming",
		Rationale: "A verdict belongs to one attack. Several attacks are several files.",
		Bad:       "oatf: \"0.1\"\nattack:\n  - name: First\n  - name: Second\n",
		Good:      "oatf: \"0.1\"\nattack:\n  name: First\n  execution: {mode: mcp_server, state: {tools: []}}\n",
	},
	HasExecution: {
		Title: "the attack has no execution", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Without it there is nothing to carry out and nothing that the indicators could observe.",
		Bad:       "oatf: \"0.1\"\nattack:\n  name: No execution\n",
		Good:      "name: With an execution\n",
	},
	EnumMember: {
		Severity: finding.Error, Class: "non-conforming",
		Rationale: "Tools branch on these values; one they do not know cannot be acted upon.",
		Bad:       "severity: extreme\n",
		Good:      "severity: critical\n",
	},
	SomeIndicators: {
		Title: "indicators is empty", Severity: finding.Error, Class: "non-conforming",
		Rationale: "An empty list would give a verdict about nothing. A document for simulation only leaves the key out.",
		Bad:       "indicators: []\n",
		Good:      "indicators:\n  - {<where>, pattern: {contains: evil}}\n",
	},
	SomePhases: {
		Title: "a list of phases is empty", Severity: finding.Error, Class: "non-conforming",
		Rationale: "An actor without phases does nothing.",
		Bad:       "execution: {mode: mcp_server, phases: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n",
	},
	TerminalPhase: {
		Title: "a phase of an actor that is not the last has no trigger", Severity: finding.Error, Class: "non-conforming",
		Rationale: "A phase without trigger never ends: whatever follows it is never reached.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: []}\n    - name: switch\n      trigger: {event: tools/call}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: []}\n      trigger: {event: tools/call}\n    - name: switch\n",
	},
	FirstState: {
		Title: "the first phase of an actor has no state, or state is not a mapping", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Later phases inherit the state of the previous phase; the first has nothing to inherit.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - name: only\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - name: only\n      state: {tools: []}\n",
	},
	UniqueIndicatorID: {
		Title: "an indicator id is repeated", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Verdicts are looked up by indicator id; of two indicators with one id, one would be lost.",
		Bad:       "indicators:\n  - {id: first, <where>, pattern: {contains: a}}\n  - {id: first, <where>, pattern: {contains: b}}\n",
		Good:      "indicators:\n  - {id: first, <where>, pattern: {contains: a}}\n  - {id: second, <where>, pattern: {contains: b}}\n",
	},
	UniquePhaseName: {
		Title: "a phase name is repeated within its actor", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Reports and logs name phases; two phases with one name cannot be distinguished.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - {name: setup, state: {tools: []}, trigger: {event: tools/call}}\n    - {name: setup}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - {name: setup, state: {tools: []}, trigger: {event: tools/call}}\n    - {name: exploit}\n",
	},
	OneMethod: {
		Title: "an indicator does not have exactly one of pattern, expression and semantic", Severity: finding.Error, Class: "non-conforming",
		Rationale: "The key selects the method. Without a key nothing is evaluated; two keys contradict each other. A pattern also has exactly one form.",
		Bad:       "indicators:\n  - <where>\n",
		Good:      "indicators:\n  - <where>\n    pattern: {contains: evil}\n",
	},
	Regex: {
		Title: "a regular expression is not valid RE2", Severity: finding.Error, Class: "non-conforming",
		Rationale: "RE2 answers in linear time on any text. It has no lookaround and no backreferences.",
		Bad:       "indicators:\n  - <where>\n    pattern: {regex: \"[unclosed\"}\n",
		Good:      "indicators:\n  - <where>\n    pattern: {regex: \"[closed]\"}\n",
	},
	CEL: {
		Title: "a CEL expression has a syntax error", Severity: finding.Error, Class: "non-conforming",
		Rationale: "An expression that does not parse can only ever give an error. Types are not checked: the shape of messages is unknown here.",
		Bad:       "indicators:\n  - <where>\n    expression: {cel: \"message.tools.exists(t, \"}\n",
		Good:      "indicators:\n  - <where>\n    expression: {cel: \"message.tools.exists(t, t.name == 'x')\"}\n",
	},
	JSONPath: {
		Title: "a JSONPath selector has a syntax error", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Selectors follow RFC 9535 and begin with $.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      extractors:\n        - {name: path, source: request, type: json_path, selector: \"$.arguments[\"}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      extractors:\n        - {name: path, source: request, type: json_path, selector: \"$.arguments.path\"}\n",
	},
	TemplateSyntax: {
		Title: "a template reference is not closed", Severity: finding.Error, Class: "non-conforming",
		Rationale: "An open {{ would be sent to the agent unchanged. Write \\{{ for a literal one.",
		Bad:       "execution:\n  mode: mcp_server\n  state: {instructions: \"Say {{request.arguments.query\"}\n",
		Good:      "execution:\n  mode: mcp_server\n  state: {instructions: \"Say {{request.arguments.query}}\"}\n",
	},
	SeverityConfidence: {
		Title: "severity.confidence is outside the range 0 to 100", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Confidence is a percentage on the STIX scale.",
		Bad:       "severity: {level: high, confidence: 101}\n",
		Good:      "severity: {level: high, confidence: 100}\n",
	},
	KnownSurface: {
		Severity: finding.Error, Class: "non-conforming",
	},
	CountNeedsEvent: {
		Title: "a trigger with count or match has no event", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Both select among events; without an event they select among nothing.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      trigger: {count: 3, after: 30s}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      trigger: {event: tools/call, count: 3, after: 30s}\n",
	},
	PlainYAML: {
		Title: "the document has an anchor, alias, merge key or custom tag", Severity: finding.Error, Class: "non-conforming",
		Rationale: "They make a small file huge, and one text mean different things to different readers.",
	},
	TargetSyntax: {
		Title: "a target is not a wildcard dot-path", Severity: finding.Error, Class: "non-conforming",
		Rationale: "A malformed target resolves to nothing, and its indicator would never match. Single elements are CEL's business.",
	},
	Threshold: {
		Title: "semantic.threshold is outside the range 0.0 to 1.0", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Scores are in that range; a threshold outside it always or never matches.",
		Bad:       "indicators:\n  - <where>\n    semantic: {intent: Imitate a system tool, threshold: 70, examples: {positive: [sudo, chmod], negative: [add, list_notes]}}\n",
		Good:      "indicators:\n  - <where>\n    semantic: {intent: Imitate a system tool, threshold: 0.7, examples: {positive: [sudo, chmod], negative: [add, list_notes]}}\n",
	},
	AttackID: {
		Title: "attack.id is not capitals, a hyphen and three digits or more", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Registries and reports refer to attacks by this id.",
		Bad:       "id: rug-pull\n",
		Good:      "id: ACME-001\n",
	},
	IndicatorID: {
		Title: "an indicator id does not extend the attack's id", Severity: finding.Error, Class: "non-conforming",
		Rationale: "An indicator that is quoted alone then still names its attack. Without attack.id any id will do.",
		Bad:       "id: ACME-003\nindicators:\n  - {id: ACME-007-01, <where>, pattern: {contains: evil}}\n",
		Good:      "id: ACME-003\nindicators:\n  - {id: ACME-003-01, <where>, pattern: {contains: evil}}\n",
	},
	IndicatorConfidence: {
		Title: "indicator.confidence is outside the range 0 to 100", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Confidence is a percentage on the STIX scale.",
		Bad:       "indicators:\n  - {<where>, confidence: -1, pattern: {contains: evil}}\n",
		Good:      "indicators:\n  - {<where>, confidence: 0, pattern: {contains: evil}}\n",
	},
	VariablePath: {
		Title: "a value of expression.variables is not a simple dot-path", Severity: finding.Error, Class: "non-conforming",
		Rationale: "A malformed path resolves to nothing, and the variable would always be null. Wildcards and indices belong into the expression.",
		Bad:       "indicators:\n  - <where>\n    expression:\n      cel: size(names) > 3\n      variables: {names: \"tools[*].name\"}\n",
		Good:      "indicators:\n  - <where>\n    expression:\n      cel: size(tools) > 3\n      variables: {tools: tools}\n",
	},
	PredicateKey: {
		Title: "a key of a match predicate is not a simple dot-path", Severity: finding.Error, Class: "non-conforming",
		Rationale: "A malformed key resolves to nothing, and the predicate would silently never hold.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      trigger:\n        event: tools/call\n        match: {\"args[*].cmd\": run}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      trigger:\n        event: tools/call\n        match: {arguments.cmd: run}\n",
	},
	ModeAndProtocol: {
		Severity: finding.Error, Class: "non-conforming",
		Bad:  "execution:\n  phases:\n    - {state: {tools: []}}\n",
		Good: "execution:\n  phases:\n    - {mode: mcp_server, state: {tools: []}}\n",
	},
	KnownEvent: {
		Severity: finding.Error, Class: "non-conforming",
		Bad:  "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, trigger: {event: tools/cal}}\n",
		Good: "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, trigger: {event: tools/call}}\n",
	},
	OneForm: {
		Title: "execution does not have exactly one of state, phases and actors, or state lacks mode", Severity: finding.Error, Class: "non-conforming",
		Rationale: "The three are ways to say the same; two of them would contradict each other.",
		Bad:       "execution:\n  mode: mcp_server\n  state: {tools: []}\n  phases:\n    - state: {tools: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n",
	},
	Actors: {
		Title: "an actor lacks a unique well-formed name, a mode or phases with unique names", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Templates refer to actors by name, and every actor must know what to do.",
		Bad:       "execution:\n  actors:\n    - {name: Evil-Server, mode: mcp_server, phases: [{state: {tools: []}}]}\n",
		Good:      "execution:\n  actors:\n    - {name: evil_server, mode: mcp_server, phases: [{state: {tools: []}}]}\n",
	},
	ActorReference: {
		Title: "a template reference names an unknown actor", Severity: finding.Error, Class: "non-conforming",
		Rationale: "The reference would be replaced by nothing.",
		Bad:       "execution:\n  mode: mcp_server\n  state: {instructions: \"Use {{recon.token}}\"}\n",
		Good:      "execution:\n  mode: mcp_server\n  state: {instructions: \"Use {{request.token}}\"}\n",
	},
	OneDefault: {
		Title: "several entries of a list of responses have no when", Severity: finding.Error, Class: "non-conforming",
		Rationale: "An entry without when is the default; of two, one is never sent.",
	},
	ModePattern: {
		Title: "a mode is not {protocol}_server or {protocol}_client, or a protocol not lower case", Severity: finding.Error, Class: "non-conforming",
		Rationale: "The protocol and the role of an actor are read off its mode.",
		Bad:       "execution: {mode: mcp, state: {tools: []}}\n",
		Good:      "execution: {mode: mcp_server, state: {tools: []}}\n",
	},
	PositiveVersion: {
		Title: "attack.version is not a positive integer", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Versions count up from 1; a higher one is newer.",
		Bad:       "version: 0\n",
		Good:      "version: 1\n",
	},
	DurationSyntax: {
		Severity: finding.Error, Class: "non-conforming",
		Rationale: "Durations are 30s, 5m, 1h, 2d or ISO 8601 such as PT1H30M.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, trigger: {after: 1h30m}}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, trigger: {after: PT1H30M}}\n",
	},
	ExtractorName: {
		Title: "an extractor name is not lower case with digits and underscores", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Templates refer to extractors by name, and a dot separates actor and extractor.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      extractors: [{name: ToolName, source: request, type: json_path, selector: $.name}]\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      extractors: [{name: tool_name, source: request, type: json_path, selector: $.name}]\n",
	},
	SomeExtractors: {
		Title: "extractors is empty", Severity: finding.Error, Class: "non-conforming",
		Rationale: "An empty list is a list that somebody forgot to fill.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, extractors: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}}\n",
	},
	VariableName: {
		Title: "a name in expression.variables is not a CEL identifier", Severity: finding.Error, Class: "non-conforming",
		Rationale: "CEL would read tool-name as tool minus name.",
		Bad:       "indicators:\n  - <where>\n    expression: {cel: \"true\", variables: {tool-name: name}}\n",
		Good:      "indicators:\n  - <where>\n    expression: {cel: \"true\", variables: {tool_name: name}}\n",
	},
	EventOrAfter: {
		Title: "a trigger has neither event nor after", Severity: finding.Error, Class: "non-conforming",
		Rationale: "A trigger without either can never fire. A terminal phase omits the trigger.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, trigger: {}}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, trigger: {after: 30s}}\n",
	},
	OneAction: {
		Title: "an entry action does not have exactly one action key", Severity: finding.Error, Class: "non-conforming",
		Rationale: "The order of two actions in one entry would be undefined.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      on_enter:\n        - delay_ms: 500\n          reset: true\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      on_enter:\n        - delay_ms: 500\n        - reset: true\n",
	},
	SelectorGroup: {
		Title: "the selector of a regex extractor has no capture group", Severity: finding.Error, Class: "non-conforming",
		Rationale: "The value of the extractor is the match of the first group. Without a group it never has a value.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      extractors: [{name: token, source: request, type: regex, selector: \"token=[a-z]+\"}]\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      extractors: [{name: token, source: request, type: regex, selector: \"token=([a-z]+)\"}]\n",
	},
	SomeActions: {
		Title: "on_enter is empty", Severity: finding.Error, Class: "non-conforming",
		Rationale: "A list of actions without actions is left over.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, on_enter: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, on_enter: [{log: {message: Begun}}]}\n",
	},
	PhaseMode: {
		Title: "a phase's mode differs from its actor's", Severity: finding.Error, Class: "non-conforming",
		Rationale: "An actor is on one side of one protocol. Another mode needs another actor.",
		Bad:       "execution:\n  actors:\n    - {name: one, mode: mcp_server, phases: [{mode: mcp_client, state: {tools: []}}]}\n",
		Good:      "execution:\n  actors:\n    - {name: one, mode: mcp_server, phases: [{mode: mcp_server, state: {tools: []}}]}\n",
	},
	UniqueImpact: {
		Title: "impact lists a kind twice", Severity: finding.Error, Class: "non-conforming",
		Rationale: "The list is a set; a repeated member is usually meant to be another one.",
		Bad:       "impact: [data_exfiltration, data_exfiltration]\n",
		Good:      "impact: [data_exfiltration, data_tampering]\n",
	},
	GracePeriod: {
		Title: "grace_period is not a duration", Severity: finding.Error, Class: "non-conforming",
		Rationale: "Durations are 30s, 5m, 1h, 2d or ISO 8601 such as PT1H30M.",
		Bad:       "grace_period: 5 minutes\n",
		Good:      "grace_period: 5m\n",
	},
	CorrelationHasIndicators: {
		Title: "correlation exists without indicators", Severity: finding.Error, Class: "non-conforming",
		Rationale: "correlation combines the verdicts of indicators, and the document has no indicators.",
		Bad:       "correlation: {logic: all}\n",
		Good:      "indicators:\n  - {<where>, pattern: {contains: evil}}\ncorrelation: {logic: all}\n",
	},
	IndicatorActor: {
		Title: "indicator.actor names an unknown actor", Severity: finding.Error, Class: "non-conforming",
		Rationale: "The indicator sees that actor's messages alone; of an actor that does not exist there are none. Where the document names no actors, its only one is default.",
		Bad:       "indicators:\n  - {actor: server, <where>, pattern: {contains: evil}}\n",
		Good:      "indicators:\n  - {actor: default, <where>, pattern: {contains: evil}}\n",
	},
	OneMode:    {Title: "the phases of an execution without mode have one mode", Severity: finding.Error, Class: "non-conforming"},
	OpenMember: {Title: "values of open enumerations are well-formed", Severity: finding.Error, Class: "non-conforming"},
	PresentMethod: {
		Title: "indicator.method names a missing detection key", Severity: finding.Error, Class: "non-conforming",
		Rationale: "The key selects how the indicator is evaluated; method must not contradict it.",
		Bad:       "indicators:\n  - {method: expression, <where>, pattern: {contains: evil}}\n",
		Good:      "indicators:\n  - {method: pattern, <where>, pattern: {contains: evil}}\n",
	},

	// The warnings.
	FirstKeyAdvice: {
		Title: "oatf is not the first key", Severity: finding.Warning,
		Rationale: "A reader should know the version before anything else.",
		Bad:       "attack:\n  execution: {mode: mcp_server, state: {tools: []}}\noatf: \"0.1\"\n",
		Good:      "oatf: \"0.1\"\nattack:\n  execution: {mode: mcp_server, state: {tools: []}}\n",
	},
	KnownMode: {
		Title: "a mode belongs to no included protocol binding", Severity: finding.Warning,
		Rationale: "It can be your own binding, or a typing error: its events and surfaces cannot be checked.",
		Bad:       "execution: {mode: mpc_server, state: {tools: []}}\n",
		Good:      "execution: {mode: mcp_server, state: {tools: []}}\n",
	},
	KnownProtocol: {
		Title: "an indicator's protocol belongs to no included binding", Severity: finding.Warning,
		Bad:  "indicators:\n  - {protocol: mpc, <where>, pattern: {contains: evil}}\n",
		Good: "indicators:\n  - {protocol: mcp, <where>, pattern: {contains: evil}}\n",
	},
	ReferenceResolves: {
		Title: "a template reference names an undeclared value", Severity: finding.Warning,
		Rationale: "It would be replaced by the empty string.",
		Bad:       "execution:\n  mode: mcp_server\n  state: {instructions: \"Say {{secret}}\"}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {instructions: \"Say {{secret}}\"}\n      extractors: [{name: secret, source: request, type: json_path, selector: $.name}]\n",
	},
	SpokenProtocol: {
		Title: "no actor speaks an indicator's protocol", Severity: finding.Warning,
		Rationale: "The attack produces no traffic of that protocol, so the indicator has nothing to look at.",
	},
	Synthesized: {
		Title: "a synthesize block is present", Severity: finding.Warning,
		Rationale: "The key is reserved for a later version of the format, which will define it. Most tools generate nothing from it.",
		Bad:       "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: t\n        responses:\n          - synthesize: {prompt: Make it up}\n",
		Good:      "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: t\n        responses:\n          - content: {content: [{type: text, text: fixed}]}\n",
	},
	SemanticIndicator: {
		Title: "an indicator is semantic", Severity: finding.Warning,
		Rationale: "The method is experimental: its result depends on the judging model, and another tool can give another result.",
		Bad:       "indicators:\n  - <where>\n    semantic: {intent: Imitate a system tool}\n",
		Good:      "indicators:\n  - <where>\n    pattern: {regex: \"(?i)system\"}\n",
	},
}
