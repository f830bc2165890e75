// Attest is a program that imports package attest alone.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/cupel-dev/cupel/attest"
)

func main() {
	trace, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	fmt.Println(attest.NewEngine(attest.Options{}).ValidateTrace(trace))
}
