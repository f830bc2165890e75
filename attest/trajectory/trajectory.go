// Package trajectory compares the steps of two runs of an agent, and turns a good run into expectations for the
// check "calls".
//
//	c, err := trajectory.Compare(engine, before, after, trajectory.Options{})
//	if first := c.First(); first != nil { … } // where the runs part
package trajectory

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Step is a step of a trace or of one of its sub-traces.
type Step struct {
	Path string `json:"path"` // JSON pointer (RFC 6901) within the trace: /steps/2/sub_trace/steps/0
	Type string `json:"type"`
	Name string `json:"name"`

	level        int // 0 for steps of the trace, 1 for those of its sub-traces, …
	call, failed bool
	args, result strictjson.Node
	key, short   [sha256.Size]byte // of everything that is compared, and without the result
}

// run is a trace whose steps are listed.
type run struct {
	doc   *strictjson.Document
	steps []Step
}

// read validates a trace and lists its steps, each call of an agent before the steps of its sub-trace.
func read(engine *attest.Engine, text attest.TraceText, opt Options) (*run, error) {
	if err := engine.ValidateText(text); err != nil {
		return nil, err
	}
	limits := engine.Limits()
	doc, err := scan.New(limits.JSONDepth, limits.Values).Scan(text.Raw)
	if err != nil {
		return nil, err
	}
	r := &run{doc: doc}
	r.list(doc.Root(), "", 0, opt)
	return r, nil
}

func (r *run) list(n strictjson.Node, path string, level int, opt Options) {
	i := 0
	for step := range n.Last("steps").Children() {
		at := path + "/steps/" + strconv.Itoa(i)
		i++
		s := Step{Path: at, level: level, args: step.Last("args"), result: step.Last("result")}
		s.Type, _ = step.Last("type").Text()
		s.Name, _ = step.Last("name").Text()
		s.call, s.failed = trace.ToolLike(s.Type), isError(step)
		if s.call || !opt.Calls {
			s.short, s.key = s.keys(opt.Compare)
			r.steps = append(r.steps, s)
		}
		if sub := step.Last("sub_trace"); !sub.Missing() {
			r.list(sub, at+"/sub_trace", level+1, opt)
		}
	}
}

// isError reports whether a step records that it failed.
func isError(step strictjson.Node) bool {
	metadata := step.Last("metadata")
	failed, _ := metadata.Last("is_error").Bool()
	return failed || !metadata.Last("error").Missing()
}

// keys returns digests of the compared parts of a step: with the level Results the second one covers the result, too.
func (s *Step) keys(compare Compared) (short, whole [sha256.Size]byte) {
	text := fmt.Appendf(nil, "%d %q %q", s.level, s.Type, s.Name)
	if compare >= Args {
		text = appendCanonical(append(text, ' '), s.args)
	}
	short = sha256.Sum256(text)
	if compare < Results {
		return short, short
	}
	text = strconv.AppendBool(appendCanonical(append(text, ' '), s.result), s.failed)
	return short, sha256.Sum256(text)
}

// appendCanonical appends a value so that equal values have equal bytes: members sorted by name with the last of
// repeated ones, numbers by value, null for a missing value.
func appendCanonical(dst []byte, n strictjson.Node) []byte {
	switch {
	case n.Missing():
		return append(dst, "null"...)
	case n.Is(strictjson.Number):
		return decimal.AppendValue(dst, n.Raw())
	case n.Is(strictjson.String):
		return strconv.AppendQuote(dst, string(n.TextBytes(nil)))
	case n.Is(strictjson.Array):
		dst = append(dst, '[')
		for element := range n.Children() {
			dst = append(appendCanonical(dst, element), ',')
		}
		return append(dst, ']')
	case n.Is(strictjson.Object):
		members := slices.SortedStableFunc(n.Children(), func(a, b strictjson.Node) int { return cmp.Compare(a.Key(), b.Key()) })
		dst = append(dst, '{')
		for i, m := range members {
			if i+1 == len(members) || members[i+1].Key() != m.Key() {
				dst = append(strconv.AppendQuote(dst, m.Key()), ':')
				dst = append(appendCanonical(dst, m), ',')
			}
		}
		return append(dst, '}')
	}
	return append(dst, n.Raw()...)
}

// ErrNoCalls is the error of Expectations for a trace without calls.
var ErrNoCalls = errors.New("the trace has no calls")
