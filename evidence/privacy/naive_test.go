package privacy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/secrets/naming"
)

// tree is a JSON value with its members in order.
type tree struct {
	open     json.Delim // { or [, 0 for a scalar
	names    []string   // of an object's members
	children []*tree
	scalar   any // string, json.Number, bool or nil
}

// parseTree reads a JSON text.
func parseTree(text []byte) (*tree, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return readTree(d)
}

func readTree(d *json.Decoder) (*tree, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, container := token.(json.Delim)
	if !container {
		return &tree{scalar: token}, nil
	}
	t := &tree{open: delim}
	for d.More() {
		if delim == '{' {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			t.names = append(t.names, name.(string))
		}
		child, err := readTree(d)
		if err != nil {
			return nil, err
		}
		t.children = append(t.children, child)
	}
	_, err = d.Token()
	return t, err
}

// String is the tree as a text in which nothing but spelling is lost.
func (t *tree) String() string {
	switch t.open {
	case '{', '[':
		var parts []string
		for i, child := range t.children {
			if t.open == '{' {
				parts = append(parts, strconv.Quote(t.names[i])+":"+child.String())
			} else {
				parts = append(parts, child.String())
			}
		}
		return t.open.String() + strings.Join(parts, ",") + string(rune(t.open+2))
	}
	if s, ok := t.scalar.(string); ok {
		return strconv.Quote(s)
	}
	return fmt.Sprint(t.scalar)
}

// naive redacts a tree as the rules are worded, without regard to time or memory: it searches the whole policy for
// each value's row.
type naive struct {
	policy   *privacy.Policy
	scanner  *secrets.Scanner
	set      *secrets.Set
	typ      string
	given    map[*tree][]secrets.Hit
	names    map[*tree]string // that members are given
	reported map[*tree]string // that they would be
	changes  []string         // pointer, class, rule, action, whether only reported
	changed  bool
	swept    string // the pointer of a secret that is left
}

func newNaive(p *privacy.Policy) naive {
	set, err := secrets.Default()
	if err != nil {
		panic(err)
	}
	return naive{given: map[*tree][]secrets.Hit{}, names: map[*tree]string{}, reported: map[*tree]string{}, policy: p, scanner: secrets.NewScanner(set), set: set}
}

// token is a step to a value.
type token struct {
	name    string
	element bool
}

// event redacts an event.
func (n *naive) event(t *tree) *tree {
	for i, name := range t.names {
		if s, ok := t.children[i].scalar.(string); ok && name == "type" {
			n.typ = s
		}
	}
	out := &tree{open: '{'}
	var digests []int
	for i, name := range t.names {
		switch name {
		case "assaysemanticdigest", "assaydigestprofile":
			digests = append(digests, len(n.changes))
			n.changes = append(n.changes, "")
			out.names, out.children = append(out.names, name), append(out.children, t.children[i])
			continue
		case "specversion", "type", "time", "datacontenttype", "traceparent", "assayseq", "assaypii", "assaysecrets", "assaycontenthash":
		default:
			child, gone := n.value([]token{{name, false}}, t.children[i], place{parent: &tree{}})
			if gone {
				continue
			}
			out.names, out.children = append(out.names, name), append(out.children, child)
			continue
		}
		out.names, out.children = append(out.names, name), append(out.children, t.children[i])
	}
	if n.changed {
		n.dropDigests(out, digests)
	}
	n.changes = slices.DeleteFunc(n.changes, func(c string) bool { return c == "" })
	return out
}

func (n *naive) dropDigests(out *tree, places []int) {
	for i := 0; i < len(out.names); {
		name := out.names[i]
		if name != "assaysemanticdigest" && name != "assaydigestprofile" {
			i++
			continue
		}
		out.names, out.children = slices.Delete(out.names, i, i+1), slices.Delete(out.children, i, i+1)
		n.changes[places[0]] = "/" + name + " public stale-semantic-digest removed"
		places = places[1:]
	}
}

// place is what is known of a value from what it is in.
type place struct {
	parent *tree
	name   string        // whose values the texts of an array are
	given  []secrets.Hit // what is found in it together with its neighbours
}

