package judge

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// scored is an object of a reply that has a score.
type scored struct {
	score  string // a JSON number
	reason string
	twice  bool   // it has several scores
	text   []byte // the object, without blanks
}

// Limits of parsing a reply.
const (
	maxReply  = 256 << 10 // bytes
	maxNested = 100       // containers within each other
	maxWork   = 16 << 20  // bytes read, including repeated reads
)

// reasoning are the tags around the reasoning of models.
var reasoning = [][2]string{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<reasoning>", "</reasoning>"},
	{"<thought>", "</thought>"},
	{"<|channel|>analysis", "<|channel|>final<|message|>"},
	{"[THINK]", "[/THINK]"},
}

// answer returns a reply after its last closing reasoning tag. ok is false if the reasoning does not end.
func answer(reply string) (text string, ok bool) {
	text = strings.TrimLeft(reply[:min(len(reply), maxReply)], " \t\r\n\ufeff")
	for _, tags := range reasoning {
		if len(text) >= len(tags[0]) && strings.EqualFold(text[:len(tags[0])], tags[0]) {
			end := strings.LastIndex(strings.ToLower(text), strings.ToLower(tags[1]))
			if end < 0 {
				return "", false
			}
			return text[end+len(tags[1]):], true
		}
	}
	return text, true
}

// verdicts returns the outermost objects with a score, or all nested ones if no outermost object has one. open means
// that the last object with a score is truncated.
func verdicts(text string) (list []scored, open bool) {
	text = text[:min(len(text), maxReply)]
	scanner := scan.New(maxNested, 0)
	var nested []scored
	for i, work := 0, 0; work < maxWork; {
		brace := strings.IndexByte(text[i:], '{')
		if brace < 0 {
			break
		}
		i += brace
		if !opensMember(text[i+1:]) {
			i++
			continue
		}
		end := objectEnd(text[i:])
		if end < 0 {
			work += len(text) - i
			open = open || strings.Contains(text[i:], `"score"`)
			i++
			continue
		}
		work += end
		doc, err := scanner.Scan([]byte(text[i : i+end]))
		if err != nil {
			var beyond struct{ Score json.Number } // more than a double holds
			if json.Unmarshal([]byte(text[i:i+end]), &beyond) == nil && beyond.Score != "" {
				list = append(list, scored{score: beyond.Score.String()})
			}
			i++
			continue
		}
		if own, ok := scoreOf(doc.Root()); ok {
			list = append(list, own)
		} else {
			nested = appendNested(nested, doc.Root())
		}
		i += end
		open = false // unclosed text before this object is prose
	}
	if len(list) == 0 {
		return nested, open
	}
	return list, open
}

// opensMember reports whether an object can continue like this.
func opensMember(rest string) bool {
	return strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), `"`)
}

// objectEnd returns the length of the object at the start of a text, or -1 if it is truncated.
func objectEnd(text string) int {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// scoreOf reads an object with a direct score.
func scoreOf(n strictjson.Node) (s scored, ok bool) {
	scores := 0
	for member := range n.Children() {
		text, _ := member.Text()
		switch {
		case member.KeyIs("score"):
			scores++
			s.score = numberIn(member)
		case member.KeyIs("reason") && strings.TrimSpace(text) != "":
			s.reason = strings.TrimSpace(text)
		case member.KeyIs("explanation") && s.reason == "":
			s.reason = strings.TrimSpace(text)
		}
	}
	s.twice = scores > 1
	var b bytes.Buffer
	if json.Compact(&b, n.Raw()) == nil {
		s.text = b.Bytes()
	}
	return s, s.score != "" || s.twice
}

// appendNested appends the objects with a score that are inside a value.
func appendNested(list []scored, n strictjson.Node) []scored {
	for child := range n.Children() {
		if s, ok := scoreOf(child); ok && child.Is(strictjson.Object) {
			list = append(list, s)
			continue
		}
		list = appendNested(list, child)
	}
	return list
}

// numberIn returns the JSON number in a value or string, or "".
func numberIn(n strictjson.Node) string {
	if n.Is(strictjson.Number) {
		return string(n.Raw())
	}
	v, _ := n.Text()
	v = strings.TrimSpace(v)
	if v != "" && strings.IndexByte("-0123456789", v[0]) >= 0 && json.Valid([]byte(v)) {
		return v
	}
	return ""
}
