package stream

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

func lineFault(l Line, err error) Finding {
	var fault *strictjson.Error
	if !errors.As(err, &fault) { // the second engine's refusal, which names no place
		f := rules[lineJSON].New(err.Error())
		f.Line = l.Number
		return f
	}
	f := rules[ruleOf(fault)].New(fault.Message)
	f.Path = DottedPath(fault.Pointer)
	source.Point(&f, l, fault.Offset, fault.Offset)
	switch {
	case fault.Offset < len(l.Bytes) && l.Bytes[fault.Offset] == 0:
		f.Message = nulRun(l, fault.Offset)
	case fault.IsLimit():
		if flag := limitFlag(fault.Code); flag != "" {
			f.Help = say.RaiseHint(flag)
		}
	case fault.Code == strictjson.Truncated && !l.Terminated:
		f.Notes = append(f.Notes, "the file ends inside this line: a crash of the writer, or a partial copy")
	case fault.Code == strictjson.Truncated:
		f.Notes = append(f.Notes, "the line ends inside a value: a record takes exactly one line")
	case startsRecord(l.Bytes, fault):
		f.Message += ": a second record begins here, and is lost with the first"
	case fault.Code == strictjson.ByteOrder:
		f.Help = source.ByteOrderHint
	}
	return f
}

// nulRun describes the position of NUL bytes in a line.
func nulRun(l Line, at int) string {
	end := at
	for end < len(l.Bytes) && l.Bytes[end] == 0 {
		end++
	}
	return fmt.Sprintf("%s from byte %d of the line on, where a part of the record should be: a block that was never written, or a sparse copy", say.Counted(int64(end-at), "NUL"), at+1)
}

// startsRecord reports whether a text was rejected because a second record follows on the line.
func startsRecord(text []byte, fault *strictjson.Error) bool {
	return fault.Code == strictjson.Trailing && text[fault.Offset] == '{'
}

// isCut reports whether a rejected line ends inside its record. A line truncated inside a character is invalid
// UTF-8 instead.
func isCut(l Line, refused error) bool {
	var fault *strictjson.Error
	if errors.As(refused, &fault) && fault.Code == strictjson.Truncated {
		return true
	}
	var t texture
	for i := 0; i < len(l.Bytes) && !l.Terminated; i++ {
		t.step(l.Bytes[i])
	}
	return t.open()
}

func ruleOf(fault *strictjson.Error) rule {
	switch {
	case fault.IsLimit():
		return lineLimit
	case fault.Code == strictjson.ByteOrder:
		return lineBOM
	case fault.Code == strictjson.UTF8:
		return lineUTF8
	case fault.Code == strictjson.DuplicateKey:
		return lineDuplicateKey
	}
	return lineJSON
}

// limitFlag returns the flag for a scanner limit, or "" if it cannot be changed.
func limitFlag(c strictjson.Code) string {
	switch c {
	case strictjson.Depth:
		return "--max-depth"
	case strictjson.TooManyKeys:
		return "--max-keys"
	case strictjson.TooManyValues:
		return "--max-values"
	case strictjson.TextLength:
		return "--max-line-bytes"
	}
	return ""
}

// longLine returns the finding for a line beyond the limit.
func longLine(l Line, limit int) Finding {
	f := rules[lineLimit].New(source.TooLong(l.Size, limit))
	f.Line, f.Help = l.Number, say.RaiseHint("--max-line-bytes")
	return f
}

// notObject returns the finding for JSON other than an object.
func notObject(l Line, root strictjson.Node) Finding {
	found := root.Kind().String()
	f := rules[lineNotObject].New(fmt.Sprintf("the line is %s, expected an object", say.Article(found)))
	if l.Stray {
		f.Message = "a second list of records besides \"events\", which is not read"
		f.Help = "keep one list of records in a file"
	}
	f.Expected, f.Found = "object", found
	start, end := root.Span()
	source.Point(&f, l, start, end)
	return f
}

// EmptyFile returns the finding about an input with only blank lines.
func EmptyFile(counts Counts) Finding {
	if counts.Blank == 0 {
		return rules[fileEmpty].New("the file has no content")
	}
	return rules[fileEmpty].New("the file has no content: " + say.Counted(counts.Blank, "blank line"))
}

// DottedPath converts a JSON pointer to the path form of findings: "/event/supports/0" becomes "event.supports[0]".
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
