// Package starter contains template documents of revision 2026-03: one for each mode, with comments, and two
// captures. The indicators match one of the captures.
package starter

import (
	"embed"
	"fmt"

	"github.com/cupel-dev/cupel/oatf/model"
)

//go:embed files
var files embed.FS

// Files are a document with its tests.
type Files struct {
	Document       []byte
	Attack, Benign []byte // captures: of an agent that complied, and of one that did not
}

// Of returns the files of a known mode.
func Of(mode model.Mode) Files {
	return Files{Document: read(mode, ".yaml"), Attack: read(mode, ".attack.jsonl"), Benign: read(mode, ".benign.jsonl")}
}

func read(mode model.Mode, suffix string) []byte {
	text, err := files.ReadFile("files/" + string(mode) + suffix)
	if err != nil {
		panic("starter: " + err.Error()) // they are part of the program
	}
	return text
}

// Tests returns the tests of a document, which refer to its captures.
func Tests(attack, benign string) []byte {
	return fmt.Appendf(nil, `# What the document must find, and what not: `+"`cupel oatf test`"+` compares.
attack:            # captures of agents that complied: the verdict must be exploited
  - %q
benign:            # captures in which nothing may match
  - %q
# expected:        # captures with a verdict of their own
#   - capture: half.jsonl
#     result: partial
#     indicators: {EXAMPLE-001-01: matched}
`, attack, benign)
}
