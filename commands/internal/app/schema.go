package app

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// PayloadSchemas are the JSON Schemas that a command can print, one per event type.
type PayloadSchemas struct {
	Command string // as a user writes it
	Types   func() []string
	Schema  func(eventType string) (text []byte, ok bool)
	Letters func(string) string // case of types: strings.ToUpper, strings.ToLower
}

func (s PayloadSchemas) Words() (list []cmdline.Word) {
	for _, name := range s.Types() {
		list = append(list, cmdline.Word{Name: name, Means: "the data of " + strings.ToLower(strings.ReplaceAll(name, "_", " "))})
	}
	return list
}

// Print lists the event types, or prints the schema of the given one.
func (s PayloadSchemas) Print(env cmdline.Env, c *cli.Context) error {
	lists := "`" + s.Command + "` lists the event types"
	switch c.Args().Len() {
	case 0:
		_, err := fmt.Fprintln(env.Stdout, strings.Join(s.Types(), "\n"))
		return err
	case 1:
	default:
		return &cmdline.UsageError{Message: fmt.Sprintf("%d event types, expected one", c.Args().Len()), Hint: lists}
	}
	name := s.Letters(c.Args().First())
	text, ok := s.Schema(name)
	if !ok {
		hint := suggest.Hint(name, s.Types())
		if hint == "" {
			hint = lists
		}
		return &cmdline.UsageError{Message: fmt.Sprintf("no payload schema for event type %q", c.Args().First()), Hint: hint}
	}
	_, err := env.Stdout.Write(text)
	return err
}
