package commands

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/suggest"
)

// payloadSchemas are the schemas that a command prints, one for each event type.
type payloadSchemas struct {
	command string // as a user writes it
	types   func() []string
	schema  func(eventType string) (text []byte, ok bool)
	letters func(string) string // what a type is written in: strings.ToUpper, strings.ToLower
}

// words are the types.
func (s payloadSchemas) words() (list []word) {
	for _, name := range s.types() {
		list = append(list, word{name, "the data of " + strings.ToLower(strings.ReplaceAll(name, "_", " "))})
	}
	return list
}

// print lists the types, or prints the schema of the one that is named.
func (s payloadSchemas) print(env Env, c *cli.Context) error {
	lists := "`" + s.command + "` lists the event types"
	switch c.Args().Len() {
	case 0:
		_, err := fmt.Fprintln(env.Stdout, strings.Join(s.types(), "\n"))
		return err
	case 1:
	default:
		return &usageError{fmt.Sprintf("%d event types, expected one", c.Args().Len()), lists}
	}
	name := s.letters(c.Args().First())
	text, ok := s.schema(name)
	if !ok {
		hint := suggest.Hint(name, s.types())
		if hint == "" {
			hint = lists
		}
		return &usageError{fmt.Sprintf("no payload schema for event type %q", c.Args().First()), hint}
	}
	_, err := env.Stdout.Write(text)
	return err
}
