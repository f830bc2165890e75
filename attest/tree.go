package attest

import (
	"fmt"
	"math"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/tree"
	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// AppendTraceTree answers validate_trace_tree. params is an object with the member trace. The answer is appended to
// dst on one line:
//
//	{"valid":false,"errors":["…"],"depth":1,"agent_count":2,"agent_ids":["a","b"],
//	 "aggregate_tokens":30,"aggregate_cost_usd":0.02,"aggregate_latency_ms":900}
//
// The root has depth 0. agent_ids are unique. Sums are exact; missing values count 0. Errors are: too many levels
// (Limits.SubTraceDepth), a repeated trace_id, a parent_trace_id other than the enclosing trace's, an agent_call
// without sub_trace, and a number that cannot be added. Each trace must be valid by itself (§7), except that its
// output can have any type. The error is an *Error: 1001 for params without a valid trace, -32700 for malformed
// JSON.
func (e *Engine) AppendTraceTree(dst, params []byte) ([]byte, error) {
	if len(params) == 0 {
		params = []byte("{}")
	}
	w := e.workspaces.get()
	doc, err := w.scanner.Scan(params)
	if err != nil {
		return nil, scanError(scan.Params(err, e.opt.Limits.JSONDepth))
	}
	defer e.release(w, doc)
	reader := e.reader
	reader.AnyOutput, reader.SubTraceDepth = true, math.MaxInt
	if err := w.read(&reader, doc.Root().Last("trace")); err != nil {
		return nil, err
	}
	return e.appendTree(dst, w.subject.Tree()), nil
}

func (e *Engine) appendTree(dst []byte, t *tree.Tree) []byte {
	errors := t.Faults(e.opt.Limits.SubTraceDepth)
	totals := [3]*tree.Total{t.Total(tree.Tokens), t.Total(tree.Cost), t.Total(tree.Latency)}
	for _, total := range totals {
		if total.Problem != "" {
			errors = append(errors, total.Problem)
			total.Sum = decimal.FromInt(0)
		}
	}
	dst = fmt.Appendf(dst, `{"valid":%t`, len(errors) == 0)
	if len(errors) > 0 {
		dst = wording.AppendList(append(dst, `,"errors":`...), errors)
	}
	ids := t.TraceAgentIDs()
	dst = fmt.Appendf(dst, `,"depth":%d,"agent_count":%d,"agent_ids":`, t.Depth, len(ids))
	dst = wording.AppendList(dst, ids)
	for i, name := range []string{"aggregate_tokens", "aggregate_cost_usd", "aggregate_latency_ms"} {
		dst = fmt.Appendf(dst, `,%q:%s`, name, totals[i].Sum.Text)
	}
	return append(dst, '}')
}
