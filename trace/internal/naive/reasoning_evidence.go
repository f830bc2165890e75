package naive

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// exhibit is evidence that was registered.
type exhibit struct {
	name     string
	readable bool
	size     int64
	from, to int64 // where supports may lie
}

// support is a citation in a claim's list or in a marker of its text.
type support struct {
	kind, ref, snippet, algo string
	from, to                 int64
}

func (c *reasoningCheck) evidence() {
	exhibits := map[string]*exhibit{}
	var order []*exhibit
	cited := false
	for i, e := range c.events {
		if c.failed != nil {
			return
		}
		switch e.kind {
		case "evidence_registered":
			id, _ := text(e.detail, "id")
			x := c.exhibit(e, exhibits[id] != nil)
			if exhibits[id] != nil {
				c.fault("ref.evidence_duplicate", e.line)
				continue
			}
			exhibits[id] = x
			order = append(order, x)
			cited = true
		case "claim_emitted":
			list, _ := e.detail["supports"].([]any)
			cited = cited || len(list) > 0
			c.claim(i, e, exhibits, order)
		}
	}
	if c.run.Evidence == nil && cited {
		c.warn("evidence.unchecked", 0)
	}
}

func span(v any) (from, to int64) {
	pair := v.([]any)
	return *integer(pair[0]), *integer(pair[1])
}

// exhibit checks a registration. It does not read the file if the id was already registered.
func (c *reasoningCheck) exhibit(e readEvent, again bool) *exhibit {
	x := &exhibit{}
	recorded, _ := text(e.detail, "sha256")
	chunk, _ := text(e.detail, "chunk_id")
	for _, hash := range []string{recorded, chunk} {
		if !isHash(hash) {
			c.fault("hash.format", e.line)
		}
	}
	from, to := span(e.detail["span"])
	sound := 0 <= from && from < to
	if !sound {
		c.fault("span.malformed", e.line)
	}
	path, _ := text(e.detail, "content_path")
	name, safe := clean(path)
	if !safe {
		c.fault("path.unsafe", e.line)
	}
	if !safe || again || c.run.Evidence == nil {
		return x
	}
	digest, size, rule := c.sumOf(c.run.Evidence, name, 0, -1)
	if rule != "" {
		c.fault(rule, e.line)
		return x
	}
	x.name, x.readable, x.size, x.from, x.to = name, true, size, 0, size
	holds := digest == recorded
	if isHash(recorded) && !holds {
		c.fault("hash.evidence", e.line)
	}
	switch {
	case !sound || to-from == size:
	case to <= size:
		x.from, x.to = from, to
	case holds:
		c.fault("span.evidence_mismatch", e.line)
	}
	if sound && holds {
		c.chunk(e, name, from, to, size)
	}
	return x
}

var drive = regexp.MustCompile(`^[A-Za-z]:`)

// clean removes "." and empty segments from a path. safe is false for a path that could leave the folder.
func clean(path string) (name string, safe bool) {
	if strings.ContainsAny(path, "\x00\\") || strings.HasPrefix(path, "/") || drive.MatchString(path) {
		return "", false
	}
	var kept []string
	for _, segment := range strings.Split(path, "/") {
		if segment == ".." {
			return "", false
		}
		if segment != "" && segment != "." {
			kept = append(kept, segment)
		}
	}
	return strings.Join(kept, "/"), true
}

func (c *reasoningCheck) claim(i int, e readEvent, exhibits map[string]*exhibit, order []*exhibit) {
	var list []support
	elements, _ := e.detail["supports"].([]any)
	for _, v := range elements {
		list = append(list, supportOf(v.(map[string]any)))
	}
	for _, s := range list {
		c.cite(i, e, s, exhibits, order)
	}
	if claimType, _ := text(e.detail, "claim_type"); claimType == "assumed" || claimType == "observed" {
		return
	}
	grounded := slices.ContainsFunc(list, func(s support) bool { return s.kind == "evidence" })
	switch {
	case len(list) == 0:
		c.fault("claim.no_supports", e.line)
	case !grounded:
		c.warn("claim.ungrounded", e.line)
	}
	statement, stated := text(e.detail, "statement")
	markers := markersOf(statement)
	for _, m := range markers {
		switch s, rule := readMarker(m); {
		case rule == "marker.legacy":
			c.fault(rule, e.line)
		case rule != "":
			c.warn(rule, e.line)
		case !slices.ContainsFunc(list, func(have support) bool {
			return have.ref == s.ref && have.from == s.from && have.to == s.to && have.snippet == s.snippet
		}):
			c.cite(i, e, s, exhibits, order)
		}
	}
	if grounded && stated && len(markers) == 0 {
		c.warn("marker.absent", e.line)
	}
}

