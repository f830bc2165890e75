package lint

import "github.com/cupel-dev/cupel/finding"

// handle names a lint rule: its place in table. It is spelled like the rule's id.
type handle uint8

const (
	l101 handle = iota
	l102
	l103
	l104
	l105
	l106
	l107
	l108

	l201
	l202
	l203
	l204
	l205

	l301
	l302
	l303

	l401
	l402
	l403
	l404
	l405

	l501
	l502
	l503
	l504
	l505
	l506
	l507
	l508
	l509
	l510
	l511
	l512
	l513
)

// schema is what the rules of the last group rest on.
const schema = "OATF format v0.1, JSON Schema"

// table is the lint rules. An example stands inside `attack:`.
var table = finding.Table{
	// Indicators that match nothing, or the wrong thing.
	l101: {
		ID: "L-101", Title: "a condition on text looks at a target that holds objects or lists", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "The default target of most surfaces is an object, and string operators never match one: nothing is turned into text for them. Give the pattern a deeper target.",
		Bad:       "indicators:\n  - surface: tool_arguments\n    pattern: {regex: id_rsa}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.path, condition: {regex: id_rsa}}\n",
	},
	l102: {
		ID: "L-102", Title: "a condition on numbers or objects looks at a target that holds text", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "Types are never converted: no text is greater than a number or equal to one.",
		Bad:       "execution: {mode: a2a_client, state: {}}\nindicators:\n  - surface: task_status\n    pattern: {gt: 3}\n",
		Good:      "execution: {mode: a2a_client, state: {}}\nindicators:\n  - surface: task_status\n    pattern: {contains: failed}\n",
	},
	l103: {
		ID: "L-103", Title: "a pattern with exists: false never matches", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "A pattern is evaluated on the values that its target resolves to; where there is none it does not match. Absence is CEL's business: !has(message.field).",
		Bad:       "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.confirm, condition: {exists: false}}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    expression: {cel: \"!has(message.arguments.confirm)\"}\n",
	},
	l104: {
		ID: "L-104", Title: "the operators of a condition exclude each other", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "All operators of a condition must hold for the same value; these never do.",
		Bad:       "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.count, condition: {gt: 5, lt: 3}}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.count, condition: {gt: 3, lt: 5}}\n",
	},
	l105: {
		ID: "L-105", Title: "an indicator only sees what the attacker itself sends", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "An indicator shall tell whether the agent complied. On a surface that only the document's own actors fill it finds the payload, whatever the agent made of it.",
		Bad:       "indicators:\n  - surface: tool_description\n    pattern: {contains: id_rsa}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.path, condition: {contains: id_rsa}}\n",
	},
	l106: {
		ID: "L-106", Title: "the surface's default target does not lie in the message itself", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "Indicators see the params or the result of a message, without its envelope. The registry's default target for a few surfaces names the envelope's member, and tools that take it at its word find nothing.",
		Bad:       "execution: {mode: mcp_client, state: {}}\nindicators:\n  - surface: sampling_request\n    pattern: {condition: {exists: true}}\n",
		Good:      "execution: {mode: mcp_client, state: {}}\nindicators:\n  - surface: sampling_request\n    pattern: {target: systemPrompt, condition: {exists: true}}\n",
	},
	l107: {
		ID: "L-107", Title: "a semantic indicator has fewer than two positive and two negative examples", Severity: finding.Warning,
		Clause: "OATF SDK specification 0.1, §2.16", Flags: "--strict",
		Rationale: "Engines differ; the examples are what they are calibrated with, and one of each side gives no idea of the boundary.",
		Bad:       "indicators:\n  - surface: tool_arguments\n    semantic: {intent: Read private keys, examples: {positive: [cat ~/.ssh/id_rsa]}}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    semantic:\n      intent: Read private keys\n      examples: {positive: [cat ~/.ssh/id_rsa, less server.pem], negative: [cat README, ls ~/.ssh]}\n",
	},
	l108: {
		ID: "L-108", Title: "an indicator's id is the one that another indicator will be given", Severity: finding.Warning,
		Clause:    "OATF SDK specification 0.1, §3.3 (N-003)",
		Rationale: "An indicator without id gets one from its position. When another has that id already, their verdicts cannot be told apart after normalization.",
		Bad:       "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.a, contains: x}}\n  - {id: indicator-01, surface: tool_arguments, pattern: {target: arguments.a, contains: y}}\n",
		Good:      "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.a, condition: {contains: x}}}\n  - {id: indicator-02, surface: tool_arguments, pattern: {target: arguments.a, condition: {contains: y}}}\n",
	},

	// Phases and their triggers.
	l201: {
		ID: "L-201", Title: "a trigger can never fire", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "Its qualifier or its predicate excludes every event, and no time ends the phase.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: \"tools/list:calculator\"}\n    - name: switch\n      state: {tools: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: \"tools/call:calculator\"}\n    - name: switch\n      state: {tools: []}\n",
	},
	l202: {
		ID: "L-202", Title: "a trigger waits for a tool or prompt that the phase does not offer", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "An agent calls what the server lists. A name that is not in the state is most likely a slip.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: \"tools/call:calc\"}\n    - name: switch\n      state: {tools: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: \"tools/call:calculator\"}\n    - name: switch\n      state: {tools: []}\n",
	},
	l203: {
		ID: "L-203", Title: "a trigger fires at once", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "A phase that ends after zero time is over before the agent can see it.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {after: 0s}\n    - name: switch\n      state: {tools: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {after: 5s}\n    - name: switch\n      state: {tools: []}\n",
	},
	l204: {
		ID: "L-204", Title: "a phase is never reached", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "A phase before it has a trigger that can never fire.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: tools/call, match: {arguments.n: {gt: 9, lt: 1}}}\n    - name: switch\n      state: {tools: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: tools/call, match: {arguments.n: {gt: 1, lt: 9}}}\n    - name: switch\n      state: {tools: []}\n",
	},

	l205: {
		ID: "L-205", Title: "a phase's name is the one that another phase will be given", Severity: finding.Warning,
		Clause:    "OATF SDK specification 0.1, §3.3 (N-001)",
		Rationale: "A phase without name gets one from its position. When another phase of the actor has that name already, the normalized document breaks V-011.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      trigger: {event: tools/call}\n    - name: phase-1\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      trigger: {event: tools/call}\n    - name: phase-2\n",
	},

	// Templates and extractors.
	l301: {
		ID: "L-301", Title: "an extractor is never used", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "Extractors feed templates. One that no template refers to is left over, or its reference is mistyped.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      extractors: [{name: path, source: request, type: json_path, selector: $.arguments.path}]\n      trigger: {event: tools/call}\n    - state: {instructions: \"Done\"}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      extractors: [{name: path, source: request, type: json_path, selector: $.arguments.path}]\n      trigger: {event: tools/call}\n    - state: {instructions: \"Done: {{path}}\"}\n",
	},
	l302: {
		ID: "L-302", Title: "a reference stands before the phase that captures its value", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "A value exists from the phase that captures it. Before that the reference is replaced by nothing.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {instructions: \"Now {{path}}\"}\n      trigger: {event: tools/call}\n    - extractors: [{name: path, source: request, type: json_path, selector: $.arguments.path}]\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {instructions: \"Now\"}\n      extractors: [{name: path, source: request, type: json_path, selector: $.arguments.path}]\n      trigger: {event: tools/call}\n    - state: {instructions: \"Now {{path}}\"}\n",
	},
	l303: {
		ID: "L-303", Title: "a phase declares two extractors of one name", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "The last one that captures something wins, which depends on the messages.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {instructions: \"{{path}}\"}\n      extractors:\n        - {name: path, source: request, type: json_path, selector: $.arguments.path}\n        - {name: path, source: request, type: json_path, selector: $.arguments.file}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {instructions: \"{{path}} {{file}}\"}\n      extractors:\n        - {name: path, source: request, type: json_path, selector: $.arguments.path}\n        - {name: file, source: request, type: json_path, selector: $.arguments.file}\n",
	},

	// Responses.
	l401: {
		ID: "L-401", Title: "a response is never chosen: an earlier one takes every request", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "The first entry whose when holds answers. This one's when holds only where that of an earlier entry holds too.",
		Bad:       "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: read\n        responses:\n          - {when: {arguments.path: /etc}, content: []}\n          - {when: {arguments.path: /etc, arguments.all: true}, content: []}\n          - content: []\n",
		Good:      "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: read\n        responses:\n          - {when: {arguments.path: /etc, arguments.all: true}, content: []}\n          - {when: {arguments.path: /etc}, content: []}\n          - content: []\n",
	},
	l402: {
		ID: "L-402", Title: "the default response is not the last one", Severity: finding.Warning,
		Clause: "OATF format v0.1, §11.1.15", Flags: "--strict",
		Rationale: "The entry without when answers when no other does, wherever it stands. Tools that read the list from the top choose it too early, and so do people.",
		Bad:       "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: read\n        responses:\n          - content: []\n          - {when: {arguments.path: /etc}, content: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: read\n        responses:\n          - {when: {arguments.path: /etc}, content: []}\n          - content: []\n",
	},
	l403: {
		ID: "L-403", Title: "a when can never hold", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "The condition contradicts itself, so the entry never answers.",
		Bad:       "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: read\n        responses:\n          - {when: {arguments.n: {gt: 5, lt: 3}}, content: []}\n          - content: []\n",
		Good:      "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: read\n        responses:\n          - {when: {arguments.n: {gt: 3, lt: 5}}, content: []}\n          - content: []\n",
	},
	l404: {
		ID: "L-404", Title: "elicitations and task_message break a rule of the other responses", Severity: finding.Warning,
		Clause: "cupel", Flags: "--strict",
		Rationale: "The conformance rules about fixed content and synthesize, and about the paths of when, do not name these two places. What breaks them there goes wrong all the same.",
		Bad:       "execution:\n  mode: mcp_server\n  state:\n    elicitations:\n      - {when: {\"arguments[0]\": x}, message: Sure?}\n",
		Good:      "execution:\n  mode: mcp_server\n  state:\n    elicitations:\n      - {when: {arguments.name: x}, message: Sure?}\n",
	},

	l405: {
		ID: "L-405", Title: "a response has a key that the protocol binding does not", Severity: finding.Warning,
		Clause: "OATF format v0.1, protocol bindings", Flags: "--strict",
		Rationale: "State is free-form, so a mistyped key is no error: it is ignored. An entry whose predicate stands under match instead of when answers every request. Keys of your own begin with x-.",
		Bad:       "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: read\n        responses:\n          - {match: {arguments.path: /etc}, content: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: read\n        responses:\n          - {when: {arguments.path: /etc}, content: []}\n",
	},

	// What the JSON Schema of the format forbids and no conformance rule mentions, and
	// two matters of wording.
	l501: {
		ID: "L-501", Title: "a date is not a date", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "created and modified are ISO 8601: a bare date, or a date-time with zone. Other text cannot be sorted or compared.",
		Bad:       "created: 2026-02-30\n",
		Good:      "created: 2026-02-28\n",
	},
	l502: {
		ID: "L-502", Title: "a kind of impact is listed twice", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "The list is a set; a repeated member is usually meant to be another one.",
		Bad:       "impact: [data_exfiltration, data_exfiltration]\n",
		Good:      "impact: [data_exfiltration, data_tampering]\n",
	},
	l503: {
		ID: "L-503", Title: "correlation stands without indicators", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "It says how indicator verdicts combine, and there are none.",
		Bad:       "correlation: {logic: all}\n",
		Good:      "indicators:\n  - {surface: roots_response, pattern: {target: \"roots[*].uri\", condition: {contains: home}}}\ncorrelation: {logic: all}\n",
	},
	l504: {
		ID: "L-504", Title: "execution.mode stands beside actors", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "Each actor has a mode of its own; another one beside them says nothing, or contradicts them.",
		Bad:       "execution:\n  mode: mcp_server\n  actors:\n    - {name: one, mode: mcp_server, phases: [{state: {tools: []}}]}\n",
		Good:      "execution:\n  actors:\n    - {name: one, mode: mcp_server, phases: [{state: {tools: []}}]}\n",
	},
	l505: {
		ID: "L-505", Title: "a reference or a mapping names nothing", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "A framework is named, and a URL is one that can be opened: with its scheme.",
		Bad:       "references: [{url: example.com/paper}]\n",
		Good:      "references: [{url: \"https://example.com/paper\"}]\n",
	},
	l506: {
		ID: "L-506", Title: "on_enter is empty", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "A list of actions without actions is left over.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, on_enter: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, on_enter: [{log: {message: Begun}}]}\n",
	},
	l507: {
		ID: "L-507", Title: "trigger.count is less than 1", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "The phase would end before anything happened, or never: tools disagree.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: tools/call, count: 0}\n    - name: switch\n      state: {tools: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: tools/call, count: 1}\n    - name: switch\n      state: {tools: []}\n",
	},
	l508: {
		ID: "L-508", Title: "an event is misspelled", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "Events are letters, digits, underscores and slashes, begin with a lower-case letter, and may have one qualifier after a colon.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: \"tools/call:calcul@tor\", after: 5s}\n    - name: switch\n      state: {tools: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      trigger: {event: \"tools/call:calculator\", after: 5s}\n    - name: switch\n      state: {tools: []}\n",
	},
	l509: {
		ID: "L-509", Title: "a pattern mixes its two forms", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "The shorthand is one operator and nothing else; with a target or several operators write condition. Strict readers refuse the mixture.",
		Bad:       "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, contains: id_rsa}}\n",
		Good:      "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, condition: {contains: id_rsa}}}\n",
	},
	l510: {
		ID: "L-510", Title: "any_of is empty", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "Nothing is a member of an empty list, so the condition never holds.",
		Bad:       "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, condition: {any_of: []}}}\n",
		Good:      "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, condition: {any_of: [/etc/passwd]}}}\n",
	},
	l511: {
		ID: "L-511", Title: "a list of examples is empty", Severity: finding.Warning,
		Clause: schema, Flags: "--strict",
		Rationale: "Examples calibrate engines; an empty list, or none at all under the key, is left over.",
		Bad:       "indicators:\n  - {surface: tool_arguments, semantic: {intent: Read keys, examples: {positive: [cat a, cat b], negative: []}}}\n",
		Good:      "indicators:\n  - {surface: tool_arguments, semantic: {intent: Read keys, examples: {positive: [cat a, cat b], negative: [ls, pwd]}}}\n",
	},
	l512: {
		ID: "L-512", Title: "the attack's name is longer than 80 characters", Severity: finding.Warning,
		Clause: "OATF format v0.1, §4.2", Flags: "--strict",
		Rationale: "Names stand in lists and reports; the rest belongs into the description.",
		Bad:       "name: An attack whose name goes on and on until no list and no report has room for all the words of it\n",
		Good:      "name: An attack with a name\n",
	},
	l513: {
		ID: "L-513", Title: "a tag is not lower-case and hyphenated", Severity: finding.Warning,
		Clause: "OATF SDK specification 0.1, §2.5", Flags: "--strict",
		Rationale: "Tags are searched for literally; one spelling finds them all.",
		Bad:       "classification: {tags: [Rug Pull]}\n",
		Good:      "classification: {tags: [rug-pull]}\n",
	},
}
