package privacy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence/internal/secrets"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/internal/say"
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

// naive redacts a tree as the rules say it in words, without a thought for time or memory:
// each value's row is looked for among all of the policy's.
type naive struct {
	policy  *privacy.Policy
	scanner secrets.Scanner
	typ     string
	changes []string // pointer, class, rule, action, whether only reported
	changed bool
	swept   string // the pointer of a secret that is left
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
		case "specversion", "type", "id", "time", "datacontenttype", "traceparent", "assayrunid", "assayseq",
			"assayproducer", "assayproducerversion", "assaygit", "assaypolicyid", "assaypii", "assaysecrets", "assaycontenthash":
		default:
			child, gone := n.value([]token{{name, false}}, t.children[i], -1)
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

// value redacts a value, or says that it goes.
func (n *naive) value(way []token, t *tree, from int) (out *tree, gone bool) {
	last := way[len(way)-1]
	row := n.row(way, false)
	switch {
	case !last.element && n.policy.Name() == "default" && secrets.ForbiddenName([]byte(last.name)) && !slices.Contains(n.policy.Allowed(), plain(last.name)):
		return n.drop(way, t, row, "forbidden-name")
	case row.Handling == privacy.Removes:
		return n.drop(way, t, row, "policy-class")
	}
	if t.open == 0 {
		if s, ok := t.scalar.(string); ok {
			return n.text(way, t, s, row, from)
		}
		return t, false
	}
	out = &tree{open: t.open}
	var earlier []string // texts that stay, as they were and as they become
	follows := false     // the next element that stays is a flag's value
	for i, child := range t.children {
		step := token{strconv.Itoa(i), true}
		if t.open == '{' {
			step = token{t.names[i], false}
		}
		below := append(slices.Clip(way), step)
		kept, gone := n.value(below, child, hiddenFrom(child, follows, earlier))
		if gone {
			continue
		}
		out.children = append(out.children, kept)
		if t.open == '{' {
			out.names = append(out.names, t.names[i])
			continue
		}
		follows = false
		if s, ok := kept.scalar.(string); ok {
			was := child.scalar.(string)
			if i > 0 && n.row(below, false).Handling != privacy.Keeps {
				follows = isFlag(was, earlier) || isFlag(s, earlier)
			}
			earlier = append(earlier, was, s)
		}
	}
	return out, false
}

func isFlag(s string, earlier []string) bool {
	return secrets.FlagBeforeValue([]byte(s)) || (s == "-p" || s == "-p=") && runsPassword(earlier)
}

// hiddenFrom is where a text is the value of a flag, -1 where it is not.
func hiddenFrom(t *tree, follows bool, earlier []string) int {
	s, ok := t.scalar.(string)
	switch {
	case !ok:
		return -1
	case follows:
		return 0
	case runsPassword(earlier) && strings.HasPrefix(s, "-p=") && s != "-p=":
		return len("-p=")
	case runsPassword(earlier) && strings.HasPrefix(s, "-p") && s != "-p" && s != "-p=":
		return len("-p")
	}
	return -1
}

func runsPassword(list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return secrets.PasswordCommand([]byte(s)) })
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
func (n *naive) text(way []token, t *tree, before string, row privacy.Row, from int) (out *tree, gone bool) {
	after, said := before, [][3]string{} // class, rule, action of each finding
	patterns := n.patterns(way)
	switch row.Handling {
	case privacy.Keeps:
		return t, false
	case privacy.Scrubs:
		if after = secrets.Upstream(before); after != before {
			action := "generalized"
			if strings.HasSuffix(after, "***") {
				action = "replaced"
			}
			n.say(way, row, "sensitive", "adr006-upstream-subject", action)
		}
		return &tree{scalar: after}, false
	case privacy.Cuts:
		if name, _, has := strings.Cut(before, "="); has {
			after, said = name, append(said, [3]string{"forbidden", "env-value", "cut"})
		}
		fallthrough
	case privacy.Guards:
		from = -1
	}
	_, secret := n.scanner.Sweep([]byte(after))
	if row.Handling == privacy.Redacts || row.Handling == privacy.Reports || secret || len(patterns) > 0 {
		if rule, whole := n.scanner.Whole([]byte(after)); whole {
			return n.drop(way, t, row, rule)
		}
		if from >= 0 && !strings.HasPrefix(after[from:], "***") {
			after, said = after[:from]+"***", append(said, [3]string{"sensitive", "flag", "replaced"})
		} else {
			var drop bool
			if after, drop = n.rest(after, patterns, &said); drop {
				return n.drop(way, t, row, "policy-pattern")
			}
		}
	}
	if len(way) == 1 && way[0].name == "source" && after != before && strings.IndexByte(after, ':') <= 0 {
		after = "urn:" + after
	}
	if after != before {
		class, rule, action := leading(said)
		n.say(way, row, class, rule, action)
	}
	if _, left := n.scanner.Sweep([]byte(after)); left && row.Handling != privacy.Reports && n.swept == "" {
		n.swept = way[0].name
	}
	if row.Handling == privacy.Reports {
		return t, false
	}
	return &tree{scalar: after}, false
}

// rest applies the patterns and what stands inside texts, until nothing changes.
func (n *naive) rest(text string, patterns []privacy.Row, said *[][3]string) (after string, drop bool) {
	for range 8 {
		before := text
		for _, row := range patterns {
			if row.Class == privacy.Forbidden && !strings.Contains(text, "***") && regexp.MustCompile(`^\s*(`+row.Pattern+`)\s*$`).MatchString(text) {
				return "", true
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
		clean, hits := n.scanner.Clean(nil, []byte(text))
		for _, hit := range hits {
			class, action := "forbidden", "replaced"
			switch hit.Rule {
			case "home-path":
				class, action = "sensitive", "generalized"
			case "marker", "flag", "url-userinfo":
				class = "sensitive"
			}
			*said = append(*said, [3]string{class, hit.Rule, action})
		}
		if text = string(clean); text == before || len(patterns) == 0 {
			return text, false
		}
	}
	*said = append(*said, [3]string{"sensitive", "policy-pattern", "replaced"})
	return "***", false
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
