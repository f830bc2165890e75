package main

import (
	"context"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// Functions are called by reflection. Beam's register package would save a microsecond or two per call, which is
// negligible per log, but costs a minute and 4 GB of compilation.
func init() {
	sdk.RegisterDoFn(&matchFn{})
}

// matchFn lists the logs that match patterns, without duplicates. Workers query the sizes, because querying a
// million sizes sequentially takes hours.
type matchFn struct{ Inputs []string }

// ProcessElement emits names, and results without a report for patterns without match and unreadable logs.
func (fn *matchFn) ProcessElement(ctx context.Context, _ []byte, emit func(string), miss func(result)) error {
	seen := map[string]bool{}
	for _, pattern := range fn.Inputs {
		found, err := storeOf(pattern).list(ctx, pattern)
		if err != nil {
			return err
		}
		for _, f := range found {
			switch {
			case seen[f.name]:
			case f.refused != "":
				miss(result{Input: f.name, Failure: f.refused})
			default:
				emit(f.name)
			}
			seen[f.name] = true
		}
	}
	return nil
}
