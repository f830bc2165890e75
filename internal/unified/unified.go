// Package unified formats edits as a unified diff with a few lines of context:
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

// headLines is the length of a diff's header, which the caller writes.
const headLines = 3

// Write writes the hunks of a diff, without header; show formats each line. Edits must be sorted and must not
// overlap. Without changes it writes nothing. It returns errors of w and of finding.Apply.
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
