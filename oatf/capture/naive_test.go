package capture_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/model"
)

// naive reads a capture a second time: the whole input at once, into maps, with lists that
// are searched from end to end. It says the same as outline.
type naive struct {
	options capture.Options
	format  capture.Format
	open    []naiveRequest
	said    []string
}

type naiveRequest struct {
	id             any
	method         string
	answered       bool
	torn, tornWide bool // an answer may have been its own; or another method's
}

func readNaively(text string, options capture.Options) []string {
	n := &naive{options: options, format: options.Format}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.Trim(line, " \t\r") == "" {
			continue
		}
		n.line(i+1, line)
	}
	return n.said
}

func (n *naive) line(number int, line string) {
	if _, err := strictjson.NewScanner(strictjson.Limits{WideNumbers: true}).Scan([]byte(line)); err != nil {
		n.bad(number)
		return
	}
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		panic(err)
	}
	list, isList := v.([]any)
	switch {
	case n.format == capture.Plain:
		n.message(number, "message", "", v)
	case n.format == capture.Runner:
		n.runner(number, v)
	case isList && len(list) == 0:
		n.bad(number)
	case isList:
		for _, v := range list {
			n.envelope(number, v)
		}
	default:
		n.envelope(number, v)
	}
}

func asMap(v any) map[string]any { m, _ := v.(map[string]any); return m }

func (n *naive) bad(line int) { n.said = append(n.said, fmt.Sprintf("%d bad", line)) }

func (n *naive) message(line int, kind, direction string, v any) {
	if direction != "outgoing" || n.options.Directions == capture.BothDirections {
		text, _ := json.Marshal(v)
		n.said = append(n.said, fmt.Sprintf("%d %s %s%s", line, kind, direction, text))
	}
}

func naiveDirection(v any) string {
	text, _ := v.(string)
	if text = strings.ToLower(text); text == "incoming" || text == "outgoing" {
		return text
	}
	return ""
}

func (n *naive) runner(line int, v any) {
	m := asMap(v)
	method, isText := m["method"].(string)
	content, hasContent := m["content"]
	direction := naiveDirection(m["direction"])
	if !isText || !hasContent || direction == "" || !naiveCircumstances(m) {
		n.bad(line)
		return
	}
	if content == nil {
		content = map[string]any{}
	}
	kind := method
	role := string(oatf.RoleOf("", method, true))
	if e := asMap(content); e["jsonrpc"] == "2.0" {
		role, content = naiveContent(e, role)
	}
	if role != "" {
		kind = naiveKind(kind, role)
	} else if kind == "" {
		kind = "message"
	}
	n.message(line, kind, direction, content)
}

// naiveCircumstances reports whether the other members of a runner's line have the right types.
func naiveCircumstances(m map[string]any) bool {
	for _, name := range []string{"actor", "phase"} {
		if _, isText := m[name].(string); m[name] != nil && !isText {
			return false
		}
	}
	if seq := m["seq"]; seq != nil {
		number, _ := seq.(json.Number)
		if _, err := number.Int64(); err != nil {
			return false
		}
	}
	if at := m["timestamp"]; at != nil {
		text, _ := at.(string)
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return false
		}
	}
	return true
}

// naiveContent returns the content of a runner's line that is perhaps an envelope, and its role.
func naiveContent(e map[string]any, role string) (string, any) {
	hasMethod, hasResult, hasFailure, sound := naiveBodies(e)
	for name := range e {
		sound = sound && slices.Contains([]string{"jsonrpc", "id", "method", "params", "result", "error"}, name)
	}
	_, isText := e["method"].(string)
	_, hasID := e["id"]
	switch {
	case !sound || hasMethod && !isText:
		return role, e
	case hasMethod && hasID:
		return "request", paramsOf(e)
	case hasMethod:
		return "notification", paramsOf(e)
	case hasFailure:
		return "response", e["error"]
	case hasResult:
		return "response", e["result"]
	}
	return role, e
}

// naiveBodies reports which of the exclusive members a message has. A null is missing if another of them exists.
func naiveBodies(m map[string]any) (hasMethod, hasResult, hasFailure, sound bool) {
	_, hasMethod = m["method"]
	result, hasResult := m["result"]
	failure, hasFailure := m["error"]
	if hasResult && hasFailure {
		if failure == nil {
			hasFailure = false
		} else if result == nil {
			hasResult = false
		}
	}
	count := 0
	for _, has := range []bool{hasMethod, hasResult, hasFailure} {
		if has {
			count++
		}
	}
	return hasMethod, hasResult, hasFailure, count == 1
}

