package naive

import (
	"slices"
)

// order checks idx and the life of the steps.
func (c *reasoningCheck) order() {
	last := int64(-1)
	for _, e := range c.events {
		switch {
		case e.idx < 0:
			c.fault("order.idx_negative", e.line)
			continue
		case e.idx <= last:
			c.fault("order.idx_not_increasing", e.line)
		case e.idx > last+1 && c.run.Contiguous:
			c.fault("order.idx_gap", e.line)
		case e.idx > last+1:
			c.warn("order.idx_gap", e.line)
		}
		last = max(last, e.idx)
	}
	if len(c.events) == 0 && len(c.beside.nodes) == 0 {
		c.warn("trace.no_events", 0)
	}
}

type planNode struct {
	id    string
	needs []string
}

type planFile struct {
	ok    bool // it can be read
	id    string
	spec  string
	nodes []planNode
	loose []string // edges without a node
}

func parsePlan(data []byte, limits Limits) planFile {
	plan := decode(data, limits)
	if inner := object(plan, "data"); inner != nil && !hasAny(plan, "nodes") {
		plan = inner
	}
	var p planFile
	p.id, _ = text(plan, "id")
	p.spec, _ = text(plan, "spec_id")
	list, ok := plan["nodes"].([]any)
	if !ok {
		return planFile{}
	}
	first := map[any]int{}
	for i, v := range list {
		n, _ := v.(map[string]any)
		node := planNode{}
		node.id, _ = text(n, "id")
		if node.id == "" || n["dependencies"] != nil && !isA(n["dependencies"], "strings") {
			return planFile{}
		}
		needs, _ := n["dependencies"].([]any)
		for _, d := range needs {
			node.needs = append(node.needs, d.(string))
		}
		p.nodes = append(p.nodes, node)
		if _, twice := first[node.id]; !twice {
			first[node.id] = i
		}
	}
	if plan["edges"] != nil && !isA(plan["edges"], "array") {
		return planFile{}
	}
	edges, _ := plan["edges"].([]any)
	for _, v := range edges {
		pair, _ := v.([]any)
		if len(pair) != 2 || !isA(v, "strings") {
			return planFile{}
		}
		if to, known := first[pair[1]]; known {
			p.nodes[to].needs = append(p.nodes[to].needs, pair[0].(string))
		} else {
			p.loose = append(p.loose, pair[1].(string))
		}
	}
	p.ok = true
	return p
}

// plan checks the plan, with line 0 for its faults, and the steps against it.
func (c *reasoningCheck) plan() {
	p := c.beside
	if c.run.Plan == nil {
		c.warn("plan.absent", 0)
	} else if !p.ok {
		c.fault("plan.unreadable", 0)
	}
	first := map[string]planNode{}
	for _, n := range p.nodes {
		if _, twice := first[n.id]; twice {
			c.fault("plan.duplicate_node", 0)
			continue
		}
		first[n.id] = n
	}
	for range p.loose {
		c.fault("plan.dep_missing", 0)
	}
	for _, n := range p.nodes {
		for _, need := range n.needs {
			if _, exists := first[need]; !exists {
				c.fault("plan.dep_missing", 0)
			}
		}
	}
	if isCyclic(first) {
		c.fault("plan.cycle", 0)
	}
	if c.header != nil && p.ok && p.id != "" {
		if stated, is := text(c.header.members, "plan_id"); is && stated != p.id {
			c.fault("plan.id_mismatch", c.header.line)
		}
	}
	started := c.steps(first)
	for _, n := range p.nodes {
		if !started[n.id] {
			c.fault("plan.node_not_executed", 0)
		}
	}
}

// isCyclic reports whether the dependencies have a cycle.
func isCyclic(nodes map[string]planNode) bool {
	done, open := map[string]bool{}, map[string]bool{}
	var visit func(id string) bool
	visit = func(id string) bool {
		n, exists := nodes[id]
		if !exists || done[id] {
			return false
		}
		if open[id] {
			return true
		}
		open[id] = true
		if slices.ContainsFunc(n.needs, visit) {
			return true
		}
		done[id] = true
		return false
	}
	for id := range nodes {
		if visit(id) {
			return true
		}
	}
	return false
}

// steps checks that each step starts once, after its dependencies, and ends once. It returns the started steps.
func (c *reasoningCheck) steps(plan map[string]planNode) (started map[string]bool) {
	type life struct {
		open, started, finished bool
		line                    int
	}
	steps := map[string]*life{}
	for _, e := range c.events {
		_, inPlan := plan[e.step]
		s := steps[e.step]
		if s == nil {
			s = &life{}
			steps[e.step] = s
			if c.beside.ok && !inPlan {
				c.fault("ref.step_unknown", e.line)
			}
		}
		switch e.kind {
		case "step_started":
			if s.started {
				c.fault("order.step_restarted", e.line)
			} else {
				needs := map[string]bool{}
				for _, need := range plan[e.step].needs {
					_, exists := plan[need]
					if before := steps[need]; exists && !needs[need] && (before == nil || !before.finished) {
						c.fault("order.dependency", e.line)
					}
					needs[need] = true
				}
			}
			s.open, s.started, s.line = true, true, e.line
		case "step_finished":
			if !s.open {
				c.fault("order.finish_without_start", e.line)
			}
			s.open, s.finished = false, true
		default:
			if !s.open && (!c.beside.ok || inPlan || s.started) {
				c.fault("order.event_outside_step", e.line)
			}
		}
	}
	started = map[string]bool{}
	for id, s := range steps {
		started[id] = s.started
		if s.open {
			c.fault("order.step_unfinished", s.line)
		}
	}
	return started
}

// calls checks that results match calls, one to one and in order.
func (c *reasoningCheck) calls() {
	type call struct {
		line     int
		step     string
		answered bool
	}
	calls := map[string]*call{}
	early := map[string][]int{} // lines of results whose call has not come
	for i, e := range c.events {
		switch e.kind {
		case "tool_called":
			id, _ := text(e.detail, "id")
			if step, ok := text(e.detail, "step_id"); ok && step != e.step {
				c.fault("ref.step_mismatch", e.line)
			}
			if calls[id] != nil {
				c.fault("ref.call_duplicate", e.line)
				continue
			}
			made := &call{line: e.line, step: e.step}
			calls[id] = made
			for _, line := range early[id] {
				c.fault("ref.result_before_call", line)
				made.answered = true
			}
		case "tool_returned":
			id, _ := text(e.detail, "call_id")
			asked := calls[id]
			switch {
			case asked == nil:
				early[id] = append(early[id], e.line)
				if !c.places.after(i, "tool_called", id) {
					c.fault("ref.call_unknown", e.line)
				}
				continue
			case asked.answered:
				c.fault("ref.result_duplicate", e.line)
			case asked.step != e.step:
				c.fault("ref.step_mismatch", e.line)
			}
			asked.answered = true
		}
	}
	for _, asked := range calls {
		if !asked.answered {
			c.fault("ref.call_unanswered", asked.line)
		}
	}
}
