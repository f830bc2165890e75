// Package yamlfault formats errors of the YAML library uniformly.
package yamlfault

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
)

// most limits the shown part of a message, which can quote the text.
const most = 200

// Invalid starts the message for malformed YAML.
const Invalid = "invalid YAML: "

// Of returns the position (1-based; 0: unknown) and message of a loader error: "invalid YAML: did
// not find expected ',' or ']' while parsing a flow sequence that begins in line 1".
func Of(err error) (line, column int, message string) {
	load, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return 0, 0, Invalid + err.Error()
	}
	line, column, message = load.Mark.Line, load.Mark.Column, Invalid+say.Preview(load.Message, most)
	if load.ContextMsg == "" {
		return line, column, message
	}
	message += " " + load.ContextMsg
	if begin := load.ContextMark.Line; begin > 0 && begin != line {
		message += fmt.Sprintf(" that begins in line %d", begin)
	}
	return line, column, message
}
