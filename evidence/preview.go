package evidence

import "github.com/cupel-dev/cupel/internal/say"

const previewBytes = 80

func preview(value []byte) string { return say.Preview(value, previewBytes) }
