package transcript

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Mender recovers records from damaged lines. It receives unreadable lines and is notified of the others, in file
// order. For each line it removes NUL bytes, replaces invalid UTF-8, takes consecutive complete values (glued), and
// finds a record that starts inside (retried, spliced). It holds the rest until later lines identify it: the start
// of a repeated record (retried), a record over several lines (broken_line), another program's output (foreign), or
// a lost record (cut).
type Mender struct {
	Format  Format
	Limits  strictjson.Limits
	Growing bool // the file is still being written: an unfinished last line is not a fault

	Record func(p Place) // receives each recovered record, in file order
	Fault  func(f Fault)

	// Records counts the records for messages; the caller adds undamaged ones.
	Records int64

	scanner *strictjson.Scanner
	held    []torn
	late    *torn // not explained by the next record, possibly by the one after
	hollow  bool  // the current line lost bytes to NULs, already reported
}

// torn is a truncated record.
type torn struct {
	Place
	ended bool // the line has a line feed
}

const (
	maxJoined   = 50       // lines per record
	maxHeld     = 32 << 20 // bytes of held lines
	maxAttempts = 2_000    // positions inside a line to try
	minShared   = 20       // common bytes after the envelope that identify a repetition
)

func (m *Mender) init() {
	if m.scanner == nil {
		m.scanner = strictjson.NewScanner(Limits(m.Limits))
	}
}

// Holds reports whether held lines depend on the next record.
func (m *Mender) Holds() bool { return len(m.held) > 0 || m.late != nil }

// Next notifies the mender of a valid record. If Holds is true, call it before using the record.
func (m *Mender) Next(record []byte) { m.settle(record, false) }

// Line processes a line that is not one object.
func (m *Mender) Line(l source.Line) {
	m.init()
	p := Place{Line: l.Number, Column: l.Column, Offset: l.Offset, Text: l.Bytes}
	if l.Long {
		m.Fault(Fault{Rule: "limit", Line: l.Number, Offset: l.Offset, Lost: true, Message: "this " + source.TooLong(l.Size, len(l.Bytes)), Help: say.RaiseHint("--max-line-bytes")})
		return
	}
	if l.Offset == 0 && bytes.HasPrefix(p.Text, byteOrderMark) {
		m.Fault(bomFault())
		p = p.from(len(byteOrderMark))
	}
	m.hollow = false
	p.Text = m.withoutNUL(p)
	p.Text = m.validUTF8(p)
	if _, err := m.scanner.Scan(p.Text); err != nil {
		if f, ok := LimitFault(p, err); ok {
			m.Fault(f)
			return
		}
	}
	m.values(p, l.Terminated)
	m.hollow = false
}

// LimitFault is the fault of a record that a scanner refused for one of its limits; ok is false for other errors.
func LimitFault(p Place, err error) (f Fault, ok bool) {
	e, is := asError(err)
	flag := map[strictjson.Code]string{strictjson.Depth: "--max-depth", strictjson.TooManyKeys: "--max-keys", strictjson.TooManyValues: "--max-values"}
	if !is || flag[e.Code] == "" {
		return f, false
	}
	return Fault{Rule: "limit", Line: p.Line, Offset: p.Offset, Lost: true, Message: "a record was skipped: " + e.Message, Help: say.RaiseHint(flag[e.Code])}, true
}

// from returns the place n bytes later.
func (p Place) from(n int) Place {
	p.Column += utf8.RuneCount(p.Text[:n])
	p.Offset += int64(n)
	p.Text = p.Text[n:]
	return p
}

func bomFault() Fault {
	return Fault{Rule: "bom", Line: 1, Column: 1, Message: "the file starts with a byte order mark, which no agent writes; Gemini CLI cannot read such a file"}
}

func nulFault(n, line int, offset int64) Fault {
	return Fault{
		Rule: "nul", Line: line, Offset: offset,
		Message: fmt.Sprintf("%s at offset %d: the file grew, but the data was never written, as after a power failure", say.Counted(int64(n), "NUL byte"), offset),
	}
}

// withoutNUL removes NUL bytes from a line.
func (m *Mender) withoutNUL(p Place) []byte {
	n := bytes.Count(p.Text, []byte{0})
	if n == 0 {
		return p.Text
	}
	f := nulFault(n, p.Line, p.Offset+int64(bytes.IndexByte(p.Text, 0)))
	inner := bytes.Trim(p.Text, "\x00 \t\r")
	rest := bytes.ReplaceAll(inner, []byte{0}, nil)
	whole := len(inner) == 0
	if !whole {
		doc, err := m.scanner.Scan(rest)
		whole = err == nil && isObject(doc.Root()) && len(rest) == len(inner)
		if !whole && len(valuesOf(m.scanner, inner)) > 1 {
			whole = true // between two records
		}
	}
	if f.Mild = whole; whole {
		f.Message += "; the records on both sides are whole"
	} else {
		f.Message += ", inside a record"
		f.Lost, m.hollow = true, true
	}
	m.Fault(f)
	return rest
}

