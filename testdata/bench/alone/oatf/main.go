// Oatf is a program that imports package oatf alone.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/cupel-dev/cupel/oatf"
)

func main() {
	document, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(oatf.Check(document, oatf.CheckOptions{})))
}
