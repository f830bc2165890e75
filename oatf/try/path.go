package try

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Path resolves a wildcard dot-path (§5.1.2). If it does not resolve, the answer explains where it ends.
func Path(path string, message oatf.Value) (*Answer, error) {
	if err := checkPath(path, oatf.CheckWildcardPath); err != nil {
		return nil, err
	}
	compiled, err := primitive.CompilePath(path)
	if err != nil {
		return nil, err
	}
	a := &Answer{}
	compiled.Each(message, func(v oatf.Value, at *primitive.Trail) bool {
		if len(a.Found) == MaxFound {
			a.More++
		} else {
			a.add(at.String(), v)
		}
		return true
	})
	if a.Holds = len(a.Found) > 0; !a.Holds {
		a.Why = stops(path, message)
	}
	return a, nil
}

// checkPath finds the first invalid segment of a path.
func checkPath(path string, valid func(string) bool) error {
	if valid(path) {
		return nil
	}
	offset := 0
	for segment := range strings.SplitSeq(path, ".") {
		if segment != "" && valid(segment) {
			offset += len(segment) + 1
			continue
		}
		for i := range segment { // the first invalid character
			if i > 0 && !valid(segment[:i+1]) && valid(segment[:i]) {
				offset += i
				break
			}
		}
		break
	}
	e := syntaxAt("path", path, offset, "expected a name of letters, digits, _ and -")
	if strings.Contains(path, "[") {
		e.Help = "expected [*] after a name (wildcards only); in CEL, use an index such as items[0]"
	}
	return e
}

// stops returns the segment at which a path does not resolve.
func stops(path string, message oatf.Value) []string {
	before := ""
	for _, prefix := range prefixes(path) {
		compiled, err := primitive.CompilePath(prefix)
		if err != nil {
			return []string{err.Error()}
		}
		found := false
		compiled.Each(message, func(oatf.Value, *primitive.Trail) bool { found = true; return false })
		if !found {
			return explainStop(before, prefix, message)
		}
		before = prefix
	}
	return nil
}

// prefixes returns the beginnings of a path, a name or a [*] longer each time.
func prefixes(path string) (list []string) {
	if path == "" {
		return nil
	}
	for i := 0; i < len(path); i++ {
		if path[i] == '.' || path[i] == '[' {
			list = append(list, path[:i])
		}
		if path[i] == '[' {
			i += len("[*]")
			list = append(list, path[:min(i, len(path))])
		}
	}
	if len(list) == 0 || list[len(list)-1] != path {
		list = append(list, path)
	}
	return list
}

// mostStops limits the values in an explanation.
const mostStops = 3

// explainStop explains why no value at the path before has the next step.
func explainStop(before, prefix string, message oatf.Value) []string {
	step := strings.TrimPrefix(strings.TrimPrefix(prefix, before), ".")
	lines := []string{"the path stops at " + say.Quoted(prefix)}
	compiled, err := primitive.CompilePath(before)
	if err != nil {
		return lines
	}
	number := 0
	compiled.Each(message, func(v oatf.Value, at *primitive.Trail) bool {
		if number++; number > mostStops {
			return false
		}
		lines = append(lines, explainStep(at.String(), step, v))
		return true
	})
	if number > mostStops {
		lines = append(lines, "and so do the other values")
	}
	return lines
}

func explainStep(at, step string, v oatf.Value) string {
	where := "the message"
	if at != "" {
		where = say.Quoted(at)
	}
	if step == "[*]" {
		return fmt.Sprintf("%s is %s, but [*] needs a list", where, described(v))
	}
	object, ok := v.(model.Object)
	if !ok {
		line := fmt.Sprintf("%s is %s, which has no members", where, described(v))
		if _, list := v.([]oatf.Value); list {
			line += "; [*] goes through its elements"
		}
		return line
	}
	line := fmt.Sprintf("%s is an object without the member %s", where, say.Quoted(step))
	if hint := suggest.Hint(step, keys(object, mostCandidates)); hint != "" {
		return line + ": " + hint
	}
	return line + ", it is one" + keysOf(object)
}

// mostCandidates limits the names searched for suggestions.
const mostCandidates = 100
