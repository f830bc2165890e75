package jsonpath

import (
	"os"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

func valueOf(t testing.TB, text string) model.Value {
	t.Helper()
	source, err := yamltext.ReadAudited([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return yamltext.Value(source.Root)
}

// nodes returns the nodes of a query as JSON, one after the other.
func nodes(q *Query, v model.Value) (string, error) {
	var list []string
	err := q.Each(v, func(node model.Value) bool {
		list = append(list, string(value.JSON(nil, node)))
		return true
	})
	return strings.Join(list, " "), err
}

func TestQueries(t *testing.T) {
	for _, c := range oatftest.Cases[struct {
		Query, Value, Nodes, Error string
	}](t, os.DirFS("testdata"), "queries.yaml") {
		t.Run(c.Query, func(t *testing.T) {
			q, err := Compile(c.Query)
			if err != nil {
				if err.Error() != c.Error {
					t.Errorf("%v, expected %q", err, c.Error)
				}
				return
			}
			got, err := nodes(q, valueOf(t, c.Value))
			if err != nil && err.Error() != c.Error {
				t.Fatal(err)
			}
			if got != c.Nodes {
				t.Errorf("%s, expected %s", got, c.Nodes)
			}
		})
	}
}
