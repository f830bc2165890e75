package outline

import "github.com/cupel-dev/cupel/internal/say"

func cut(s string) string { return say.Preview(s, MostText) }

// MostText limits a text of the document in bytes. Longer texts end in an ellipsis.
const MostText = 2000
