package evidence

import "github.com/cupel-dev/cupel/internal/say"

// previewBytes is the size of a long value's preview in messages.
const previewBytes = 80

func preview(value []byte) string { return say.Preview(value, previewBytes) }
