// Package capture reads captured protocol messages for evaluation (SDK specification
// §4.1): lines of JSON, one message or one batch each, that an agent and its tools
// exchanged.
//
// Three formats are read, and told apart by the first line of an input that is JSON. A line
// of another format behind it is an error, so that no message is taken for what it is not:
//
//	plain     each line is a message's payload: {"tools":[{"name":"calc"}]}
//	jsonrpc   each line is a JSON-RPC 2.0 message, or a batch of them
//	runner    each line is {"seq","timestamp","actor","phase","direction","method","content"},
//	          as runners of such documents write them
//
// Of a JSON-RPC message the payload is its params, result or error. A response gets the
// method of its request, which is found by its id. Such a log tells in general not which
// side sent a line, so that the messages of both sides are read; what an indicator sees of
// them is a matter of their kind (MessageKinds of package oatf). A runner's log tells it
// by the direction: incoming lines come from the agent under test, and they alone are
// read unless Options say otherwise.
//
// JSON is read strictly: a duplicate member name, half a surrogate pair, bytes that are
// not UTF-8 and text behind a value are errors of a line, never a guess. Numbers keep
// their spelling, objects the order of their members.
//
// A Reader goes through its inputs once, in memory for the longest line and for the
// requests that wait for an answer, both of which are limited.
package capture
