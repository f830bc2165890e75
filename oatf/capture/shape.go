package capture

import "github.com/cupel-dev/cupel/internal/strictjson"

// shape is how the result of a method is known.
type shape struct {
	has   []string // it has one of these members
	lacks []string // and none of these
}

// shapes are the results of the methods of MCP (format §7.1.3).
var shapes = map[string]shape{
	"initialize":               {has: []string{"protocolVersion", "serverInfo", "capabilities"}},
	"tools/list":               {has: []string{"tools"}},
	"tools/call":               {has: []string{"content", "structuredContent", "isError"}, lacks: []string{"role", "model", "action"}},
	"resources/list":           {has: []string{"resources"}},
	"resources/templates/list": {has: []string{"resourceTemplates"}},
	"resources/read":           {has: []string{"contents"}},
	"prompts/list":             {has: []string{"prompts"}},
	"prompts/get":              {has: []string{"messages"}},
	"completion/complete":      {has: []string{"completion"}},
	"sampling/createMessage":   {has: []string{"role", "model"}},
	"elicitation/create":       {has: []string{"action"}},
	"roots/list":               {has: []string{"roots"}},
}

// How well a result fits a method.
const (
	misfit  = iota // the method's results are others
	mayFit         // nothing is known of them
	fitting        // it is such a result
)

// fit says how well a result fits the method.
func (m *method) fit(result strictjson.Node) int {
	s, known := shapes[m.kind]
	switch {
	case !known:
		return mayFit
	case hasAny(result, s.has) && !hasAny(result, s.lacks):
		return fitting
	}
	return misfit
}

func hasAny(object strictjson.Node, names []string) bool {
	for _, name := range names {
		if object.Get(name).Exists() {
			return true
		}
	}
	return false
}
