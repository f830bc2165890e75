// Package primitive is the execution primitives of the SDK specification (§5) on the types
// of package model: paths, conditions and predicates, templates, extractors, responses,
// triggers and states.
//
// What a document says is compiled once and then used on any number of messages, by any
// number of goroutines. Nothing here changes a value that it is given, but for the state of
// a trigger; and nothing that a message or a document holds makes it panic, or do work
// beyond what its function says.
package primitive

import (
	"fmt"

	"github.com/cupel-dev/cupel/oatf/model"
)

// fault is what keeps a primitive from having an answer.
func fault(kind model.EvaluationErrorKind, format string, args ...any) *model.EvaluationError {
	return &model.EvaluationError{Kind: kind, Message: fmt.Sprintf(format, args...)}
}
