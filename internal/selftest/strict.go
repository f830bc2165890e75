package selftest

import (
	"encoding/hex"
	"errors"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// strictCase is a JSON text and, if invalid, the expected error.
type strictCase struct {
	Text, Hex string // the text, or its bytes if not UTF-8
	Code      strictjson.Code
	Offset    int
	Pointer   string
	Limit     int
	Limits    struct{ Depth, Keys, String, Text int }
}

// Strict scans the texts of vectors/strict.jsonl and checks acceptance, error code, byte offset and JSON pointer.
func Strict() Suite {
	s := Suite{Name: "strict JSON"}
	each(&s, strictCases, func(c strictCase) {
		text := []byte(c.Text)
		if c.Hex != "" {
			text, _ = hex.DecodeString(c.Hex)
		}
		_, err := strictjson.NewScanner(strictjson.Limits{
			Depth: c.Limits.Depth, Keys: c.Limits.Keys, StringChars: c.Limits.String, TextBytes: c.Limits.Text,
		}).Scan(text)
		var e *strictjson.Error
		switch refused := errors.As(err, &e); {
		case refused != (c.Code != ""):
			s.fail("%q: %v, expected code %q", text, err, c.Code)
		case refused && (e.Code != c.Code || e.Offset != c.Offset || e.Pointer != c.Pointer || e.Limit != c.Limit || e.IsLimit() != (c.Limit > 0)):
			s.fail("%q: %s at %d in %q, limit %d (%v); expected %s at %d in %q, limit %d",
				text, e.Code, e.Offset, e.Pointer, e.Limit, e, c.Code, c.Offset, c.Pointer, c.Limit)
		}
	})
	return s
}
