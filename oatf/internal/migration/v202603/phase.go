package v202603

import (
	"fmt"
	"regexp/syntax"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/expression"
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/patch"
)

// upMode keeps a phase's mode that differs from its actor's, because 2026-03 has one mode per actor.
func upMode(ph migration.Phase) {
	own, ok := ph.Text("mode")
	if !ok || ph.Path.Key() == "execution" || own == string(ph.Actor) {
		return
	}
	if !ph.Free {
		ph.Lose("mode", "a phase of another mode than its actor's has no counterpart in %s", later)
		return
	}
	ph.KeepText("mode", own, "mode")
	ph.Set("mode", patch.Text(string(ph.Actor)))
	ph.Lost("mode", "phases of different modes have no counterpart in %s; kept as %smode", later, migration.Prefix)
}

// upExtractors keeps extractors that 2026-03 does not allow: selectors without a capturing group.
func upExtractors(ph migration.Phase) {
	takeOut(ph.Object, "extractors", func(i int, item *yaml.Node) string {
		if capturesNothing(ph, item) {
			return fmt.Sprintf("the selector of extractor %d has no group to capture, which has no counterpart in %s", i+1, later)
		}
		return ""
	})
}

func capturesNothing(ph migration.Phase, item *yaml.Node) bool {
	if kind, _ := migration.String(ph.Get(item, "type")); kind != "regex" {
		return false
	}
	selector, ok := migration.String(ph.Get(item, "selector"))
	if !ok || expression.CheckRegex(selector) != nil {
		return false
	}
	tree, err := syntax.Parse(selector, syntax.Perl)
	return err == nil && tree.MaxCap() == 0
}
