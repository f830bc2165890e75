package lspcmd

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/lsp"
)

// BenchmarkEditor measures the cost of a key press in a document of 20 KB, without the server's pause: its check, and
// the requests about the cursor's position.
func BenchmarkEditor(b *testing.B) {
	text, err := os.ReadFile("../testdata/examples/oatf/five-faults.yaml")
	if err != nil {
		b.Fatal(err)
	}
	all := strings.TrimRight(string(text), "\n") + "\n"
	for i := 0; len(all) < 20_000; i++ {
		all += fmt.Sprintf("    - id: X-%d\n      surface: tool_arguments\n      pattern: {target: arguments.path, condition: {regex: 'id_(rsa|dsa)%d'}}\n", i, i)
	}
	doc := lsp.Document{URI: "file:///nowhere/a.yaml", Text: all}
	l := newEditorLanguage(b.Context(), false)
	b.Run("check", func(b *testing.B) {
		b.SetBytes(int64(len(all)))
		for b.Loop() {
			if list := l.Check(b.Context(), doc); len(list) < 5 {
				b.Fatal(list)
			}
		}
	})
	b.Run("complete", func(b *testing.B) {
		for b.Loop() {
			if list := l.Complete(doc, strings.Index(all, "surface:")+len("surface: ")); len(list) == 0 {
				b.Fatal("nothing")
			}
		}
	})
}