// value redacts a value, or says that it goes.
func (n *naive) value(way []token, t *tree, at place) (out *tree, gone bool) {
	last := way[len(way)-1]
	row := n.row(way, false)
	if rule := n.forbids(last, t, at); rule != "" {
		return n.drop(way, t, row, rule)
	}
	if !last.element && n.policy.Name() == "default" && row.Handling != privacy.Keeps && (len(last.name) >= 16 && strings.ContainsAny(last.name, "0123456789") || strings.ContainsAny(last.name, `/@\=: `)) && (len(way) > 1 || !slices.Contains(attributes, last.name)) {
		for _, h := range n.scanner.Scan([]byte(last.name)) {
			if h.Class > secrets.Home {
				return n.drop(way, t, row, h.Rule)
			}
		}
		for _, h := range n.scanner.Scan([]byte(last.name)) {
			said := len(n.changes)
			n.rename(way, t, at.parent, row, h.Rule)
			defer func() {
				if gone { // the name goes with its value
					n.changes = slices.Delete(n.changes, said, said+1)
					delete(n.names, t)
				}
			}()
			break
		}
	}
	if row.Handling == privacy.Removes {
		return n.drop(way, t, row, "policy-class")
	}
	if t.open == 0 {
		if s, ok := t.scalar.(string); ok {
			return n.text(way, t, s, row, at.given)
		}
		return t, false
	}
	out = &tree{open: t.open}
	inherited := ""
	if t.open == '[' && n.policy.Name() == "default" && row.Handling != privacy.Keeps {
		if inherited = at.name; !last.element {
			inherited = ""
			if n.set.Inherits([]byte(last.name)) {
				inherited = last.name
			}
		}
		n.join(t)
	}
	for i, child := range t.children {
		step := token{strconv.Itoa(i), true}
		if t.open == '{' {
			step = token{t.names[i], false}
		}
		kept, gone := n.value(append(slices.Clip(way), step), child, place{t, inherited, n.given[child]})
		if gone {
			continue
		}
		out.children = append(out.children, kept)
		if t.open == '{' {
			name := t.names[i]
			if n.names[child] != "" {
				name = n.names[child]
			}
			out.names = append(out.names, name)
		}
	}
	return out, false
}

// rename gives a member a name without a home folder, that no other member has.
func (n *naive) rename(way []token, t, parent *tree, row privacy.Row, rule string) {
	name := way[len(way)-1].name
	out, _ := n.scanner.Redact([]byte(name), nil, nil)
	used := func(name string) bool {
		for i, child := range parent.children {
			if child != t && (parent.names[i] == name || n.names[child] == name || n.reported[child] == name) {
				return true
			}
		}
		return false
	}
	unique := string(out)
	for i := 2; used(unique); i++ {
		unique = string(out) + " (" + strconv.Itoa(i) + ")"
	}
	n.say(way, row, "sensitive", rule, "generalized")
	if row.Handling == privacy.Reports {
		n.reported[t] = unique
	} else {
		n.names[t] = unique
	}
}

var attributes = strings.Fields("data subject source tracestate specversion type id time datacontenttype traceparent assayrunid assayseq assayproducer assayproducerversion assaygit assaypolicyid assaypii assaysecrets assaycontenthash")

// forbids is the rule by which a value is forbidden because of a name.
func (n *naive) forbids(last token, t *tree, at place) string {
	name := last.name
	if last.element {
		name = at.name
	}
	if n.policy.Name() != "default" || name == "" || slices.Contains(n.policy.Allowed(), plain(name)) {
		return ""
	}
	switch v := t.scalar.(type) {
	case string:
		if rule, secret := n.set.Member([]byte(name), []byte(v)); secret {
			return rule
		}
		if !last.element && slices.Contains([]string{"value", "val", "v"}, strings.ToLower(name)) {
			for _, beside := range []string{"name", "key", "header", "field", "variable", "k", "n", "Name", "Key"} {
				if i := slices.Index(at.parent.names, beside); i >= 0 {
					if s, ok := at.parent.children[i].scalar.(string); ok && !slices.Contains(n.policy.Allowed(), plain(s)) {
						if rule, secret := n.set.Member([]byte(s), []byte(v)); secret {
							return rule
						}
						break
					}
				}
			}
		}
		if !last.element && n.set.Telephone([]byte(name), []byte(v)) {
			return "phone"
		}
	case json.Number:
		if rule, secret := n.set.Number([]byte(name), []byte(v)); secret {
			return rule
		}
		if hits := n.scanner.Scan([]byte(v)); len(v) >= 13 && len(hits) == 1 && hits[0].Class == secrets.Personal && hits[0].End-hits[0].Start == len(v) {
			return hits[0].Rule
		}
	}
	return ""
}

// join looks at the texts of an array, and at those that its objects have under the same names.
func (n *naive) join(t *tree) {
	groups := map[string][]*tree{}
	objects, run := 0, 0
	for _, child := range t.children {
		if _, ok := child.scalar.(string); ok && child.open == 0 {
			groups[fmt.Sprint(run)] = append(groups[fmt.Sprint(run)], child)
			continue
		}
		run++
		if child.open == '{' {
			objects++
		}
	}
	if objects >= 2 {
		for _, child := range t.children {
			if child.open == '{' {
				below(groups, child, "", 0)
			}
		}
	}
	for name, group := range groups {
		var texts [][]byte
		for _, child := range group {
			texts = append(texts, []byte(child.scalar.(string)))
		}
		if strings.HasPrefix(name, "/") && !meet(texts) {
			continue
		}
		n.give(group, texts, func(int) bool { return true })
		if !strings.HasPrefix(name, "/") {
			n.remaining(group)
		}
	}
}

