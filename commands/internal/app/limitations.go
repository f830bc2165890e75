package app

// NotProved says for each command what none of its answers proves: pages have it on top, with
// what the answers say of their own inputs. The commands that are not here say all of it for
// each input.
var NotProved = map[string][]string{
	"check": {
		"that nothing else in the folder is a record: what is passed over was told by its name and its beginning",
		"that a record which is gone was ever there: only its run or a manifest can miss it",
		"that an attack in a document works, or that what a trace tells has happened: neither is run again",
	},
	"evidence hash": {
		"who made an event, and when: a hash is that of the content, whoever wrote it",
		"that a recorded hash is older than a change: who changes an event can record another hash",
		"what stands beside the content: source, time, run id and producer are in no hash",
	},
	"evidence lint": {
		"that an event is true: its form is checked, and not what happened",
		"that nothing private is left: what is searched for are known forms of secrets, paths and names",
	},
	"evidence digest policy":   digestNotProved,
	"evidence digest tool":     digestNotProved,
	"evidence digest semantic": digestNotProved,
	"evidence digest json":     {"who wrote the document"},
	"evidence seal":            {"who sealed the bundle: it has no signature of its own, cupel evidence attest makes one", eventsNotProved},
	"evidence unseal":          {"who sealed the bundle, unless its attestation was checked", eventsNotProved},
	"oatf lint": {
		"that the attack works, or that an agent withstands it: the document alone is checked",
		"that expressions and patterns match what they are meant to: cupel oatf try shows what one matches",
	},
	"oatf eval": {
		"that the agent is safe: the verdict is on these messages, and another run may differ",
		"that the capture is whole and true: what was not recorded was not looked at",
		"what no indicator of the documents looks for",
	},
	"oatf view": {
		"that the attack works: nothing is sent, and no agent is asked; cupel oatf simulate runs it dry, cupel oatf eval judges what an agent did",
		"that everything shown can happen: cupel oatf lint --strict looks for what cannot",
	},
	"oatf conformance": {"what no fixture of the suite asks"},
	"attest eval": {
		"that the agent does it again: these traces alone were looked at",
		"what no assertion asks",
		"that the traces are true: they say what their recorder wrote",
	},
	"attest validate": {"that a trace is true, or the agent did well: the form alone is checked"},
	"selftest":        {"what no built-in case asks"},
	"report merge":    {"more than the joined reports do: the inputs were not read again"},
}

var digestNotProved = []string{
	"that two policies or tools with one digest behave alike: a digest is that of what they declare",
	"who wrote what was digested",
}

const eventsNotProved = "that its events are true, and all that happened"
