package importer

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// joinIDs matches requested calls with tool spans by id. If ids repeat in every turn, they are matched in order.
func (w *assembler) joinIDs(levels []level) {
	open := map[string][]*askedCall{}
	for _, l := range levels {
		for _, s := range l.below {
			if s.kind != answering {
				continue
			}
			for _, c := range s.says.calls {
				if id, ok := c.id.Text(); ok && id != "" {
					open[id] = append(open[id], c)
				}
			}
		}
	}
	for _, l := range levels {
		for _, s := range l.below {
			if s.kind != calling {
				continue
			}
			w.takeParent(s)
			id, ok := s.says.callID.Text()
			if list := open[id]; ok && id != "" && len(list) > 0 {
				open[id] = list[1:]
				claim(list[0], s)
			}
		}
	}
}

func claim(c *askedCall, s *span) { c.by, s.by = s, c }

// takeParent reads a call from its parent span: LangChain's tool node has the whole call, its tool span only a text
// argument.
func (w *assembler) takeParent(s *span) {
	if s.up == nil || s.up.says == nil || s.up.kind != wrapper {
		return
	}
	calls := s.up.says.in.calls()
	name := toolName(s)
	for _, c := range calls {
		if c.name.TextIs(name) && (len(calls) == 1 || sameText(c.id, s.says.callID)) {
			s.says.callID = firstNode(s.says.callID, c.id)
			if args := w.parsed(c.args); !s.says.args.Is(strictjson.Object) && args.Is(strictjson.Object) {
				s.says.args = args
			}
		}
	}
}

// joinTurns matches the remaining calls of each answer with the spans before the next answer: by name and
// arguments, then by name in order.
func (w *assembler) joinTurns(l level) {
	var calls []*askedCall
	var spans []*span
	byID := false // a call of the turn was joined by its id
	end := func() {
		for _, equal := range []func(*askedCall, *span) bool{w.sameCall, namesCall} {
			for _, s := range spans {
				if s.by != nil {
					continue
				}
				for _, c := range calls {
					if c.by == nil && (missingID(c.id) || missingID(s.says.callID) || !byID) && equal(c, s) {
						claim(c, s)
						break
					}
				}
			}
		}
		calls, spans, byID = nil, nil, false
	}
	for _, s := range l.below {
		switch s.kind {
		case answering:
			end()
			calls = s.says.calls
			for _, c := range calls {
				byID = byID || c.by != nil
			}
		case calling:
			spans = append(spans, s)
		}
	}
	end()
}

func missingID(n strictjson.Node) bool { return n.Missing() || n.TextIs("") }

func namesCall(c *askedCall, s *span) bool {
	return !c.name.Missing() && c.name.TextIs(toolName(s))
}

func (w *assembler) sameCall(c *askedCall, s *span) bool {
	return namesCall(c, s) && w.sameArgs(c.args, s.says.args)
}

// sameArgs reports whether two arguments are equal as JSON.
func (w *assembler) sameArgs(a, b strictjson.Node) bool {
	a, b = w.parsed(a), w.parsed(b)
	if bytes.Equal(a.Raw(), b.Raw()) {
		return true
	}
	return len(a.Raw()) == 0 || len(b.Raw()) == 0 || reflect.DeepEqual(plainValue(a), plainValue(b))
}

func plainValue(n strictjson.Node) any { return plainText(n.Raw()) }

// plainText decodes a text that is JSON, or returns the text itself.
func plainText(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(text)
	}
	return v
}

// recall completes earlier answers with calls and results from the message history of later ones.
func (w *assembler) recall(l level, levels []level) {
	var models []*span
	for _, s := range l.below {
		if s.kind == answering {
			models = append(models, s)
		}
	}
	for i, s := range models {
		if i > 0 {
			w.recallCalls(models[:i], s, l)
		} else {
			w.recallFirst(s, l, levels)
		}
		var later speech
		if i+1 < len(models) {
			later = models[i+1].says.in
		} else if l.of != nil && l.of.says != nil {
			later = l.of.says.out
		}
		recallResults(s.says.calls, later.results())
	}
	for _, s := range l.below { // if ids are unambiguous, any level's history
		if s.kind != calling || s.by != nil && !s.by.result.result.Missing() || !s.says.result.Missing() {
			continue
		}
		for _, later := range models {
			for _, r := range later.says.in.results() {
				if sameText(r.id, s.says.callID) && s.says.result.Missing() && later.from >= s.from {
					s.says.result, s.says.failed = r.result, firstNode(s.says.failed, r.failed)
				}
			}
		}
	}
}

