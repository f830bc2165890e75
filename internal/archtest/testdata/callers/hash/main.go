// Hash a stream of evidence and stop at the first event whose recorded hash does not match.
//
// Usage: hash < EVENTS
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/cupel-dev/cupel/evidence"
)

var errMismatch = errors.New("mismatch")

func main() {
	matched := 0
	_, err := evidence.HashStream(context.Background(), os.Stdin, evidence.Options{Check: true}, func(e *evidence.Result) error {
		if e.Match != evidence.Same {
			fmt.Printf("line %d: %v, the content hash is %s\n", e.Line, e.Match, e.ContentHash())
			return errMismatch
		}
		matched++
		return nil
	})
	switch {
	case errors.Is(err, errMismatch):
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "no answer:", err)
		os.Exit(2)
	}
	fmt.Println(matched, "events match")
}
