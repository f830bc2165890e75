// Check an OATF document from standard input and print its findings with what is suggested instead.
//
// Usage: lint < DOCUMENT
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "no answer:", err)
		os.Exit(2)
	}
	errors := 0
	for _, f := range oatf.Check(text, oatf.CheckOptions{File: "stdin"}) {
		fmt.Printf("%s:%d:%d: %v: %s [%s]\n", f.File, f.Line, f.Column, f.Severity, f.Message, f.Rule)
		if f.Fix != nil {
			fmt.Printf("  suggestion: replace with %q\n", f.Fix.Edits[0].Text)
		}
		if f.Severity == finding.Error {
			errors++
		}
	}
	if errors > 0 {
		os.Exit(1)
	}
}
