// Package shape parses untrusted JSON documents of fixed shape, such as attestations and redaction reports.
package shape

import (
	"encoding/base64"
	"fmt"
	"iter"
	"strconv"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Reader reads a document of fixed shape. It keeps the first fault and continues with empty values.
type Reader struct {
	Rule    *finding.Rule
	What    string           // prefix of fault messages
	Fault   *finding.Finding // the first one; nil: none
	Unknown []string         // the pointers of members that no type names

	Base   string // the pointer of the root, where that is a part of a larger document
	Secret bool   // values are not repeated in messages
}

// Begin starts the next step of the check.
func (r *Reader) Begin(step *finding.Rule, what string) { r.Rule, r.What = step, what }

// Refuse records a fault at a member, unless there is one already. The name "" means the parent itself.
func (r *Reader) Refuse(parent strictjson.Node, name, expected string) {
	if r.Fault != nil {
		return
	}
	n, at := parent, r.Base+parent.Pointer()
	if name != "" {
		n, at = parent.Get(name), at+"/"+strictjson.PointerToken(name)
	}
	r.Fault = Fault(r.Rule, at, fmt.Sprintf("%s, %s is %s, expected %s", r.What, placeName(at), r.shown(n), expected))
}

func placeName(pointer string) string {
	if pointer == "" {
		return "it"
	}
	return pointer
}

// shown shortens a value for a message.
func (r *Reader) shown(n strictjson.Node) string {
	switch {
	case !n.Exists():
		return "absent"
	case n.Is(strictjson.Object), n.Is(strictjson.Array):
		return fmt.Sprintf("%s of %d", say.Article(n.Kind().String()), n.Len())
	case r.Secret:
		return say.Article(n.Kind().String())
	}
	return say.Preview(n.Raw(), previewBytes)
}

// Object returns a required object.
func (r *Reader) Object(parent strictjson.Node, name string) strictjson.Node {
	n := parent.Get(name)
	if !n.Is(strictjson.Object) {
		r.Refuse(parent, name, "an object")
	}
	return n
}

// Root returns the document's value, which must be an object.
func (r *Reader) Root(doc *strictjson.Document) strictjson.Node {
	if !doc.Root().Is(strictjson.Object) {
		r.Refuse(doc.Root(), "", "an object")
	}
	return doc.Root()
}

// List returns the elements of a required array of one to most objects.
func (r *Reader) List(parent strictjson.Node, name string, most int) (objects []strictjson.Node) {
	n := parent.Get(name)
	if !n.Is(strictjson.Array) || n.Len() < 1 || n.Len() > most {
		r.Refuse(parent, name, manyObjects(most))
		return nil
	}
	for element := range n.Children() {
		if !element.Is(strictjson.Object) {
			r.Refuse(element, "", "an object")
		}
		objects = append(objects, element)
	}
	return objects
}

func manyObjects(most int) string {
	if most == 1 {
		return "an array of one object"
	}
	return fmt.Sprintf("an array of 1 to %d objects", most)
}

// Text returns a required string.
func (r *Reader) Text(parent strictjson.Node, name string) string {
	text, ok := parent.Get(name).Text()
	if !ok {
		r.Refuse(parent, name, "a string")
	}
	return text
}

// Optional returns an optional string member, "" if absent or null.
func (r *Reader) Optional(parent strictjson.Node, name string) string {
	if parent.Get(name).Missing() {
		return ""
	}
	return r.Text(parent, name)
}

// Fixed requires a member with a fixed text.
func (r *Reader) Fixed(parent strictjson.Node, name, want string) {
	if text, ok := parent.Get(name).Text(); !ok || text != want {
		r.Refuse(parent, name, strconv.Quote(want))
	}
}

// Count returns a required nonnegative integer, written in digits only.
func (r *Reader) Count(parent strictjson.Node, name string) int64 {
	n, ok := parent.Get(name).Int()
	if !ok || n < 0 || parent.Get(name).Raw()[0] == '-' {
		r.Refuse(parent, name, "a number of 0 or more, in digits alone")
	}
	return n
}

// Sum returns a required digest in text form.
func (r *Reader) Sum(parent strictjson.Node, name string) digest.Sum {
	sum, ok := digest.Parse(parent.Get(name).TextBytes(nil))
	if !ok {
		r.Refuse(parent, name, digest.Form)
	}
	return sum
}

// Hex returns a required digest in hex digits.
func (r *Reader) Hex(parent strictjson.Node, name string) digest.Sum {
	sum, ok := digest.ParseHex(parent.Get(name).TextBytes(nil))
	if !ok {
		r.Refuse(parent, name, "64 lower-case hexadecimal digits")
	}
	return sum
}

// Base64 returns the bytes of a member in either of the alphabets that DSSE allows.
func (r *Reader) Base64(parent strictjson.Node, name string) []byte {
	text := r.Text(parent, name)
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		bytes, err = base64.URLEncoding.DecodeString(text)
	}
	if err != nil {
		r.Refuse(parent, name, "base64")
	}
	return bytes
}

// Only records the pointers of members with other names.
func (r *Reader) Only(object strictjson.Node, names ...string) {
	for member := range object.Children() {
		if !oneOf(member, names) {
			r.Unknown = append(r.Unknown, member.Pointer())
		}
	}
}

func oneOf(member strictjson.Node, names []string) bool {
	for _, name := range names {
		if member.KeyIs(name) {
			return true
		}
	}
	return false
}

// Flag returns a required boolean.
func (r *Reader) Flag(parent strictjson.Node, name string) bool {
	set, ok := parent.Get(name).Bool()
	if !ok {
		r.Refuse(parent, name, "true or false")
	}
	return set
}

// Elements returns the elements of a required array.
func (r *Reader) Elements(parent strictjson.Node, name string) iter.Seq[strictjson.Node] {
	n := parent.Get(name)
	if !n.Is(strictjson.Array) {
		r.Refuse(parent, name, "an array")
		return func(func(strictjson.Node) bool) {}
	}
	return n.Children()
}

// Fault returns a finding at a member of a document.
func Fault(r *finding.Rule, pointer, message string) *finding.Finding {
	f := r.New(message)
	f.Path = pointer
	return &f
}

// Differs returns a fault with expected and actual values.
func Differs(r *finding.Rule, pointer, message, expected, found string) *finding.Finding {
	f := Fault(r, pointer, message)
	f.Expected, f.Found = say.Preview(expected, previewBytes), say.Preview(found, previewBytes)
	return f
}

// previewBytes is the size of a value's preview in messages: the text of a digest is shown whole.
const previewBytes = 80
