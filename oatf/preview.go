package oatf

import "github.com/cupel-dev/cupel/internal/unified"

// mostPreviews limits the fixes with a preview per document.
const mostPreviews = 50

// preview adds a preview of the changed lines to the first fixes.
func preview(list []Finding, text []byte) {
	shown := 0
	for i := range list {
		if fix := list[i].Fix; fix != nil && shown < mostPreviews {
			shown++
			fix.Preview = unified.Preview(text, editsOf(list[i:i+1]))
		}
	}
}
