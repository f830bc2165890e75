package naive

import (
	"slices"
)

// order checks idx and the life of the steps.
func (c *reasoning) order() {
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
	if len(c.events) == 0 && len(nodesOf(c.run.Plan)) == 0 {
		c.warn("trace.no_events", 0)
	}
}

// planNode is one node of a plan and what it needs.
type planNode struct {
	id    string
	needs []string
}

// parsePlan reads a plan; nil when it is none.
func parsePlan(data []byte) (id string, nodes []planNode, loose []string, ok bool) {
	plan := decode(data)
	if inner := object(plan, "data"); inner != nil && !hasAny(plan, "nodes") {
		plan = inner
	}
	id, _ = text(plan, "id")
	list, ok := plan["nodes"].([]any)
	if !ok {
		return "", nil, nil, false
	}
	for _, v := range list {
		n, _ := v.(map[string]any)
		node := planNode{}
		node.id, _ = text(n, "id")
		if node.id == "" || n["dependencies"] != nil && !isA(n["dependencies"], "strings") {
			return "", nil, nil, false
		}
		needs, _ := n["dependencies"].([]any)
		for _, d := range needs {
			node.needs = append(node.needs, d.(string))
		}
		nodes = append(nodes, node)
	}
	if plan["edges"] != nil && !isA(plan["edges"], "array") {
		return "", nil, nil, false
	}
	edges, _ := plan["edges"].([]any)
	for _, v := range edges {
		pair, _ := v.([]any)
		if len(pair) != 2 || !isA(v, "strings") {
			return "", nil, nil, false
		}
		to := slices.IndexFunc(nodes, func(n planNode) bool { return n.id == pair[1] })
		if to < 0 {
			loose = append(loose, pair[1].(string))
			continue
		}
		nodes[to].needs = append(nodes[to].needs, pair[0].(string))
	}
	return id, nodes, loose, true
}

func nodesOf(plan []byte) []planNode {
	_, nodes, _, _ := parsePlan(plan)
	return nodes
}

// plan checks the plan itself, and the steps against it. Its own faults have line 0, for
// they stand in another file.
func (c *reasoning) plan() {
	id, nodes, loose, ok := parsePlan(c.run.Plan)
	if c.run.Plan == nil {
		c.warn("plan.absent", 0)
	} else if !ok {
		c.fault("plan.unreadable", 0)
	}
	first := map[string]planNode{}
	for _, n := range nodes {
		if _, twice := first[n.id]; twice {
			c.fault("plan.duplicate_node", 0)
			continue
		}
		first[n.id] = n
	}
	for range loose {
		c.fault("plan.dep_missing", 0)
	}
	for _, n := range nodes {
		for _, need := range n.needs {
			if _, exists := first[need]; !exists {
				c.fault("plan.dep_missing", 0)
			}
		}
	}
	cyclic := isCyclic(first)
	if cyclic {
		c.fault("plan.cycle", 0)
	}
	if c.header != nil && ok && id != "" {
		if stated, is := text(c.header.members, "plan_id"); is && stated != id {
			c.fault("plan.id_mismatch", c.header.line)
		}
	}
	c.steps(first, ok, cyclic)
	for _, n := range nodes {
		if !slices.ContainsFunc(c.events, func(e happening) bool { return e.kind == "step_started" && e.step == n.id }) {
			c.fault("plan.node_not_executed", 0)
		}
	}
}

// isCyclic follows the dependencies of each node in turn.
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

// steps follows each step: it starts once, after what it depends on, and ends once. In a
// plan with a cycle no order is right, and dependencies are not judged.
func (c *reasoning) steps(plan map[string]planNode, planned, cyclic bool) {
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
			if planned && !inPlan {
				c.fault("ref.step_unknown", e.line)
			}
		}
		switch e.kind {
		case "step_started":
			if s.started {
				c.fault("order.step_restarted", e.line)
			} else if !cyclic {
				var needs []string
				for _, need := range plan[e.step].needs {
					if _, exists := plan[need]; exists && !slices.Contains(needs, need) {
						needs = append(needs, need)
					}
				}
				for _, need := range needs {
					if before := steps[need]; before == nil || !before.finished {
						c.fault("order.dependency", e.line)
					}
				}
			}
			s.open, s.started, s.line = true, true, e.line
		case "step_finished":
			if !s.open {
				c.fault("order.finish_without_start", e.line)
			}
			s.open, s.finished = false, true
		default:
			if !s.open && (!planned || inPlan || s.started) {
				c.fault("order.event_outside_step", e.line)
			}
		}
	}
	for _, s := range steps {
		if s.open {
			c.fault("order.step_unfinished", s.line)
		}
	}
}

// calls matches results with calls, one to one and in order.
func (c *reasoning) calls() {
	type call struct {
		line     int
		step     string
		answered bool
	}
	calls := map[string]*call{}
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
			for _, before := range c.events[:i] {
				if answer, _ := text(before.detail, "call_id"); before.kind == "tool_returned" && answer == id {
					c.fault("ref.result_before_call", before.line)
					made.answered = true
				}
			}
		case "tool_returned":
			id, _ := text(e.detail, "call_id")
			asked := calls[id]
			switch {
			case asked == nil:
				if !slices.ContainsFunc(c.events[i:], func(later happening) bool { return later.kind == "tool_called" && later.detail["id"] == id }) {
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
