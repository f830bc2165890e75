package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
)

// tables are data printed by the program.
type tables struct {
	Site        string     `json:"site"` // where the pages are published, with a slash at its end
	Rules       []rule     `json:"rules"`
	Commands    []command  `json:"commands"`
	Topics      []topic    `json:"topics"`
	ExitCodes   []exitCode `json:"exit_codes"`
	Environment []variable `json:"environment"`
	Schemas     []schema   `json:"schemas"`
}

// rule is a row of cupel.rules/1.
type rule struct {
	ID, Title, Severity, Class, Clause, Rationale, Bad, Good, Flags, Revision string
}

// command is a row of cupel.help/1.
type command struct {
	Name, Title, Usage, About string
	Examples, More            []string
	Flags                     []struct{ Flag, Group, About string }
}

type topic struct{ Name, Title string }

type exitCode struct {
	Code    int
	Meaning string
}

type variable struct{ Name, Meaning string }

// schema is a row of cupel.schemas/1.
type schema struct {
	Name, Title string
	Definition  json.RawMessage
}

// File returns the path of the schema: "schemas/cupel.trace-1.json".
func (s schema) File() string {
	return "schemas/" + strings.TrimSuffix(strings.ReplaceAll(s.Name, "/", "-"), ".json") + ".json"
}

// readTables runs the program to get its tables.
func readTables(cupel string) (t tables, err error) {
	for _, args := range [][]string{{"explain", "--all", "--format", "json"}, {"help", "--format", "json"}, {"schema", "--all", "--format", "json"}} {
		text, err := exec.Command(cupel, args...).Output()
		if err != nil {
			return t, fmt.Errorf("%s %v: %w", cupel, args, err)
		}
		if err := json.Unmarshal(text, &t); err != nil {
			return t, fmt.Errorf("%s %v: %w", cupel, args, err)
		}
	}
	if t.Site == "" || len(t.Rules) == 0 || len(t.Commands) == 0 || len(t.Topics) == 0 || len(t.ExitCodes) == 0 || len(t.Schemas) == 0 {
		return t, fmt.Errorf("%s prints no address, rules, commands, topics, exit codes or schemas", cupel)
	}
	return t, nil
}
