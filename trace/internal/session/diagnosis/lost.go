package diagnosis

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// maxStarts limits the positions of a line that are tried as the start of a record.
const maxStarts = 64

// unreadable processes the first of some lines if it is not an event. It returns the number of following lines that
// belong to it.
func (d *logReader) unreadable(list []stream.Line) (more int) {
	l := list[0]
	text := bytes.TrimSpace(l.Bytes)
	at := gapAt(l.Number, d.rank)
	switch {
	case bytes.Equal(text, byteOrderMark):
		return 0
	case bytes.IndexByte(text, 0) >= 0:
		d.nul(l, at)
		return 0
	case d.glued(text, at), d.suffix(text, at), d.wrappedLine(text, at):
		return 0
	case truncated(text):
		return d.torn(list, at)
	case recordLike(text) && d.scans(text):
		at.kind, at.lost = stream.DamageEdited, 1
		at.note = "the line is JSON but not an event of this log: a member is missing or has the wrong type"
	case recordLike(text) && objectEnd(text) == len(text):
		at.kind, at.lost = stream.DamageEdited, 1
		at.note = "the record on the line is no longer valid JSON"
	case len(bytes.Trim(text, "[],")) == 0:
		return 0
	case recordLike(text):
		at.kind, at.lost, at.more = stream.DamageTorn, 1, true
		at.note = "a part of the record is missing or overwritten, as after a crash of the writer"
	default:
		at.kind = stream.DamageForeign
		at.note = "1 line that is not an event"
		at.help = "remove the line, and have only one program write to the log"
	}
	d.lose(at)
	return 0
}

func (d *logReader) scans(text []byte) bool {
	_, err := d.scanner.Scan(text)
	return err == nil
}

// recordLike reports whether a text has members of an event.
func recordLike(text []byte) bool {
	if len(text) == 0 || text[0] != '{' && text[len(text)-1] != '}' {
		return false
	}
	n := 0
	for _, name := range []string{`"event_hash"`, `"event_type"`, `"prev_event_hash"`, `"prev_hash"`, `"payload_hash"`, `"sequence_number"`, `"event_id"`} {
		if bytes.Contains(text, []byte(name)) {
			n++
		}
	}
	return n >= 2 || n == 1 && !bytes.HasSuffix(text, []byte("}"))
}

