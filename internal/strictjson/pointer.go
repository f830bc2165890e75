package strictjson

import (
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
)

// maxPointerKey bounds how much of each member name an error's pointer repeats.
const maxPointerKey = 64

// Pointer returns the RFC 6901 JSON pointer of the value; "" is the root.
func (n Node) Pointer() string {
	var b strings.Builder
	for at := n.root(); at != n; {
		position := 0
		for child := range at.Children() {
			if n.within(child) {
				writeStep(&b, at, child, position)
				at = child
				break
			}
			position++
		}
	}
	return b.String()
}

// root is the document's value, the zero Node for the zero Node.
func (n Node) root() Node { return Node{n.doc, 0} }

// within says whether the value is outer or lies below it.
func (n Node) within(outer Node) bool {
	return outer.index <= n.index && int(n.index) < int(outer.index)+outer.Size()
}

// writeStep appends the way from a container to one of its children.
func writeStep(b *strings.Builder, container, child Node, position int) {
	if container.Is(Object) {
		writeToken(b, child.Key())
		return
	}
	b.WriteByte('/')
	b.WriteString(strconv.Itoa(position))
}

// writeToken appends one reference token, escaped as RFC 6901 asks and cut to size.
func writeToken(b *strings.Builder, name string) {
	b.WriteByte('/')
	b.WriteString(PointerToken(say.Preview(name, maxPointerKey)))
}

// The escapes of JSON pointers (RFC 6901 §3).
var (
	tokenOfName = strings.NewReplacer("~", "~0", "/", "~1")
	nameOfToken = strings.NewReplacer("~1", "/", "~0", "~")
)

// PointerToken escapes a member name for use in a JSON pointer.
func PointerToken(name string) string { return tokenOfName.Replace(name) }

// PointerName is the member name that a token of a JSON pointer stands for.
func PointerName(token string) string { return nameOfToken.Replace(token) }
