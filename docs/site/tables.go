package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
)

// tables are what the program knows of itself.
type tables struct {
	Rules       []rule     `json:"rules"`
	Commands    []command  `json:"commands"`
	Topics      []topic    `json:"topics"`
	ExitCodes   []exitCode `json:"exit_codes"`
	Environment []variable `json:"environment"`
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

// readTables asks the program.
func readTables(cupel string) (t tables, err error) {
	for _, args := range [][]string{{"explain", "--all", "--format", "json"}, {"help", "--format", "json"}} {
		text, err := exec.Command(cupel, args...).Output()
		if err != nil {
			return t, fmt.Errorf("%s %v: %w", cupel, args, err)
		}
		if err := json.Unmarshal(text, &t); err != nil {
			return t, fmt.Errorf("%s %v: %w", cupel, args, err)
		}
	}
	if len(t.Rules) == 0 || len(t.Commands) == 0 || len(t.Topics) == 0 || len(t.ExitCodes) == 0 {
		return t, fmt.Errorf("%s prints no rules, commands, topics or exit codes", cupel)
	}
	return t, nil
}