// objectEnd returns the length of the object at the start of a text, or 0 if it is incomplete.
func objectEnd(text []byte) int {
	depth, inString, escaped := 0, false, false
	for i, c := range text {
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func truncated(text []byte) bool {
	return len(text) > 0 && text[0] == '{' && objectEnd(text) == 0
}

// torn processes a line that ends inside its record.
func (d *logReader) torn(list []stream.Line, at gap) (more int) {
	l, text := list[0], bytes.TrimSpace(list[0].Bytes)
	at.kind, at.lost = stream.DamageTorn, 1
	if len(list) > 1 {
		if bytes.HasPrefix(bytes.TrimSpace(list[1].Bytes), text) {
			at.lost, at.to = 0, int32(list[1].Number)
			at.note = "the write was torn and retried: the next line has the same record whole, so nothing is lost"
			at.help = "remove the torn line"
			d.lose(at)
			return 0
		}
		joined := bytes.Clone(l.Bytes)
		for i, next := range list[1:] {
			joined = append(joined, next.Bytes...)
			if d.event(joined, l.Number) {
				at.kind, at.lost, at.to, at.name = stream.DamageWrapped, 0, int32(next.Number), "a record over several lines"
				at.note = "a line break was put into the record; without it the record is whole"
				at.help = "join the lines"
				d.lose(at)
				return i + 1
			}
		}
	}
	at.note = "the line ends inside its record: the write was torn, and the event is lost"
	at.size = int32(utf8.RuneCount(l.Bytes))
	if len(list) == 1 && !l.Terminated {
		at.kind, at.note = stream.DamageCut, "the log ends inside its last record: a crash of the writer, or a partial copy"
	}
	d.lose(at)
	return 0
}

// glued processes a line with several complete records.
func (d *logReader) glued(text []byte, at gap) bool {
	var list [][]byte
	for rest := text; len(rest) > 0; {
		end := objectEnd(rest)
		if end == 0 || rest[0] != '{' {
			return false
		}
		if _, ok := d.single.Read(rest[:end]); !ok {
			return false
		}
		list = append(list, rest[:end])
		rest = bytes.TrimLeft(rest[end:], " \t\r,")
	}
	if len(list) < 2 {
		return false
	}
	for i, record := range list {
		if i > 0 {
			d.rank++
		}
		d.event(record, int(at.from))
	}
	at.kind, at.count = stream.DamageNewline, int32(len(list))
	at.note = fmt.Sprintf("%d whole records on one line: a newline is missing between them, and nothing is lost", len(list))
	at.help = "put each record on a separate line: jq -c . FILE"
	d.lose(at)
	return true
}

// suffix processes a line that ends with a complete record, after the beginning of another record or of the same.
func (d *logReader) suffix(text []byte, at gap) bool {
	for p, tries := 1, 0; p < len(text) && tries < maxStarts; p++ {
		next := bytes.Index(text[p:], []byte(`{"`))
		if next < 0 {
			return false
		}
		p += next
		tries++
		before, record := text[:p], text[p:]
		if _, ok := d.single.Read(record); !ok || !truncated(bytes.TrimSpace(before)) {
			continue
		}
		at.kind, at.lost = stream.DamageTorn, 1
		at.note = "the write of a record was torn, and the next record begins on the same line: 1 event is lost"
		if bytes.HasPrefix(record, bytes.TrimSpace(before)) {
			at.lost, at.note, at.help = 0, "the write was torn and retried on the same line: the whole record follows, so nothing is lost", "remove the torn beginning of the line"
		}
		d.lose(at)
		d.rank++
		d.event(record, int(at.from))
		return true
	}
	return false
}

// wrappedLine processes a wrapped record in an unwrapped log.
func (d *logReader) wrappedLine(text []byte, at gap) bool {
	inner, as := d.wrapper.unwrap(text)
	if inner == nil || !d.event(inner, int(at.from)) {
		return false
	}
	if i, known := d.wraps[as.Name]; known {
		d.gaps[i].to = at.to
		d.gaps[i].count++
		return true
	}
	at.kind, at.name, at.help = stream.DamageWrapped, as.Name, as.Help
	at.note = "the record is whole, but wrapped by " + as.Name
	d.wraps[as.Name] = len(d.gaps)
	d.lose(at)
	return true
}

// nul processes a line with NULs, a file block that was never written.
func (d *logReader) nul(l stream.Line, at gap) {
	from, to := bytes.IndexByte(l.Bytes, 0), bytes.LastIndexByte(l.Bytes, 0)
	at.kind, at.lost, at.more = stream.DamageTorn, 1, true
	at.note = fmt.Sprintf("bytes %d–%d of the log are NUL: %s that the writer's machine never wrote, as after a crash", l.Offset+int64(from), l.Offset+int64(to), say.Counted(int64(to-from+1), "byte"))
	at.help = "the bytes there are gone; the events around them are as trustworthy as their hashes"
	for _, piece := range bytes.FieldsFunc(l.Bytes, func(r rune) bool { return r == 0 }) {
		d.rank++
		if piece = bytes.TrimSpace(piece); !d.event(piece, l.Number) {
			d.ending(piece, l.Number)
		}
	}
	d.lose(at)
}

// ending processes the complete record at the end of a piece of a line, if any.
func (d *logReader) ending(piece []byte, line int) {
	for p, tries := 1, 0; p < len(piece) && tries < maxStarts; p, tries = p+1, tries+1 {
		next := bytes.Index(piece[p:], []byte(`{"`))
		if next < 0 {
			return
		}
		if p += next; d.event(piece[p:], line) {
			return
		}
	}
}

// lose adds a gap. Adjacent foreign lines are one gap. After maxDamage different remarks, further gaps have no
// note.
func (d *logReader) lose(g gap) {
	if n := len(d.gaps); n > 0 && g.kind == stream.DamageForeign {
		if last := &d.gaps[n-1]; last.kind == g.kind && last.to == g.from-1 {
			last.to, last.count = g.to, last.count+1
			return
		}
	}
	said := *g.remark
	if _, known := d.remarks[said]; !known && len(d.remarks) >= maxDamage {
		said.note = ""
	}
	if d.remarks[said] == nil {
		d.remarks[said] = g.remark
		g.remark.note = said.note
	}
	g.remark = d.remarks[said]
	d.gaps = append(d.gaps, g)
}