func supportOf(o map[string]any) support {
	s := support{kind: "evidence", algo: "sha256"}
	if kind, ok := text(o, "kind"); ok {
		s.kind = kind
	}
	if algo, ok := text(o, "hash_algo"); ok {
		s.algo = algo
	}
	if s.ref, _ = text(o, "ref_id"); s.ref == "" {
		s.ref, _ = text(o, "evidence_id")
	}
	s.snippet, _ = text(o, "snippet_sha256")
	s.from, s.to = span(o["span"])
	return s
}

// markersOf returns the markers of a text, from "[evidence:" to the next bracket.
func markersOf(statement string) (list []string) {
	for {
		_, rest, found := strings.Cut(statement, "[evidence:")
		inner, rest, closed := strings.Cut(rest, "]")
		if !found || !closed {
			return list
		}
		list = append(list, inner)
		statement = rest
	}
}

// readMarker parses a marker; rule is the violated rule.
func readMarker(inner string) (s support, rule string) {
	parts := strings.SplitN(inner, ":", 3)
	if len(parts) <= 2 {
		return s, "marker.legacy"
	}
	first, last, _ := strings.Cut(parts[1], "-")
	from, err := strconv.ParseUint(first, 10, 63)
	to, err2 := strconv.ParseUint(last, 10, 63)
	if !isHash(parts[2]) && (err == nil && err2 == nil || !strings.Contains(parts[2], ":")) {
		return s, "marker.legacy"
	}
	if !isHash(parts[2]) || err != nil || err2 != nil || parts[0] == "" {
		return s, "marker.absent"
	}
	return support{kind: "evidence", ref: parts[0], snippet: parts[2], algo: "sha256", from: int64(from), to: int64(to)}, ""
}

func (c *reasoningCheck) cite(i int, e readEvent, s support, exhibits map[string]*exhibit, order []*exhibit) {
	sound := 0 <= s.from && s.from < s.to
	if !sound {
		c.fault("span.malformed", e.line)
	}
	if !isHash(s.snippet) {
		c.fault("hash.format", e.line)
	}
	if s.algo != "sha256" {
		c.fault("hash.algo_unsupported", e.line)
	}
	comparable := isHash(s.snippet) && s.algo == "sha256"
	switch s.kind {
	case "claim":
		c.note("support.hash_not_checkable", e.line)
		switch {
		case c.places.before(i, "claim_emitted", s.ref):
		case c.places.after(i, "claim_emitted", s.ref):
			c.warn("ref.claim_later", e.line)
		default:
			c.fault("ref.claim_unknown", e.line)
		}
	case "tool_call":
		c.note("support.hash_not_checkable", e.line)
		if !c.places.before(i, "tool_called", s.ref) {
			c.fault("ref.call_unknown", e.line)
		}
	case "evidence":
		x := exhibits[s.ref]
		switch {
		case s.ref == "":
			if sound && comparable && c.run.Evidence != nil {
				c.search(e, s, order)
			}
		case x != nil:
			if sound && x.readable {
				c.compare(e, s, x, comparable)
			}
		case c.places.after(i, "evidence_registered", s.ref):
			c.fault("ref.evidence_later", e.line)
		default:
			c.fault("ref.evidence_unknown", e.line)
		}
	default:
		c.fault("support.kind_unknown", e.line)
	}
}

func (c *reasoningCheck) compare(e readEvent, s support, x *exhibit, comparable bool) {
	switch {
	case s.from < x.from || s.to > x.to:
		c.fault("span.out_of_bytes", e.line)
	case comparable && !c.has(x, s):
		c.fault("hash.snippet", e.line)
	}
}

// has reports whether the support's span of the evidence has its hash.
func (c *reasoningCheck) has(x *exhibit, s support) bool {
	if s.to > x.size {
		return false
	}
	digest, _, rule := c.sumOf(c.run.Evidence, x.name, s.from, s.to)
	return rule == "" && digest == s.snippet
}

// search finds a support without reference in the latest 1,024 pieces of evidence.
func (c *reasoningCheck) search(e readEvent, s support, order []*exhibit) {
	searched := 0
	for _, x := range slices.Backward(order) {
		if !x.readable {
			continue
		}
		if searched++; searched > 1024 {
			break
		}
		if s.from >= x.from && s.to <= x.to && c.has(x, s) {
			c.note("support.found_by_hash", e.line)
			return
		}
	}
	c.fault("hash.snippet", e.line)
}