// validUTF8 replaces invalid UTF-8.
func (m *Mender) validUTF8(p Place) []byte {
	if utf8.Valid(p.Text) {
		return p.Text
	}
	if !m.ends(p) { // a truncated character is a cut
		f := utf8Fault(p)
		m.Fault(f)
	}
	return bytes.ToValidUTF8(p.Text, []byte("\ufffd"))
}

// ends reports whether the only invalid UTF-8 is a truncated character at the end.
func (m *Mender) ends(p Place) bool {
	for cut := 1; cut < utf8.UTFMax && cut < len(p.Text); cut++ {
		if i := len(p.Text) - cut; utf8.Valid(p.Text[:i]) {
			return !utf8.FullRune(p.Text[i:])
		}
	}
	return false
}

func utf8Fault(p Place) Fault {
	at := 0
	for at < len(p.Text) {
		r, size := utf8.DecodeRune(p.Text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	column := p.Column + utf8.RuneCount(p.Text[:at]) + 1
	line := p.LineAt(at)
	if line != p.Line {
		column = utf8.RuneCount(p.Text[bytes.LastIndexByte(p.Text[:at], '\n')+1:at]) + 1
	}
	return Fault{
		Rule: "utf8", Line: line, Column: column, Offset: p.Offset + int64(at), Lost: true,
		Message: fmt.Sprintf("the byte 0x%02X is not valid in UTF-8", p.Text[min(at, len(p.Text)-1)]),
	}
}

// values takes the leading complete values of a line and examines the rest.
func (m *Mender) values(p Place, ended bool) {
	var whole []Place
	for {
		trimmed := bytes.TrimLeft(p.Text, " \t\r")
		p = p.from(len(p.Text) - len(trimmed))
		end := firstValue(m.scanner, p.Text)
		if end <= 0 {
			break
		}
		one := p
		one.Text = p.Text[:end]
		if m.hollow && !m.is(one.Text) {
			break
		}
		whole = append(whole, one)
		p = p.from(end)
	}
	if len(whole) > 0 && m.Holds() {
		m.Next(whole[0].Text)
	}
	for i, v := range whole {
		if i > 0 {
			m.Fault(Fault{
				Rule: "glued", Line: v.Line, Column: v.Column + 1, Offset: v.Offset, IDs: idsOf(v.Text), Type: typeOf(v.Text),
				Message: fmt.Sprintf("two records on one line: the second begins at column %d, without a line feed before it", v.Column+1),
			})
		}
		m.record(v)
	}
	if len(p.Text) > 0 {
		m.inside(p, ended)
	}
}

// is reports whether a text is a record of the format.
func (m *Mender) is(text []byte) bool {
	doc, err := m.scanner.Scan(text)
	return err == nil && Is(m.Format, doc.Root())
}

func (m *Mender) record(p Place) {
	m.Records++
	m.Record(p)
}

// inside searches an incomplete text for a record.
func (m *Mender) inside(p Place, ended bool) {
	attempts := 0
	for at := 1; attempts < maxAttempts; at++ {
		next := bytes.Index(p.Text[min(at, len(p.Text)):], []byte(`{"`))
		if next < 0 {
			break
		}
		at += next
		attempts++
		doc, err := m.scanner.Scan(p.Text[at:])
		end := len(p.Text) - at
		if e, is := asError(err); is {
			if e.Code != strictjson.Trailing || e.Offset >= end || p.Text[at+e.Offset] != '{' {
				continue
			}
			end = e.Offset
			if doc, err = m.scanner.Scan(p.Text[at : at+end]); err != nil {
				continue
			}
		}
		if !Is(m.Format, doc.Root()) {
			continue
		}
		m.broken(p, at, ended)
		return
	}
	m.hold(p, ended)
}

// broken handles a text that contains the start of another record.
func (m *Mender) broken(p Place, at int, ended bool) {
	rest := p.from(at)
	first := p
	first.Text = p.Text[:at]
	whole := rest.Text[:firstValue(m.scanner, rest.Text)]
	if m.Holds() {
		m.Next(whole)
	}
	f := Fault{Line: p.Line, Offset: rest.Offset, Column: rest.Column + 1, Type: typeOf(first.Text)}
	if shared := sharedBytes(first.Text, whole, envelope); shared >= minShared {
		f.Rule, f.IDs, f.Type = "retried", idsOf(whole), typeOf(whole)
		f.Message = fmt.Sprintf("an incomplete record ends after %s and is repeated in full on the same line: nothing is lost", say.Counted(int64(at), "byte"))
	} else {
		f.Rule, f.IDs, f.Lost = "spliced", idsOf(first.Text), true
		f.Message = fmt.Sprintf("a record%s ends early at column %d, where the next one begins: the first record is lost", named(first.Text), rest.Column+1)
	}
	if !m.hollow {
		m.Fault(f)
	}
	m.values(rest, ended)
}

// named describes the readable part of a lost record.
func named(text []byte) string {
	typ, ids := typeOf(text), idsOf(text)
	switch {
	case typ != "" && len(ids) > 0:
		return fmt.Sprintf(" (%s, %s)", typ, ids[0])
	case typ != "":
		return fmt.Sprintf(" (%s)", typ)
	}
	return ""
}

// hold keeps a text until later lines explain it.
func (m *Mender) hold(p Place, ended bool) {
	if m.hollow {
		return
	}
	if m.late != nil {
		m.lost(*m.late)
		m.late = nil
	}
	size := len(p.Text)
	for _, t := range m.held {
		size += len(t.Text)
	}
	if size > maxHeld || len(m.held) > maxJoined {
		m.settle(nil, false)
	}
	p.Text = bytes.Clone(p.Text)
	m.held = append(m.held, torn{p, ended})
}

// settle explains held lines by the next record, or nil at the end.
func (m *Mender) settle(next []byte, last bool) {
	if late := m.late; late != nil {
		m.late = nil
		if !m.again(*late, next) {
			m.lost(*late)
		}
	}
	held := m.held
	m.held = nil
	for i := 0; i < len(held); i++ {
		t := held[i]
		if n := m.joined(held[i:]); n > 0 {
			i += n - 1
			continue
		}
		switch final := last && i == len(held)-1; {
		case t.Text[0] != '{':
			m.foreign(t)
		case m.again(t, next):
		case final && m.Growing && !t.ended:
			m.Fault(Fault{Rule: "unfinished", Line: t.Line, Offset: t.Offset, Known: true, Message: fmt.Sprintf("the last line is still being written: %s so far", say.Counted(int64(len(t.Text)), "byte"))})
		case final:
			m.cut(t)
		case i == len(held)-1 && next != nil:
			m.late = &t
		default:
			m.lost(t)
		}
	}
}

// End explains held lines at the end of the file.
func (m *Mender) End() {
	m.init()
	m.settle(nil, true)
}

// joined returns the number of held lines that form one record.
func (m *Mender) joined(held []torn) int {
	if held[0].Text[0] != '{' {
		return 0
	}
	text := bytes.Clone(held[0].Text)
	for i := 1; i < len(held) && i <= maxJoined; i++ {
		if held[i].Line != held[i-1].Line+1 || held[i].Column > 0 {
			return 0
		}
		text = append(append(text, `\n`...), held[i].Text...)
		doc, err := m.scanner.Scan(text)
		if err != nil || !Is(m.Format, doc.Root()) {
			continue
		}
		p := held[0].Place
		p.Text = text
		m.Fault(Fault{
			Rule: "broken_line", Line: p.Line, Lines: i + 1, Offset: p.Offset, Column: p.Column + 1, Type: typeOf(text), IDs: idsOf(text),
			Message: fmt.Sprintf("one record is spread over lines %d to %d: raw line feeds inside a string", p.Line, held[i].Line),
		})
		m.record(p)
		return i + 1
	}
	return 0
}

// again reports whether a truncated record was written again.
func (m *Mender) again(t torn, next []byte) bool {
	shared := sharedBytes(t.Text, next, times)
	if shared < minShared {
		return false
	}
	m.Fault(Fault{
		Rule: "retried", Line: t.Line, Lines: 2, Column: t.Column + 1, Offset: t.Offset, Type: typeOf(next), IDs: idsOf(next),
		Message: fmt.Sprintf("an incomplete record ends after %s and is repeated in full on the next line: nothing is lost", say.Counted(int64(len(t.Text)), "byte")),
	})
	return true
}

func (m *Mender) foreign(t torn) {
	text := bytes.TrimSpace(t.Text)
	if len(text) == 0 {
		return
	}
	m.Fault(Fault{
		Rule: "foreign", Line: t.Line, Column: t.Column + 1, Offset: t.Offset,
		Message: "this line is not a record: " + strconvQuote(text[:min(len(text), 60)]),
	})
}

const repairHint = "`cupel trace repair` writes a copy without the broken tail"

func (m *Mender) cut(t torn) {
	m.Fault(Fault{
		Rule: "cut", Line: t.Line, Column: t.Column + 1, Offset: t.Offset, Lost: true, Type: typeOf(t.Text), IDs: idsOf(t.Text),
		Message: fmt.Sprintf("the file ends inside record %d%s, after %s; %s before it are complete",
			m.Records+1, named(t.Text), say.Counted(int64(len(t.Text)), "byte"), say.Counted(m.Records, "record")),
		Help: repairHint,
	})
}

func (m *Mender) lost(t torn) {
	m.Fault(Fault{
		Rule: "cut", Line: t.Line, Column: t.Column + 1, Offset: t.Offset, Lost: true, Type: typeOf(t.Text), IDs: idsOf(t.Text),
		Message: fmt.Sprintf("a record%s ends early, after %s: the record is lost", named(t.Text), say.Counted(int64(len(t.Text)), "byte")),
	})
}

func strconvQuote(b []byte) string {
	return strconv.Quote(string(bytes.ToValidUTF8(b, []byte("\ufffd"))))
}

// times are members that change when a record is rewritten. envelope members do not identify a
// record; two records on one line need more evidence, because the first can be another record.
var (
	times    = []string{`"timestamp":"`, `"ordinal":`}
	envelope = append(times, `"type":"`, `"payload":`, `"data":`)
)

// sharedBytes returns the common bytes after the envelope if part is a truncated whole, else 0.
func sharedBytes(part, whole []byte, envelope []string) int {
	if whole == nil {
		return 0
	}
	a, b := withoutTimes(part), withoutTimes(whole)
	n := len(a)
	if n > len(b) || !bytes.Equal(a, b[:n]) {
		return 0
	}
	return n - envelopeBytes(a, envelope)
}

// withoutTimes removes times and numbers from the start of a record.
func withoutTimes(text []byte) []byte {
	out := bytes.Clone(text)
	for _, name := range times {
		i := bytes.Index(out, []byte(name))
		if i < 0 {
			continue
		}
		start := i + len(name)
		end := start
		for end < len(out) && out[end] != '"' && out[end] != ',' && out[end] != '}' {
			end++
		}
		out = append(out[:start], out[end:]...)
	}
	return out
}

// envelopeBytes returns the length of the leading envelope members.
func envelopeBytes(text []byte, envelope []string) int {
	at := 0
	for again := true; again; {
		again = false
		for _, name := range envelope {
			rest := bytes.TrimLeft(text[at:], "{, ")
			if !bytes.HasPrefix(rest, []byte(name)) {
				continue
			}
			at = len(text) - len(rest) + len(name)
			if end := bytes.IndexAny(text[at:], ",{"); end >= 0 {
				at += end
			}
			again = true
		}
	}
	return at
}

// idNames are members that identify a record.
var idNames = []string{"uuid", "id", "call_id", "toolCallId", "tool_use_id"}

// idsOf returns the ids in the start of a record.
func idsOf(text []byte) (ids []string) {
	for _, name := range idNames {
		if v := member(text, name); v != "" {
			ids = append(ids, v)
		}
	}
	return ids
}

func typeOf(text []byte) string { return member(text, "type") }

// member returns the first short string member of that name, or "".
func member(text []byte, name string) string {
	for _, between := range []string{`":"`, `": "`} {
		key := []byte(`"` + name + between)
		i := bytes.Index(text, key)
		if i < 0 {
			continue
		}
		rest := text[i+len(key):]
		if end := bytes.IndexByte(rest, '"'); end > 0 && end <= 128 && !bytes.ContainsRune(rest[:end], '\\') {
			return string(rest[:end])
		}
	}
	return ""
}

// Mended returns an element's text without NUL bytes and with U+FFFD for invalid UTF-8, and the faults.
func Mended(scanner *strictjson.Scanner, p Place) ([]byte, []Fault) {
	var faults []Fault
	m := Mender{scanner: scanner, Fault: func(f Fault) { faults = append(faults, f) }}
	if at := bytes.IndexByte(p.Text, 0); at >= 0 {
		line := p.LineAt(at)
		p.Text = m.withoutNUL(p)
		faults[0].Line = line
	}
	if !utf8.Valid(p.Text) {
		faults = append(faults, utf8Fault(p))
		p.Text = bytes.ToValidUTF8(p.Text, []byte("\ufffd"))
	}
	return p.Text, faults
}
