package commands

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestRecipesAreYAML reads what docs/scale.md shows of other programs' files.
func TestRecipesAreYAML(t *testing.T) {
	text, err := os.ReadFile("../docs/scale.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, block := range strings.Split(string(text), "\n```yaml\n")[1:] {
		block, _, _ = strings.Cut(block, "\n```\n")
		dec := yaml.NewDecoder(strings.NewReader(block))
		for {
			var document map[string]any
			err := dec.Decode(&document)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil || len(document) == 0 {
				t.Fatalf("%v in\n%s", err, block)
			}
			n++
		}
	}
	if n < 3 {
		t.Errorf("%d documents, expected 3 or more", n)
	}
}
