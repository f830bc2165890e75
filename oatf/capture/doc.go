// Package capture reads captured protocol messages for evaluation (SDK specification §4.1): JSON
// lines with a message or batch each.
//
// It detects one of three formats from the first JSON line; lines of another format are errors:
//
//	plain     each line is a message's payload: {"tools":[{"name":"calc"}]}
//	jsonrpc   each line is a JSON-RPC 2.0 message, or a batch of them
//	runner    each line is {"seq","timestamp","actor","phase","direction","method","content"},
//	          as runners of such documents write them
//
// A JSON-RPC message's payload is its params, result or error. A response gets the method of the
// request with its id. Usually the sender of a line is unknown and both sides are read; indicators
// select messages by kind (MessageKinds of package oatf). In a runner's log, incoming lines come
// from the agent under test and are the only ones read by default.
//
// JSON is parsed strictly: duplicate names, unpaired surrogates, invalid UTF-8 and text after a
// value are errors. Numbers keep their spelling, objects their order.
//
// A Reader makes one pass, with bounded memory for the longest line and for unanswered requests.
package capture
