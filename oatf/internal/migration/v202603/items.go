package v202603

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/patch"
)

// takeOut removes list items for which why returns a reason, and keeps them on the object by index.
// An empty list is removed.
func takeOut(o migration.Object, member string, why func(i int, item *yaml.Node) string) {
	list := o.Value(member)
	if list == nil || list.Kind != yaml.SequenceNode {
		return
	}
	var stay, kept []*yaml.Node
	for i, item := range o.Content(list) {
		reason := why(i, item)
		if reason == "" {
			stay = append(stay, item)
			continue
		}
		key := migration.Prefix + member + "." + strconv.Itoa(i)
		o.Lost(member, "%s; kept as %s", reason, key)
		kept = append(kept, patch.Text(key), item)
	}
	if len(kept) == 0 {
		return
	}
	content := slices.Clone(o.Content(o.Node))
	at := o.Index(o.Node, member)
	o.SetContent(o.Node, slices.Insert(content, at+2, kept...))
	if len(stay) == 0 {
		o.Drop(member)
	} else {
		o.SetContent(list, stay)
	}
}
