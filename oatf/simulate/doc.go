// Package simulate runs an OATF document's attack without network (SDK specification §5): what its
// actors would do and answer for a list of events.
//
// A [Simulation] has the document's actors, started in the order of readiness: servers, then clients, in document
// order. Each is in one phase, which its trigger ends by events or time; the next phase runs its entry actions and
// has its stated or inherited state. An actor handles an event in this order:
//
//  1. the phase's extractors for requests capture from a request
//  2. for a request, a response is selected from the phase's state (§5.7), its templates
//     are interpolated (§5.5), and extractors for responses capture from it
//  3. for a response, the extractors capture from it
//  4. the phase's trigger counts the event (§5.8), and can end the phase
//
// An answer therefore comes from the phase in which the request arrived and can use values just
// captured. An event counts only for one phase.
//
// # The clock
//
// Time comes from events. It starts with the first event that has a time; an event without one happens at the time of
// the previous one. An event from the past happens now, with a warning. A phase ends at its deadline, before events
// at that moment; of several deadlines the earliest is first.
//
// # Observers of an event
//
// An event with an actor is observed by that actor; others by each actor whose mode has the event
// (§2.22), in the same protocol and role if known, and by actors of unknown modes.
//
// # View of a trigger
//
// An event's content is a request's params or a response's result. In MCP it also has the request's params as member
// "params", as the registry's qualifiers require (§2.25): both "name" and "params.name" are the called tool's name.
//
// # Revisions
//
// The above describes answers and triggers in revision sdk-0.1. In 2026-03 a trigger sees the plain
// params, result or event; for an answer observed by a client, the request's params are added.
// Events are plain names, and unknown ones are observed as well. An entry's content is the whole answer, and the
// state's content (tools/list, initialize, agent_card/get and similar) is also answered.
//
// Results are deterministic.
package simulate
