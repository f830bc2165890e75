// Package recognize identifies files for every command: a known record, a damaged one, or a foreign
// file. It uses the file's first bytes, not the name alone.
package recognize

import (
	"bytes"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/internal/otlp"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
)

// ReadHead reads the start of uncompressed text. It stops at a read error, which the command will report.
func ReadHead(r io.Reader) Head {
	text, _ := io.ReadAll(io.LimitReader(r, HeadBytes+1))
	h := Head{Text: text}
	if len(text) <= HeadBytes {
		return h
	}
	if bytes.IndexByte(text, '\n') < 0 { // the first line is longer
		more, _ := io.ReadAll(io.LimitReader(r, MostBytes-HeadBytes))
		h.Text = append(h.Text, more...)
	}
	h.Cut = len(h.Text) == HeadBytes+1 || len(h.Text) > MostBytes
	h.Text = h.Text[:min(len(h.Text), MostBytes)]
	return h
}

// Reader identifies uncompressed text, or a tar file.
func Reader(r io.Reader) Answer { return Text(ReadHead(r)) }

// Text identifies a file by its head.
func Text(h Head) Answer {
	text := trimStart(h.Text)
	switch {
	case len(bytes.Trim(text, "\x00 \t\r\n")) == 0:
		return blank(h)
	case isTar(h.Text):
		return archive(h)
	case otlp.Looks(h.Text):
		return imported(importer.OTel)
	case Binary(h.Text) != "":
		a := foreign(Binary(h.Text), "")
		a.Compressed = slices.Contains(compressed, a.Format)
		return a
	}
	if wide, is := decodeWide(h.Text); is {
		return reencoded(Head{wide, h.Cut})
	}
	return utf8Text(h)
}

func utf8Text(h Head) Answer {
	text := trimStart(h.Text)
	if len(text) == 0 {
		return blank(h)
	}
	if kind, _ := transcript.Detect(h.Text, !h.Cut, known); kind.Format != transcript.None {
		a := ours(Trace, "a transcript of "+string(kind.Format))
		if kind.Document {
			a.Layout = OneValue
		}
		return a
	}
	if text[0] == '{' || text[0] == '[' {
		return jsonText(h)
	}
	if a := lines(h); a.State != Foreign || a.Format != "" {
		return a
	}
	return yamlText(h)
}

func blank(h Head) Answer {
	a := foreign("", "")
	a.Why, a.Empty = "the file is empty", !h.Cut
	if bytes.IndexByte(h.Text, 0) >= 0 {
		a.Why = "the file starts with NUL bytes"
		a.Empty = false
	}
	return a
}

// jsonText decides about a text that starts with an object or an array.
func jsonText(h Head) Answer {
	first, rest, whole := h.first()
	if !whole {
		a := lines(h)
		a.Layout = OnLines
		return a
	}
	layout := h.layout(first, rest)
	if layout == OnLines && len(trimStart(rest)) > 0 { // several values, one per line
		a := lines(h)
		a.Layout = layout
		return a
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(first)
	if err != nil {
		return lines(h)
	}
	a := record(doc.Root())
	if a.State == Foreign && layout == SeveralValues {
		for next := rest; a.State == Foreign && len(next) > 0; { // look past a foreign first record
			if first, next, whole = firstValue(trimStart(next)); !whole {
				break
			}
			if doc, err = strictjson.NewScanner(strictjson.Limits{}).Scan(first); err == nil {
				if other := record(doc.Root()); other.State != Foreign {
					a, a.Others = other, 1
				}
			}
		}
	}
	if a.State == Foreign && layout == InArray {
		a = lines(h) // its elements, one after the other
	}
	if a.State == Foreign && !ownKind(a.Format) {
		if inside := wrapped(h.Text); inside.State == Damaged {
			a = inside
		}
	}
	a.Layout = layout
	return a
}

// known reports whether a record belongs to a family other than transcripts.
func known(r strictjson.Node) bool {
	return r.Is(strictjson.Object) && (isAssayEvent(r) || isTraceRecord(r))
}
