package main

import (
	"context"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// Functions are called by reflection. The calls that Beam's package register makes of each are
// faster by a microsecond or two, of seconds that a log takes, and take the compiler a minute
// and 4 GB of memory.
func init() {
	sdk.RegisterDoFn(&matchFn{})
}

// matchFn lists the logs that patterns stand for, each once. What is known of a log beside
// its name is asked for by the worker that gets it: asking an object store for a million
// sizes, one after the other, takes hours.
type matchFn struct{ Inputs []string }

// ProcessElement emits the names; a pattern that stands for nothing, or what may not be
// read, is a result without a report.
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
