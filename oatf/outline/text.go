package outline

import "github.com/cupel-dev/cupel/internal/say"

// cut returns a text of the document, as much of it as an outline has.
func cut(s string) string { return say.Preview(s, MostText) }

// MostText is the number of bytes that an outline repeats of one text; an ellipsis replaces the rest.
const MostText = 2000
