// Package simulate runs the attack of an OATF document dry (SDK specification §5): what its
// actors would do and answer if an agent sent a list of events. Nothing is sent anywhere.
//
// A [Simulation] has the actors of the document. They begin in the order of readiness: all
// servers, then all clients, each in the document's order. Each is in one phase, whose
// trigger ends it, by events or by time; the next one runs its entry actions, and has the
// state that it states or inherits. Of an event that an actor observes, in this order:
//
//  1. the extractors of the phase take what they are for from the request
//  2. when it is a request, a response is chosen from the state of the phase (§5.7), its
//     templates are interpolated (§5.5), and extractors for responses take from it
//  3. when it is a response, the extractors take from it
//  4. the trigger of the phase counts the event (§5.8), and may end the phase
//
// so that the answer to a request comes from the phase in which it arrived, and may show
// what was just extracted from it. An event belongs to one phase only: the next phase does not
// count the event that ended the one before.
//
// # The clock
//
// Time is what the events say. It begins with the first event that has a time; an event
// without one happens at the time of the event before it. An event from the past happens now,
// and a step says so. A phase whose time is over ends at its own deadline, before the events
// at that moment, so that none of them counts for it; when several are over, the earliest
// ends first.
//
// # Who observes an event
//
// An event that names an actor is observed by that one. Any other is observed by each actor
// whose mode has such an event (§2.22), in the same protocol and role as far as the event
// tells them, and by each actor of a mode that the registry does not know.
//
// # What a trigger sees
//
// The content of an event is the params of a request or the result of a response. In MCP it
// has, besides its members, the params of the request as its member "params", as the
// qualifiers of the registry are found there (§2.25): both "name" and "params.name" are
// the name of the tool that is called.
//
// # Revisions
//
// What is said above of answers and of what a trigger sees is that of the revision sdk-0.1. In
// 2026-03 a trigger sees the bare params, result or event; of an answer that a client observes,
// the params of its request stand beside the result. Events are plain names, and those that no mode
// has are observed, too. What an entry's content has is the whole answer, and what the state shows
// (tools/list, initialize, agent_card/get and the like) is answered as well.
//
// The same document and the same events always give the same steps.
package simulate
