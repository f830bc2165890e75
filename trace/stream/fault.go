package stream

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// The codes of lines that cannot be read, the same in every family.
const (
	FileEmpty        = "file.empty"
	LineUTF8         = "line.utf8"
	LineBOM          = "line.bom"
	LineJSON         = "line.json"
	LineNotObject    = "line.not_object"
	LineDuplicateKey = "line.duplicate_key"
	LineLimit        = "line.limit"
)

var faultCodes = map[strictjson.Code]string{
	strictjson.ByteOrder:    LineBOM,
	strictjson.UTF8:         LineUTF8,
	strictjson.DuplicateKey: LineDuplicateKey,
	strictjson.Depth:        LineLimit,
	strictjson.TooManyKeys:  LineLimit,
	strictjson.StringLength: LineLimit,
	strictjson.TextLength:   LineLimit,
}

var limitFlags = map[strictjson.Code]string{
	strictjson.Depth:       "--max-depth",
	strictjson.TooManyKeys: "--max-keys",
	strictjson.TextLength:  "--max-line-bytes",
}

// lineFault makes the finding of a line that the scanner refused.
func lineFault(l Line, err error) Finding {
	var fault *strictjson.Error
	if !errors.As(err, &fault) {
		return Finding{Rule: LineJSON, Line: l.Number, Message: err.Error()}
	}
	f := Finding{Rule: LineJSON, Message: fault.Message, Path: DottedPath(fault.Pointer)}
	if code, ok := faultCodes[fault.Code]; ok {
		f.Rule = code
	}
	source.Point(&f, l, fault.Offset, fault.Offset)
	switch {
	case fault.IsLimit():
		f.Message += fmt.Sprintf(", the limit is %d", fault.Limit)
		if flag := limitFlags[fault.Code]; flag != "" {
			f.Help = "raise the limit with " + flag
		}
	case fault.Code == strictjson.Truncated && !l.Terminated:
		f.Notes = append(f.Notes, "the file ends inside this line: a crash of the writer, or a partial copy")
	case fault.Code == strictjson.Truncated:
		f.Notes = append(f.Notes, "the line ends inside a value: a record takes exactly one line")
	case fault.Code == strictjson.ByteOrder:
		f.Help = "save the file as UTF-8 without a byte order mark"
	}
	return f
}

// longLine makes the finding of a line beyond the limit.
func longLine(l Line, limit int) Finding {
	return Finding{
		Rule: LineLimit, Line: l.Number,
		Message: fmt.Sprintf("line of %d bytes, the limit is %d", l.Size, limit),
		Help:    "raise the limit with --max-line-bytes",
	}
}

// notObject makes the finding of a line that is JSON but no object.
func notObject(l Line, root strictjson.Node) Finding {
	f := Finding{
		Rule: LineNotObject, Message: fmt.Sprintf("the line is %s, expected one object", Article(root.Kind())),
		Expected: "object", Found: root.Kind().String(),
	}
	start, end := root.Span()
	source.Point(&f, l, start, end)
	return f
}

// Article names a JSON type in a sentence: "an array", "a string", "null".
func Article(k strictjson.Kind) string {
	switch k {
	case strictjson.Null, strictjson.Absent:
		return k.String()
	case strictjson.Array, strictjson.Object:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// DottedPath turns a JSON pointer into the path form of findings: "/event/supports/0"
// becomes "event.supports[0]".
func DottedPath(pointer string) string {
	if pointer == "" {
		return ""
	}
	var b strings.Builder
	for token := range strings.SplitSeq(pointer[1:], "/") {
		switch {
		case isIndex(token):
			b.WriteString("[" + token + "]")
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(strictjson.PointerName(token))
		}
	}
	return b.String()
}

func isIndex(token string) bool {
	return token != "" && strings.Trim(token, "0123456789") == ""
}
