package v202603

import (
	"maps"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/expression"
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/patch"
)

// upMode takes the mode of a phase that is not its actor's: 2026-03 has one mode for all
// phases of an actor.
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

// downMode puts a mode that was kept into its place.
func downMode(ph migration.Phase) {
	if old, ok := ph.Text(migration.Prefix + "mode"); ok && ph.Has("mode") {
		ph.Drop(migration.Prefix + "mode")
		ph.Set("mode", patch.Text(old))
		return
	}
	ph.Restore("mode")
}

// The extractors that are kept stand on their phase, each by the number that it has in the
// list.
const keptExtractor = "extractors."

// upExtractors takes out what 2026-03 does not have: selectors without a group to capture.
func upExtractors(ph migration.Phase) {
	list := ph.Value("extractors")
	if list == nil || list.Kind != yaml.SequenceNode {
		return
	}
	var stay, kept []*yaml.Node
	for i, item := range ph.Content(list) {
		if !capturesNothing(ph, item) {
			stay = append(stay, item)
			continue
		}
		key := migration.Prefix + keptExtractor + strconv.Itoa(i)
		ph.Lost("extractors", "the selector of extractor %d has no group to capture, which has no counterpart in %s; kept as %s", i+1, later, key)
		kept = append(kept, patch.Text(key), item)
	}
	if len(kept) == 0 {
		return
	}
	content := slices.Clone(ph.Content(ph.Node))
	at := ph.Index(ph.Node, "extractors")
	ph.SetContent(ph.Node, slices.Insert(content, at+2, kept...))
	if len(stay) == 0 {
		ph.Drop("extractors")
	} else {
		ph.SetContent(list, stay)
	}
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

// downExtractors puts the extractors that were kept into their places.
func downExtractors(ph migration.Phase) {
	kept := map[int]*yaml.Node{}
	var rest []*yaml.Node
	at := -1
	content := ph.Content(ph.Node)
	for i := 0; i < len(content); i += 2 {
		number, is := strings.CutPrefix(content[i].Value, migration.Prefix+keptExtractor)
		if n, err := strconv.Atoi(number); is && err == nil && n >= 0 {
			if at < 0 {
				at = len(rest)
			}
			kept[n] = content[i+1]
			continue
		}
		rest = append(rest, content[i], content[i+1])
	}
	if len(kept) == 0 {
		return
	}
	ph.SetContent(ph.Node, rest)
	list := ph.Value("extractors")
	if list == nil || list.Kind != yaml.SequenceNode {
		ph.Insert(ph.Node, at, patch.Text("extractors"), patch.List(inPlaces(nil, kept)...))
		return
	}
	ph.SetContent(list, inPlaces(ph.Content(list), kept))
}

// inPlaces puts items between others so that each has the index that it is kept by.
func inPlaces(others []*yaml.Node, kept map[int]*yaml.Node) []*yaml.Node {
	list := make([]*yaml.Node, 0, len(others)+len(kept))
	for len(others) > 0 {
		if item, ok := kept[len(list)]; ok {
			delete(kept, len(list))
			list = append(list, item)
			continue
		}
		list, others = append(list, others[0]), others[1:]
	}
	for _, i := range slices.Sorted(maps.Keys(kept)) {
		list = append(list, kept[i])
	}
	return list
}
