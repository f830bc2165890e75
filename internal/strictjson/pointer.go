package strictjson

import (
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
)

// maxPointerKey limits each member name in an error's pointer.
const maxPointerKey = 64

// Pointer returns the value's JSON pointer (RFC 6901); "" is the root. Long names are cut.
func (n Node) Pointer() string { return n.PointerOf(maxPointerKey) }

// PointerOf is Pointer, but cuts each name to at most name bytes.
func (n Node) PointerOf(name int) string {
	var b strings.Builder
	for at := n.root(); at != n; {
		position := 0
		for child := range at.Children() {
			if n.within(child) {
				writeStep(&b, at, child, position, name)
				at = child
				break
			}
			position++
		}
	}
	return b.String()
}

func (n Node) root() Node { return Node{n.doc, 0} }

// within reports whether the value is outer or a descendant.
func (n Node) within(outer Node) bool {
	return outer.index <= n.index && int(n.index) < int(outer.index)+outer.Size()
}

func writeStep(b *strings.Builder, container, child Node, position, name int) {
	if container.Is(Object) {
		writeToken(b, child.Key(), name)
		return
	}
	b.WriteByte('/')
	b.WriteString(strconv.Itoa(position))
}

// writeToken appends a reference token, escaped (RFC 6901) and truncated.
func writeToken(b *strings.Builder, name string, most int) {
	b.WriteByte('/')
	b.WriteString(PointerToken(say.Preview(name, most)))
}

var (
	tokenOfName = strings.NewReplacer("~", "~0", "/", "~1")
	nameOfToken = strings.NewReplacer("~1", "/", "~0", "~")
)

// PointerToken escapes a member name for a JSON pointer.
func PointerToken(name string) string { return tokenOfName.Replace(name) }

// PointerName unescapes a JSON pointer token.
func PointerName(token string) string { return nameOfToken.Replace(token) }
