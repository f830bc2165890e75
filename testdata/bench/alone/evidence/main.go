// Evidence is a program that imports package evidence alone.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/cupel-dev/cupel/evidence"
)

func main() {
	event, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	fmt.Println(evidence.ContentHash(event))
}
