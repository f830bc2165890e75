package format

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// versionNames are the names of the schema version in traces and in the format's text.
var versionNames = [...]string{"schema_version", "trace_schema_version"}

// versions reads the schema versions that headers and flat events state.
type versions struct {
	*objects
	accepted []int64
}

// read reads a stated version; 0 unless an integer, which the table reports.
func (r *versions) read(n strictjson.Node, name string) int64 {
	v, ok := n.Int()
	if ok && !slices.Contains(r.accepted, v) {
		f := r.at(rule.HeaderVersionUnsupported, name, fault.PlaceOf(n), fmt.Sprintf("trace schema version %d is not supported", v))
		f.Expected, f.Found = r.String(), fmt.Sprint(v)
		f.Help = "name the versions to accept with --schema-versions"
		r.reject(f)
	}
	return v
}

func (r *versions) String() string {
	if len(r.accepted) == 1 {
		return fmt.Sprint(r.accepted[0])
	}
	return fmt.Sprintf("one of %v", r.accepted)
}