// give notes what is found in the texts of some values together.
func (n *naive) give(group []*tree, texts [][]byte, wanted func(i int) bool) {
	n.scanner.Array(texts, func(i int, h secrets.Hit) {
		if wanted(i) {
			n.given[group[i]] = append(n.given[group[i]], h)
		}
	})
}

// remaining looks at the two texts that remain of a short array when the others go: if there is something in them as
// they are then, it is hidden in them as they were.
func (n *naive) remaining(group []*tree) {
	var stay []*tree
	var before, after [][]byte
	names := false
	for _, child := range group {
		text := child.scalar.(string)
		names = names || len(text) <= naming.MostName && !n.set.Plain([]byte(text))
		if clean, rule := n.clean(text, n.given[child], new([][3]string)); rule == "" {
			stay, before, after = append(stay, child), append(before, []byte(text)), append(after, []byte(clean))
		}
	}
	if !names || len(group) < 3 || len(group) > 16 || len(stay) != 2 {
		return
	}
	again := map[int]bool{}
	n.scanner.Array(after, func(i int, _ secrets.Hit) { again[i] = true })
	n.give(stay, before, func(i int) bool { return again[i] })
}

func below(groups map[string][]*tree, t *tree, way string, depth int) {
	for i, child := range t.children {
		name := way + "/"
		if t.open == '{' {
			name += t.names[i]
		}
		if _, ok := child.scalar.(string); ok && child.open == 0 {
			groups[name] = append(groups[name], child)
		} else if child.open != 0 && depth < 4 {
			below(groups, child, name, depth+1)
		}
	}
}

var edge = regexp.MustCompile(`^[A-Za-z0-9_.-]`)

func meet(texts [][]byte) bool {
	for i := 1; i < len(texts); i++ {
		before := texts[i-1]
		if len(before) > 0 && edge.Match(before[len(before)-1:]) && edge.Match(texts[i]) || bytes.Contains(before, []byte("-----BEGIN ")) {
			return true
		}
	}
	return false
}

func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// row is the last one that fits, with a pattern or without.
func (n *naive) row(way []token, pattern bool) (last privacy.Row) {
	last = privacy.Row{Handling: privacy.Keeps}
	for _, row := range n.policy.Rows() {
		if (row.Pattern != "") == pattern && n.fits(row, way) {
			last = row
		}
	}
	return last
}

