// Package capture reads captured protocol messages for evaluation (SDK specification §4.1): JSON lines with a
// message or batch each, and other containers.
//
// The line formats, detected from the first line, are:
//
//	plain     each line is a message's payload: {"tools":[{"name":"calc"}]}
//	jsonrpc   each line is a JSON-RPC 2.0 message, or a batch of them
//	runner    each line is {"seq","timestamp","actor","phase","direction","method","content"},
//	          as runners of OATF documents write them
//
// A JSON-RPC message's payload is its params, result or error. A response gets the method of the request with its
// id. Usually the sender of a line is unknown and both sides are read; indicators select messages by kind
// (oatf.MessageKinds). In a runner's log, incoming lines come from the agent under test and are the only ones read
// by default.
//
// JSON is parsed strictly: duplicate names, unpaired surrogates, invalid UTF-8 and text after a value are errors.
// Numbers are kept as written, objects in order.
//
// A Reader makes one pass. Memory is bounded by the longest line and unanswered requests.
package capture
