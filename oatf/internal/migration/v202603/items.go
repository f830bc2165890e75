package v202603

import (
	"maps"
	"slices"
	"strconv"
	"strings"

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

type keptItems struct {
	o      migration.Object
	member string
	at     int // index of the first one
	items  map[int]*yaml.Node
}

func takeKept(o migration.Object, member string) keptItems {
	k := keptItems{o: o, member: member, items: map[int]*yaml.Node{}}
	if o.Node == nil {
		return k
	}
	var rest []*yaml.Node
	content := o.Content(o.Node)
	for i := 0; i < len(content); i += 2 {
		number, is := strings.CutPrefix(content[i].Value, migration.Prefix+member+".")
		if n, err := strconv.Atoi(number); is && err == nil && n >= 0 {
			if len(k.items) == 0 {
				k.at = len(rest)
			}
			k.items[n] = content[i+1]
			continue
		}
		rest = append(rest, content[i], content[i+1])
	}
	if len(k.items) > 0 {
		o.SetContent(o.Node, rest)
	}
	return k
}

// putBack inserts the items at their original positions.
func (k keptItems) putBack() {
	if len(k.items) == 0 {
		return
	}
	list := k.o.Value(k.member)
	if list == nil || list.Kind != yaml.SequenceNode {
		k.o.Insert(k.o.Node, k.at, patch.Text(k.member), patch.List(inPlaces(nil, k.items)...))
		return
	}
	k.o.SetContent(list, inPlaces(k.o.Content(list), k.items))
}

// inPlaces inserts kept items at their indexes.
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
