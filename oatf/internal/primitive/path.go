package primitive

import (
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// MaxPathDepth is the maximum number of steps of a wildcard path, as §5.1.2 recommends. A name and a [*] are one
// step each.
const MaxPathDepth = 64

// ResolveSimple returns the value at a simple dot-path (§5.1.1), or at the root for the empty path. found is true
// for a null value, and false if the path does not resolve or is invalid.
func ResolveSimple(path string, value model.Value) (v model.Value, found bool) {
	if !vocabulary.CheckSimplePath(path) {
		return nil, false
	}
	return (*lookup)(nil).resolve(path, value)
}

// Path is a compiled wildcard dot-path (§5.1.2).
type Path struct {
	segments []segment
	fans     int // how many of them end in [*]
}

type segment struct {
	name string
	fan  bool // it ends in [*]
}

// CompilePath compiles a wildcard dot-path. It returns an error of kind path_resolution if the path is invalid or
// has more than MaxPathDepth steps.
func CompilePath(path string) (Path, error) {
	if !vocabulary.CheckWildcardPath(path) {
		return Path{}, fault(model.EvaluationPathResolution,
			"%s is not a dot-path: write names of letters, digits, _ and -, separated by dots, each with or without [*]", say.Quoted(path))
	}
	var p Path
	for path != "" {
		var text string
		text, path, _ = strings.Cut(path, ".")
		name, fan := strings.CutSuffix(text, "[*]")
		p.segments = append(p.segments, segment{name, fan})
		if fan {
			p.fans++
		}
		if len(p.segments)+p.fans > MaxPathDepth {
			return Path{}, fault(model.EvaluationPathResolution, "the path goes deeper than %d levels", MaxPathDepth)
		}
	}
	return p, nil
}

// Each calls visit for each value at the path, in message order, until visit returns false. at is the position of
// the value and valid during the call. Time is proportional to the visited values, memory to the depth.
func (p Path) Each(value model.Value, visit func(value model.Value, at *Trail) bool) {
	at := Trail{segments: p.segments}
	if p.fans > 0 {
		at.elements = make([]int, 0, p.fans)
	}
	p.walk(value, 0, &at, visit)
}

// walk visits the values below value from segment i on. It returns false if visit did.
func (p Path) walk(value model.Value, i int, at *Trail, visit func(model.Value, *Trail) bool) bool {
	for ; i < len(p.segments); i++ {
		var found bool
		object, _ := value.(model.Object)
		if value, found = object.Get(p.segments[i].name); !found {
			return true
		}
		if p.segments[i].fan {
			return p.fanOut(value, i+1, at, visit)
		}
	}
	return visit(value, at)
}

func (p Path) fanOut(value model.Value, next int, at *Trail, visit func(model.Value, *Trail) bool) bool {
	list, _ := value.([]model.Value) // only arrays have elements
	depth := len(at.elements)
	at.elements = append(at.elements, 0)
	for k, element := range list {
		at.elements[depth] = k
		if !p.walk(element, next, at, visit) {
			return false
		}
	}
	at.elements = at.elements[:depth]
	return true
}

// Values returns all values at the path, possibly nil.
func (p Path) Values(value model.Value) []model.Value {
	var values []model.Value
	p.Each(value, func(v model.Value, _ *Trail) bool {
		values = append(values, v)
		return true
	})
	return values
}

// Trail is the path from a message to one value.
type Trail struct {
	segments []segment
	elements []int // one for each [*]
}

// String returns the path with indices, such as "tools[3].description", or "" for the whole message.
func (t *Trail) String() string {
	var b strings.Builder
	elements := t.elements
	for i, s := range t.segments {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.name)
		if s.fan {
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(elements[0]))
			b.WriteByte(']')
			elements = elements[1:]
		}
	}
	return b.String()
}
