// Package unified shows edits of a text as a unified diff: the changed lines, each with a
// few of its neighbours.
//
//	@@ -1,2 +1,2 @@
//	 attack:
//	-    name: a
//	+  name: a
package unified

import (
	"bufio"
	"bytes"
	"io"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/cupel-dev/cupel/finding"
)

// headLines are the lines of a diff that name the two texts; the caller writes its own.
const headLines = 3

// Write writes the hunks of a diff without a head, each of its lines as show returns it. The edits are in the order of
// the text and do not overlap. There is nothing to write if they change nothing. The error is the writer's, or
// that of finding.Apply.
func Write(w io.Writer, text []byte, edits []finding.Edit, show func(line string) string) error {
	changed, err := finding.Apply(text, edits)
	if err != nil {
		return err
	}
	out, n := bufio.NewWriter(w), 0
	for line := range bytes.Lines(diff.Diff("", text, "", changed)) {
		if n++; n <= headLines {
			continue
		}
		if line[0] == ' ' || line[0] == '-' || line[0] == '+' {
			_ = out.WriteByte(line[0]) // Flush has the error
			line = line[1:]
		}
		_, _ = out.WriteString(show(string(bytes.TrimSuffix(line, []byte("\n")))))
		_ = out.WriteByte('\n')
	}
	return out.Flush()
}