// recallResults adds results from the history of the next answer: the last one with the call's id or, without ids,
// the first unused one with its name.
func recallResults(calls []*askedCall, told []resultPart) {
	used := map[int]bool{}
	for _, c := range calls {
		if !c.result.result.Missing() {
			continue
		}
		best := -1
		for i, r := range told {
			switch {
			case sameText(r.id, c.id):
				best = i
			case best < 0 && !used[i] && missingID(c.id) && missingID(r.id) && sameText(r.name, c.name):
				best = i
			}
		}
		if best >= 0 {
			used[best] = true
			c.result = told[best]
		}
	}
}

// recallCalls searches the history of an answer for calls that no earlier answer requested.
func (w *assembler) recallCalls(before []*span, s *span, l level) {
	var base *span // whose messages those of s extend
	for i := len(before) - 1; i >= 0; i-- {
		if extends(s.says.in.list, before[i].says.in.list) {
			base = before[i]
			break
		}
	}
	if base == nil {
		return
	}
	known := base.says.in.calls()
	for _, m := range before {
		if m.from >= base.from {
			known = m.says.asked(known)
		}
	}
	last := before[len(before)-1]
	answeredBefore := last.says.answered()
	for _, c := range s.says.in.calls() {
		if w.strike(&known, c) || w.ranAs(c, l) {
			continue
		}
		if answeredBefore {
			w.loseAnswer(s)
		}
		last.says.calls = append(last.says.calls, &askedCall{callPart: c})
	}
	if !answeredBefore {
		for _, one := range s.says.in.list[len(base.says.in.list):] {
			if one.role == "assistant" && len(last.says.said) == 0 {
				last.says.said = one.text
			}
		}
	}
}

// strike removes a call from a list, by id or else by name and arguments.
func (w *assembler) strike(known *[]callPart, c callPart) bool {
	i := slices.IndexFunc(*known, func(k callPart) bool { return sameText(k.id, c.id) })
	if i < 0 {
		i = slices.IndexFunc(*known, func(k callPart) bool { return sameText(k.name, c.name) && w.sameArgs(k.args, c.args) })
	}
	if i < 0 {
		return false
	}
	*known = slices.Delete(*known, i, i+1)
	return true
}

// asked appends the calls that an answer requests.
func (t *spanContent) asked(list []callPart) []callPart {
	for _, c := range t.calls {
		list = append(list, c.callPart)
	}
	return list
}

// recallFirst checks the history of the first answer since the last user message. Calls there belong to this run,
// but the answer that requested them is not recorded.
func (w *assembler) recallFirst(s *span, l level, levels []level) {
	list := s.says.in.list
	since := 0
	for i, one := range list {
		if one.role == "user" && len(one.results) == 0 {
			since = i
		}
	}
	var calls []callPart
	for _, one := range list[min(since, len(list)):] {
		calls = append(calls, one.calls...)
	}
	if len(calls) == 0 {
		return
	}
	var known []callPart
	for _, other := range levels {
		for _, m := range other.below {
			if m != s && m.kind == answering {
				known = m.says.asked(known)
			}
		}
	}
	var lost []*askedCall
	for _, c := range calls {
		if w.strike(&known, c) {
			continue
		}
		if !w.ranAs(c, l) {
			lost = append(lost, &askedCall{callPart: c})
		}
		w.loseAnswer(s)
	}
	recallResults(lost, s.says.in.results())
	s.says.earlier = lost
}

// ranAs reports whether a tool span matches a call from a history.
func (w *assembler) ranAs(c callPart, l level) bool {
	for _, s := range l.below {
		if s.kind == calling && s.by == nil && c.name.TextIs(toolName(s)) && (missingID(s.says.callID) || missingID(c.id) || sameText(c.id, s.says.callID)) {
			claim(&askedCall{callPart: c}, s)
			return true
		}
	}
	return false
}

// extends reports whether a message list starts with all messages of an earlier one.
func extends(list, earlier []chatMessage) bool {
	if len(earlier) == 0 || len(list) <= len(earlier) {
		return false
	}
	for i, one := range earlier {
		if one.role != list[i].role || !bytes.Equal(one.text.bytes(), list[i].text.bytes()) || len(one.calls) != len(list[i].calls) {
			return false
		}
	}
	return true
}

// loseAnswer records that an answer in a later history is missing.
func (w *assembler) loseAnswer(s *span) {
	w.lose(loss{what: lostModelCalls, why: "a later request contains a model answer that was not recorded", node: s.says.node})
}
