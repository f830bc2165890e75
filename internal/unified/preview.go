package unified

import (
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// Limits of a previewed fix: lines and bytes per line.
const (
	previewLines = 6
	previewBytes = 200
)

// Preview returns the first lines of a diff from the first difference, as in finding.Fix. The edits are as in Write.
func Preview(text []byte, edits []finding.Edit) (lines []string) {
	var diff strings.Builder
	_ = Write(&diff, text, edits, func(line string) string { return say.Visible(say.Preview(line, previewBytes)) }) // a Builder takes all
	for line := range strings.Lines(diff.String()) {
		if (line[0] == '-' || line[0] == '+') && len(lines) < previewLines {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	return lines
}
