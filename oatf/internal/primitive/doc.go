// Package primitive implements the execution primitives of the SDK specification (§5) on package model's types:
// paths, conditions, predicates, templates, extractors, responses, triggers and states.
//
// Parts of documents are compiled once and then used concurrently on any number of messages. Arguments are not
// changed, except a trigger's state. Crafted messages and documents cause no panic or excessive work.
package primitive

import (
	"fmt"

	"github.com/cupel-dev/cupel/oatf/model"
)

// fault returns an evaluation error.
func fault(kind model.EvaluationErrorKind, format string, args ...any) *model.EvaluationError {
	return &model.EvaluationError{Kind: kind, Message: fmt.Sprintf(format, args...)}
}