func (n *naive) envelope(line int, v any) {
	m := asMap(v)
	hasMethod, _, hasFailure, sound := naiveBodies(m)
	version, hasVersion := m["jsonrpc"]
	method, isText := m["method"].(string)
	id, hasID := m["id"]
	switch id.(type) {
	case string, json.Number, nil:
	default:
		sound = false
	}
	if hasVersion && version != "2.0" || !hasVersion && n.options.Format != capture.JSONRPC || hasMethod && !isText || !hasMethod && !hasID || !sound {
		n.bad(line)
		return
	}
	switch {
	case hasMethod && !hasID:
		n.message(line, naiveKind(method, "notification"), "", paramsOf(m))
	case hasMethod:
		n.request(id, method)
		n.message(line, naiveKind(method, "request"), "", paramsOf(m))
	default:
		kind := naiveKind(n.answer(id, m["result"], hasFailure), "response")
		content := m["result"]
		if hasFailure {
			content = m["error"]
		}
		n.message(line, kind, "", content)
	}
}

// naiveKind returns a method, spelled as it is, and a role; the role alone of a message without one.
func naiveKind(method, role string) string {
	if method == "" {
		return role
	}
	return method + " " + role
}

func paramsOf(m map[string]any) any {
	if v, ok := m["params"]; ok {
		return v
	}
	return map[string]any{}
}

func (n *naive) request(id any, method string) {
	if id == nil {
		return
	}
	first, count := -1, 0
	for i, q := range n.open {
		if sameID(q.id, id) {
			if count++; first < 0 {
				first = i
			}
		}
	}
	if count == 8 {
		n.open = append(n.open[:first], n.open[first+1:]...)
	}
	n.open = append(n.open, naiveRequest{id: id, method: method})
}

// naiveSender returns the side that asks by a method.
func naiveSender(method string) string { return string(protocol.Sender(method, false)) }

// answer returns the method of the request that is answered; "" when that is not known.
func (n *naive) answer(id any, result any, failed bool) string {
	var candidates []int
	best := 0
	for i, q := range n.open {
		if !sameID(q.id, id) {
			continue
		}
		fit := 0
		if !failed {
			fit = protocol.Fit(q.method, ordered(result))
		}
		if fit > best {
			candidates, best = nil, fit
		}
		if fit == best {
			candidates = append(candidates, i)
		}
	}
	if len(candidates) == 0 {
		if names := protocol.Answers(ordered(result), ""); len(names) == 1 && !failed {
			return names[0]
		}
		return ""
	}
	found := candidates[len(candidates)-1]
	q := n.open[found]
	if !q.torn && !q.answered {
		var same []int
		wide := false
		for _, i := range candidates {
			if other := n.open[i]; naiveSender(other.method) == naiveSender(q.method) && !other.answered {
				same = append(same, i)
				wide = wide || other.method != q.method
			}
		}
		for _, i := range same {
			n.open[i].torn, n.open[i].tornWide = len(same) > 1, len(same) > 1 && wide
		}
		q = n.open[found]
	}
	n.open[found].answered = true
	if q.method != "message/stream" {
		n.open = append(n.open[:found], n.open[found+1:]...)
	}
	if q.tornWide {
		return ""
	}
	return q.method
}

// ordered returns a value as the reader has it.
func ordered(v any) model.Value {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	value, _ := capture.Decode(text, capture.Limits{})
	return value
}

func sameID(a, b any) bool {
	x, isNumber := a.(json.Number)
	y, other := b.(json.Number)
	if !isNumber || !other {
		return a == b
	}
	p, _ := new(big.Rat).SetString(string(x))
	q, _ := new(big.Rat).SetString(string(y))
	return p.Cmp(q) == 0
}

// outline is what a reader says of its input in the words of the naive one.
func outline(r *capture.Reader) (said []string) {
	for {
		m, err := r.Next()
		bad, isBad := errors.AsType[*capture.LineError](err)
		switch {
		case isBad:
			said = append(said, fmt.Sprintf("%d bad", bad.Line))
		case err != nil:
			return said
		default:
			kind := m.Kind
			if m.Method != "" {
				kind.Method = m.Method
			}
			text, _ := json.Marshal(plainly(m.Value))
			said = append(said, fmt.Sprintf("%d %s %s%s", m.Line, kind, m.Direction, text))
		}
	}
}

// plainly returns a value as encoding/json knows it.
func plainly(v model.Value) any {
	switch v := v.(type) {
	case model.Number:
		return json.Number(v)
	case []model.Value:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = plainly(e)
		}
		return list
	case model.Object:
		object := map[string]any{}
		for _, m := range v {
			object[m.Key] = plainly(m.Value)
		}
		return object
	}
	return v
}
