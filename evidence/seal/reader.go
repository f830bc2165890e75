package seal

import (
	"encoding/base64"
	"fmt"
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// reader reads a document of a fixed shape. It keeps the first fault and goes on with
// empty values, so that its callers are as plain as the shape.
type reader struct {
	rule    rule
	what    string // what a fault means, before the place and the kind of it
	fault   *evidence.Finding
	unknown []string
}

// begin turns to the next step of the check.
func (r *reader) begin(step rule, what string) { r.rule, r.what = step, what }

// refuse notes a fault at a member, unless there is one already. The name "" is the
// parent's own place.
func (r *reader) refuse(parent strictjson.Node, name, expected string) {
	if r.fault != nil {
		return
	}
	n, at := parent, parent.Pointer()
	if name != "" {
		n, at = parent.Get(name), at+"/"+strictjson.PointerToken(name)
	}
	f := fault(r.rule, at, fmt.Sprintf("%s, %s is %s, expected %s", r.what, placeName(at), shown(n), expected))
	r.fault = f
}

func placeName(pointer string) string {
	if pointer == "" {
		return "it"
	}
	return pointer
}

// shown is a value as a message repeats it.
func shown(n strictjson.Node) string {
	switch {
	case !n.Exists():
		return "absent"
	case n.Is(strictjson.Object), n.Is(strictjson.Array):
		return fmt.Sprintf("%s of %d", say.Article(n.Kind().String()), n.Len())
	}
	return say.Preview(n.Raw(), previewBytes)
}

// object returns a member that must be an object.
func (r *reader) object(parent strictjson.Node, name string) strictjson.Node {
	n := parent.Get(name)
	if !n.Is(strictjson.Object) {
		r.refuse(parent, name, "an object")
	}
	return n
}

// root returns the document's value, which must be an object.
func (r *reader) root(doc *strictjson.Document) strictjson.Node {
	if !doc.Root().Is(strictjson.Object) {
		r.refuse(doc.Root(), "", "an object")
	}
	return doc.Root()
}

// list returns the elements of a member that must be an array of one to most objects.
func (r *reader) list(parent strictjson.Node, name string, most int) (objects []strictjson.Node) {
	n := parent.Get(name)
	if !n.Is(strictjson.Array) || n.Len() < 1 || n.Len() > most {
		r.refuse(parent, name, manyObjects(most))
		return nil
	}
	for element := range n.Children() {
		if !element.Is(strictjson.Object) {
			r.refuse(element, "", "an object")
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

// text returns a member that must be a string.
func (r *reader) text(parent strictjson.Node, name string) string {
	text, ok := parent.Get(name).Text()
	if !ok {
		r.refuse(parent, name, "a string")
	}
	return text
}

// optional returns a member that may be a string; absent and null are "".
func (r *reader) optional(parent strictjson.Node, name string) string {
	if parent.Get(name).Missing() {
		return ""
	}
	return r.text(parent, name)
}

// fixed requires a member to be one text.
func (r *reader) fixed(parent strictjson.Node, name, want string) {
	if text, ok := parent.Get(name).Text(); !ok || text != want {
		r.refuse(parent, name, strconv.Quote(want))
	}
}

// count returns a member that must be a number of things, written as digits alone.
func (r *reader) count(parent strictjson.Node, name string) int64 {
	n, ok := parent.Get(name).Int()
	if !ok || n < 0 || parent.Get(name).Raw()[0] == '-' {
		r.refuse(parent, name, "a number of 0 or more, in digits alone")
	}
	return n
}

// sum returns a member that must be the text form of a digest.
func (r *reader) sum(parent strictjson.Node, name string) evidence.Sum {
	sum, ok := digest.Parse(parent.Get(name).TextBytes(nil))
	if !ok {
		r.refuse(parent, name, `"sha256:" and 64 lower-case hexadecimal digits`)
	}
	return sum
}

// hex returns a member that must be the digits of a digest.
func (r *reader) hex(parent strictjson.Node, name string) evidence.Sum {
	sum, ok := digest.ParseHex(parent.Get(name).TextBytes(nil))
	if !ok {
		r.refuse(parent, name, "64 lower-case hexadecimal digits")
	}
	return sum
}

// base64 returns the bytes of a member in either of the alphabets that DSSE allows.
func (r *reader) base64(parent strictjson.Node, name string) []byte {
	text := r.text(parent, name)
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		bytes, err = base64.URLEncoding.DecodeString(text)
	}
	if err != nil {
		r.refuse(parent, name, "base64")
	}
	return bytes
}

// only keeps the pointers of the members of an object that its type does not name.
func (r *reader) only(object strictjson.Node, names ...string) {
	for member := range object.Children() {
		if !oneOf(member, names) {
			r.unknown = append(r.unknown, member.Pointer())
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