func (n *naive) fits(row privacy.Row, way []token) bool {
	prefix, wild := strings.CutSuffix(row.Type, ".*")
	if row.Type != "*" && row.Type != n.typ && (!wild || !strings.HasPrefix(n.typ, prefix+".")) {
		return false
	}
	var pointer []string
	for _, name := range strings.Split(row.Pointer, "/")[1:] {
		pointer = append(pointer, strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~"))
	}
	return fits(pointer, way)
}

func fits(pointer []string, way []token) bool {
	switch {
	case len(pointer) == 0:
		return len(way) == 0
	case pointer[0] == "**" && len(pointer) == 1:
		return len(way) > 0
	case pointer[0] == "**":
		return fits(pointer[1:], way) || len(way) > 0 && fits(pointer, way[1:])
	case len(way) == 0:
		return false
	case pointer[0] == "*":
		return fits(pointer[1:], way[1:])
	}
	return !way[0].element && pointer[0] == way[0].name && fits(pointer[1:], way[1:])
}

// drop removes a value, unless every event has it.
func (n *naive) drop(way []token, t *tree, row privacy.Row, rule string) (out *tree, gone bool) {
	instead := map[string]string{"data": "***", "subject": "***", "source": "urn:***"}[way[0].name]
	switch {
	case row.Handling == privacy.Reports:
		n.say(way, row, "forbidden", rule, "removed")
		return t, false
	case len(way) > 1 || instead == "":
		n.say(way, row, "forbidden", rule, "removed")
		return nil, true
	case t.scalar != instead:
		n.say(way, row, "forbidden", rule, "replaced")
	}
	return &tree{scalar: instead}, false
}

func (n *naive) say(way []token, row privacy.Row, class, rule, action string) {
	pointer := ""
	for _, step := range way {
		pointer += "/" + strings.ReplaceAll(strings.ReplaceAll(say.Preview(step.name, 64), "~", "~0"), "/", "~1")
	}
	if n := len(pointer); n > 128 {
		pointer = say.Preview(pointer, 64) + strings.ToValidUTF8(pointer[n-64:], "")
	}
	line := strings.Join([]string{pointer, class, rule, action}, " ")
	if row.Handling == privacy.Reports {
		n.changes = append(n.changes, line+" reported")
		return
	}
	n.changed = true
	n.changes = append(n.changes, line)
}

// text redacts a text.
func (n *naive) text(way []token, t *tree, before string, row privacy.Row, given []secrets.Hit) (out *tree, gone bool) {
	after, said := before, [][3]string{} // class, rule, action of each finding
	patterns := n.patterns(way)
	switch row.Handling {
	case privacy.Keeps:
		return t, false
	case privacy.Scrubs:
		if after = privacy.UpstreamSubject(before); after != before {
			action := "generalized"
			if strings.HasSuffix(after, "***") {
				action = "replaced"
			}
			n.say(way, row, "sensitive", "adr006-upstream-subject", action)
		}
		return &tree{scalar: after}, false
	case privacy.Cuts:
		if name, _, has := strings.Cut(before, "="); has {
			after, said, given = name, append(said, [3]string{"forbidden", "env-value", "cut"}), nil
		}
	}
	if row.Handling == privacy.Redacts || row.Handling == privacy.Reports || n.left(after) || len(patterns) > 0 || len(given) > 0 {
		var rule string
		if len(given) > 0 || len(patterns) == 0 {
			after, rule = n.clean(after, given, &said)
		}
		if rule == "" && len(patterns) > 0 {
			after, rule = n.rest(after, patterns, &said)
		}
		if rule != "" {
			return n.drop(way, t, row, rule)
		}
	}
	if len(way) == 1 && way[0].name == "source" && after != before && strings.IndexByte(after, ':') <= 0 {
		after = "urn:" + after
	}
	if after != before {
		class, rule, action := leading(said)
		n.say(way, row, class, rule, action)
	}
	if n.left(after) && row.Handling != privacy.Reports && n.swept == "" {
		n.swept = way[0].name
	}
	if row.Handling == privacy.Reports {
		return t, false
	}
	return &tree{scalar: after}, false
}

// left says whether a text has something that must not stay.
func (n *naive) left(text string) bool {
	return slices.ContainsFunc(n.scanner.Scan([]byte(text)), func(h secrets.Hit) bool { return h.Class > secrets.Home })
}

// clean applies the rules of texts. A text that is a secret as a whole goes, by the rule.
func (n *naive) clean(text string, given []secrets.Hit, said *[][3]string) (after, rule string) {
	out, hits := n.scanner.Redact([]byte(text), given, nil)
	for i, h := range hits {
		class, action := "forbidden", "replaced"
		if h.Class == secrets.Home {
			class, action = "sensitive", "generalized"
		}
		if i == 0 && len(given) == 0 && h.Class > secrets.Home && strings.TrimSpace(text[:h.Start]+text[h.End:]) == "" {
			return "", h.Rule
		}
		*said = append(*said, [3]string{class, h.Rule, action})
	}
	return string(out), ""
}

// rest applies the patterns and the rules for parts of texts, until nothing changes.
func (n *naive) rest(text string, patterns []privacy.Row, said *[][3]string) (after, rule string) {
	for range 8 {
		before := text
		for _, row := range patterns {
			if row.Class == privacy.Forbidden && !strings.Contains(text, "***") && regexp.MustCompile(`^\s*(`+row.Pattern+`)\s*$`).MatchString(text) {
				return "", "policy-pattern"
			}
		}
		for _, row := range patterns {
			pieces := strings.Split(text, "***")
			for i, piece := range pieces {
				pieces[i] = regexp.MustCompile(row.Pattern).ReplaceAllStringFunc(piece, func(match string) string {
					if match == "" {
						return ""
					}
					*said = append(*said, [3]string{row.Class.String(), "policy-pattern", "replaced"})
					return "***"
				})
			}
			text = strings.Join(pieces, "***")
		}
		clean, rule := n.clean(text, nil, said)
		if rule != "" {
			return "", rule
		}
		if text = clean; text == before {
			return text, ""
		}
	}
	*said = append(*said, [3]string{"sensitive", "policy-pattern", "replaced"})
	return "***", ""
}

func (n *naive) patterns(way []token) (list []privacy.Row) {
	for _, row := range n.policy.Rows() {
		if row.Pattern != "" && n.fits(row, way) {
			list = append(list, row)
		}
	}
	return list
}

// leading is the first finding of the highest class, with the strongest action.
func leading(said [][3]string) (class, rule, action string) {
	for _, s := range said {
		if class == "" || class == "sensitive" && s[0] == "forbidden" {
			class, rule = s[0], s[1]
		}
		if action != "replaced" {
			action = s[2]
		}
	}
	return class, rule, action
}
