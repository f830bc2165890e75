// Package cite has the citations of session logs that were made of other records: which bytes of which file an event
// was made of.
//
// A citation is the payload member "source":
//
//	{"content_path":"s.jsonl","sha256":"6f…","span":[0,311],"snippet_sha256":"9a…",
//	 "members":{"args_hash":[210,230],"tool_name":[190,196]}}
//
// content_path and sha256 name the file, span the record in it as bytes [from, to), and snippet_sha256 is the digest
// of these bytes. members gives the bytes of single payload members: a member whose name ends in "_hash" is their
// SHA-256, any other one is the JSON string in them.
package cite

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Name is the payload member with the citation.
const Name = "source"

// List is the payload member of SESSION_START with all files.
const List = "sources"

// Hash ends the names of members that are the SHA-256 of their bytes.
const Hash = "_hash"

// Unknown is the value of a required text that the source does not have. It needs no citation, unless it is a hash.
const Unknown = "unknown"

// Stream is the content_path of a source without a name, such as standard input. Its digest identifies it.
const Stream = "stdin"

// Span is a range of bytes: from the first up to, but not including, the second.
type Span [2]int64

// Member is the place of a payload member's value.
type Member struct {
	Name string
	Span Span
}

// Citation is the source of an event.
type Citation struct {
	Path    string // slash-separated, below the folder of the sources
	Sum     digest.Sum
	Span    Span
	Snippet digest.Sum
	Members []Member
}

// required are the members that need a citation, by event type.
var required = map[string][]string{
	"LLM_CALL":     {"prompt_hash", "model_id"},
	"LLM_RESPONSE": {"content_hash", "finish_reason"},
	"TOOL_CALL":    {"tool_name", "args_hash"},
	"TOOL_RESULT":  {"tool_name", "result_hash"},
	"TOOL_ERROR":   {"error_type", "error_message"},
}

// own are the event types that describe the log. They are not copied from a source.
var own = []string{
	"SESSION_START", "SESSION_END", "LOG_DROP", "CHAIN_SEAL", "CHAIN_BROKEN", "REDACTION", "FORENSIC_FREEZE",
}

// Required returns the payload members of an event type that need a citation. copied is false for types that are not
// copied from a source, such as SESSION_START.
func Required(eventType string) (members []string, copied bool) {
	return required[eventType], !slices.Contains(own, eventType)
}

// Append appends the JSON of the citation.
func (c *Citation) Append(dst []byte) []byte {
	dst = jcs.AppendText(append(dst, `{"content_path":`...), c.Path)
	dst = append(c.Sum.AppendHex(append(dst, `,"sha256":"`...)), `","span":`...)
	dst = append(appendSpan(dst, c.Span), `,"snippet_sha256":"`...)
	dst = append(c.Snippet.AppendHex(dst), `","members":{`...)
	for i, m := range c.Members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendSpan(append(jcs.AppendText(dst, m.Name), ':'), m.Span)
	}
	return append(dst, "}}"...)
}

func appendSpan(dst []byte, s Span) []byte {
	dst = strconv.AppendInt(append(dst, '['), s[0], 10)
	return append(strconv.AppendInt(append(dst, ','), s[1], 10), ']')
}

// ReadFile reads the name and the digest of a file. why says what is wrong, or is "".
func ReadFile(n strictjson.Node) (c Citation, why string) {
	if !n.Is(strictjson.Object) {
		return c, "the citation is not an object"
	}
	name, ok := n.Get("content_path").Text()
	if c.Path = name; !ok || !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00") {
		return c, "content_path of the citation is not a relative path without \"..\""
	}
	if c.Sum, ok = digest.ParseHex(n.Get("sha256").TextBytes(nil)); !ok {
		return c, "sha256 of the citation" + notHex
	}
	return c, ""
}

const notHex = " is not 64 lower-case hexadecimal digits"

// Read reads a citation. why says what is wrong with it, or is "".
func Read(n strictjson.Node) (c Citation, why string) {
	if c, why = ReadFile(n); why != "" {
		return c, why
	}
	var ok bool
	if c.Snippet, ok = digest.ParseHex(n.Get("snippet_sha256").TextBytes(nil)); !ok {
		return c, "snippet_sha256 of the citation" + notHex
	}
	if c.Span, ok = readSpan(n.Get("span")); !ok {
		return c, "span of the citation is not two byte offsets"
	}
	members := n.Get("members")
	if !members.Is(strictjson.Object) {
		return c, "members of the citation is not an object"
	}
	for m := range members.Children() {
		s, ok := readSpan(m)
		if !ok {
			return c, "the span of " + m.Key() + " is not two byte offsets"
		}
		c.Members = append(c.Members, Member{m.Key(), s})
	}
	return c, ""
}

func readSpan(n strictjson.Node) (s Span, ok bool) {
	if !n.Is(strictjson.Array) || n.Len() != 2 {
		return s, false
	}
	from, isFrom := n.At(0).Int()
	to, isTo := n.At(1).Int()
	return Span{from, to}, isFrom && isTo && 0 <= from && from < to
}

// Of returns the span of a payload member; ok is false if it has none.
func (c *Citation) Of(name string) (s Span, ok bool) {
	for _, m := range c.Members {
		if m.Name == name {
			return m.Span, true
		}
	}
	return s, false
}

// Holds reports whether a payload member is the copy of source bytes: their SHA-256 if its name ends in "_hash",
// otherwise the JSON string that they are. An item type such as "web_search_call" is also the name of its tool,
// web_search.
func Holds(scanner *strictjson.Scanner, name string, value strictjson.Node, text []byte) bool {
	if strings.HasSuffix(name, Hash) {
		return value.TextIs(digest.Of(text).Hex())
	}
	copied, isText := value.Text()
	doc, err := scanner.Scan(text)
	if err != nil || !isText {
		return false
	}
	said := doc.Root()
	return said.TextIs(copied) || name == "tool_name" && said.TextIs(copied+"_call")
}
