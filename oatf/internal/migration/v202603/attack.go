package v202603

import (
	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// upAttack removes content that 2026-03 forbids: repeated impacts, and a correlation without indicators.
func upAttack(attack migration.Object) {
	seen := map[string]bool{}
	takeOut(attack, "impact", func(_ int, item *yaml.Node) string {
		impact, ok := migration.String(item)
		if !ok || !seen[impact] {
			seen[impact] = true
			return ""
		}
		return "the repeated impact " + say.Quoted(impact) + " has no counterpart in " + string(later)
	})
	if attack.Child("correlation").Node != nil && isNone(attack.Value("indicators")) {
		attack.Lose("correlation", "a correlation without indicators has no counterpart in %s", later)
	}
}

func isNone(n *yaml.Node) bool { return n == nil || yamltext.IsNull(n) }
