// Package yamlfault words what the YAML library finds wrong with a text, in one voice for
// every file that is read as YAML.
package yamlfault

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
)

// most is how many bytes of a message are shown: it may quote a name of the text.
const most = 200

// Invalid begins the message of a text that is not YAML.
const Invalid = "invalid YAML: "

// Of returns the place of an error of the library's loader (1-based; 0: unknown) and what
// is wrong there: "invalid YAML: did not find expected ',' or ']' while parsing a flow
// sequence that begins in line 1".
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
