// Reasoningrun writes the run directory of a reasoning trace of about N events, a
// quarter of them evidence with a file of its own:
//
//	go run ./testdata/bench/reasoningrun 100000 /tmp/run
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/cupel-dev/cupel/internal/reasoningtest"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "reasoningrun:", err)
		os.Exit(2)
	}
}

func write(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: reasoningrun EVENTS DIR")
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 {
		return fmt.Errorf("%q events, expected 1 or more", args[0])
	}
	if err := os.MkdirAll(filepath.Join(args[1], "evidence"), 0o777); err != nil {
		return err
	}
	for _, f := range reasoningtest.Research(reasoningtest.Wrapped, n).Files() {
		if err := os.WriteFile(filepath.Join(args[1], f.Name), f.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
