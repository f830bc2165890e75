// Trace+reference is a program that imports package trace with the reference engine.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/cupel-dev/cupel/trace"
	_ "github.com/cupel-dev/cupel/trace/reference"
)

func main() {
	report, err := trace.Verify(context.Background(), os.Stdin, trace.Options{Name: "-"})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Verdict, len(report.Findings))
}
