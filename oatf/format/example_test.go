package format_test

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/format"
)

// Format a text by the edits that make the difference.
func ExampleEdits() {
	text := []byte("attack:\n    name:  Late reply   \noatf: \"0.1\"\n")
	edits, err := format.Edits(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	formatted, err := finding.Apply(text, edits)
	fmt.Printf("%d edits, %v\n%s", len(edits), err, formatted)
	// Output:
	// 4 edits, <nil>
	// oatf: "0.1"
	// attack:
	//   name:  Late reply
}
