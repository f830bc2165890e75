package oatf

import (
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/unified"
)

// What is shown of fixes: of so many in a document, so many lines.
const (
	mostPreviews = 50
	previewLines = 6
	previewBytes = 200 // of a line
)

// preview adds to the first fixes of a document's findings the lines that they change.
func preview(list []Finding, text []byte) {
	shown := 0
	for i := range list {
		if fix := list[i].Fix; fix != nil && shown < mostPreviews {
			shown++
			fix.Preview = changedLines(text, list[i:i+1])
		}
	}
}

// changedLines are the lines of a unified diff that are not the same on both sides.
func changedLines(text []byte, of []Finding) (lines []string) {
	var diff strings.Builder
	_ = unified.Write(&diff, text, editsOf(of), func(line string) string { return say.Visible(say.Preview(line, previewBytes)) }) // a Builder takes all
	for line := range strings.Lines(diff.String()) {
		if (line[0] == '-' || line[0] == '+') && len(lines) < previewLines {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	return lines
}
