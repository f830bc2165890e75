package outline

import "github.com/cupel-dev/cupel/internal/say"

// cut is a text of the document, as much of it as an outline has.
func cut(s string) string { return say.Preview(s, MostText) }

// MostText is how many bytes of one text of a document an outline repeats; an ellipsis
// stands for the rest.
const MostText = 2000
