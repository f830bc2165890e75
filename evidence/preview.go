package evidence

import "github.com/cupel-dev/cupel/internal/say"

// previewBytes is how much of a long value a message repeats.
const previewBytes = 80

func preview(value []byte) string { return say.Preview(value, previewBytes) }
