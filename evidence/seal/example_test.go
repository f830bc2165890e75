package seal_test

import (
	"fmt"

	"github.com/cupel-dev/cupel/evidence/seal"
)

// The encoding is that of the package comment.
func ExamplePreAuthEncoding() {
	fmt.Printf("%s\n", seal.PreAuthEncoding("text/plain", []byte("hello")))
	// Output: DSSEv1 10 text/plain 5 hello
}
