package revision

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// Recognize detects a document's revision by its marks: the lowest level with a mark decides, then the later
// revision. Without marks it is the oldest. signs has the strongest mark of each revision, the deciding one first.
// The result is independent of key order and style.
func Recognize(root *yaml.Node) (p *profile.Profile, signs []place.Sign) {
	p = All[0]
	decided := math.MaxInt // the level
	for i, searches := range searched() {
		level, at, found := strongest(searches, root)
		if !found {
			continue
		}
		sign := place.Sign{Revision: All[i].Revision, Path: at}
		if level > decided {
			signs = append(signs, sign)
			continue
		}
		p, decided, signs = All[i], level, slices.Insert(signs, 0, sign)
	}
	return p, signs
}

// strongest returns a revision's strongest mark in the document.
func strongest(searches []search, root *yaml.Node) (level int, at string, found bool) {
	for i := range searches {
		s := &searches[i]
		if at, found := s.in(root, s.steps); found {
			return s.Level, at[1:], true
		}
	}
	return 0, "", false
}

// search looks for a mark at its possible places.
type search struct {
	*profile.Mark
	steps []string // from the root on: keys, and "[]" for each element of a list
}

// roots are the starts of the paths of marks.
var roots = map[string][]string{
	"attack": {"attack"},
	"phase":  {"attack.execution.phases[]", "attack.execution.actors[].phases[]"},
	"state":  {"attack.execution.state", "attack.execution.phases[].state", "attack.execution.actors[].phases[].state"},
}

// searched are the searches for each revision's marks, the lowest level first.
var searched = sync.OnceValue(func() [][]search {
	all := make([][]search, len(All))
	for i, p := range All {
		for k := range p.Marks {
			from, path, _ := strings.Cut(p.Marks[k].Path, ".")
			for _, root := range roots[from] {
				steps := strings.Split(strings.ReplaceAll(root+"."+path, "[]", ".[]"), ".")
				all[i] = append(all[i], search{&p.Marks[k], steps})
			}
		}
		slices.SortStableFunc(all[i], func(a, b search) int { return cmp.Compare(a.Level, b.Level) })
	}
	return all
})

// in searches for the mark below a node along the remaining steps, and returns its path.
func (s *search) in(n *yaml.Node, steps []string) (at string, found bool) {
	switch {
	case len(steps) == 0:
		return "", s.is(n)
	case steps[0] == "[]":
		if n.Kind != yaml.SequenceNode {
			return "", false
		}
		for i, item := range n.Content {
			if at, found := s.in(item, steps[1:]); found {
				return "[" + strconv.Itoa(i) + "]" + at, true
			}
		}
		return "", false
	case n.Kind != yaml.MappingNode:
		return "", false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || !s.leads(steps[0], key.Value) {
			continue
		}
		if at, found := s.in(n.Content[i+1], steps[1:]); found {
			return "." + key.Value + at, true
		}
	}
	return "", false
}

// leads reports whether a key matches the next step of a path.
func (s *search) leads(step, key string) bool {
	if step == "*" {
		return s.Key(key)
	}
	return step == key
}

// is reports whether the key's value or the element satisfies the mark.
func (s *search) is(n *yaml.Node) bool {
	switch {
	case s.Mapping:
		return n.Kind == yaml.MappingNode
	case s.Text != nil:
		if n.Kind != yaml.ScalarNode {
			return false
		}
		v, _ := yamltext.Scalar(n)
		text, ok := v.(string)
		return ok && s.Text(text)
	}
	return true
}
