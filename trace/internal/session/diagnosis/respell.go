package diagnosis

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// conversion is an accidental change of bytes by a tool. It yields possible original texts.
type conversion struct {
	kind  stream.DamageKind
	name  string
	note  string // after "the recorded hash matches"
	help  string
	lossy bool // digits are lost and must be searched for
	undo  func(s *session.Single, line []byte, doc *strictjson.Document) iter.Seq[[]byte]
}

// What to do about a conversion.
const (
	keepUnicode = "have the copying tool leave Unicode as it is"
	keepNumbers = "copy events without parsing their numbers"
	keepTimes   = "copy events without parsing their times"
	keepTypes   = "copy events without changing types"
)

// conversions are tried in this order.
var conversions = []conversion{
	{kind: stream.DamageReencoded, name: "cp1252", note: "when the line is read as Windows-1252 (ISO-8859-1) and not as UTF-8", help: "convert it back: iconv -f WINDOWS-1252 -t UTF-8 FILE", lossy: true, undo: undoWindows1252},
	{kind: stream.DamageRespelled, name: "upper-case hex", note: "when its digits are written in lower case, not upper case", help: "write hashes as lower-case digits", undo: undoUpper},
	{kind: stream.DamageRespelled, name: "sha256: prefix", note: "without the prefix sha256: that was put before it", help: "write hashes without a prefix", undo: undoPrefix},
	{kind: stream.DamageRespelled, name: "members added", note: "without the members that a shipper added to the event", help: "have the shipper keep events as they are", undo: undoMembers},
	{kind: stream.DamageRespelled, name: "time +00:00", note: "when the time zone is written Z in place of +00:00, or the other way", help: keepTimes, undo: times(zones, sameFraction)},
	{kind: stream.DamageRespelled, name: "time .000", note: "when the time is written with another number of zeros in its fraction, as without .000", help: keepTimes, undo: times(sameZone, zeros)},
	{kind: stream.DamageRespelled, name: "time respelled", note: "when the time is written with another zone and fraction", help: keepTimes, undo: times(zones, zeros)},
	{kind: stream.DamageReencoded, name: "NFD", note: "when the text is normalized back from NFD to NFC", help: keepUnicode, undo: undoForm(norm.NFC)},
	{kind: stream.DamageReencoded, name: "NFC", note: "when the text is normalized back from NFC to NFD", help: keepUnicode, undo: undoForm(norm.NFD)},
	{kind: stream.DamageReencoded, name: "mojibake", note: "when the text is decoded once more: UTF-8 was read as Windows-1252 and encoded twice (mojibake)", help: "convert it back: iconv -f UTF-8 -t WINDOWS-1252 FILE", undo: undoMojibake},
	{kind: stream.DamageRespelled, name: `\u escaped twice`, note: `when \\uXXXX is read as \uXXXX: escapes were escaped twice`, help: "copy events without escaping them again", undo: undoEscapes},
	{kind: stream.DamageRespelled, name: "1.0 to 1", note: "when whole floating-point numbers are written 1.0 in place of 1", help: keepNumbers, undo: undoWhole},
	{kind: stream.DamageRespelled, name: "32-bit floats", note: "when numbers are rounded to 32-bit floats, as they were before they were widened", help: keepNumbers, undo: undoSingle},
	{kind: stream.DamageRespelled, name: "1 to 1.0", note: "when whole numbers are written 1 in place of 1.0", help: keepNumbers, undo: undoPoint},
	{kind: stream.DamageRespelled, name: "payload as a string", note: "when the payload is an object again and not a string of JSON", help: keepTypes, undo: undoPayload},
	{kind: stream.DamageRespelled, name: "typographic quotes", note: "when its typographic quotes are plain ones again, as before an editor replaced them", help: "switch off smart quotes, or do not edit logs", undo: undoQuotes},
	{kind: stream.DamageRespelled, name: "numbers as strings", note: "when the strings are numbers again", help: keepTypes, undo: undoStrings},
	{kind: stream.DamageRespelled, name: "members renamed", note: "when the members have their names again (camelCase to snake_case)", help: "copy events without renaming members", undo: undoNames},
	{kind: stream.DamageRespelled, name: "numbers rounded", note: "when numbers have the last digits again that a rounding to 15 or 16 digits took", help: keepNumbers, lossy: true, undo: undoRounding},
	{kind: stream.DamageRespelled, name: "microseconds cut", note: "when the time has the microseconds again that were cut to milliseconds", help: keepTimes, lossy: true, undo: undoCut},
}

// Limits of the search. A lossy conversion tries up to maxTries texts for a line, on up to maxSearches lines.
const (
	maxTries    = 2_000
	maxSearches = 64
)

func undoWindows1252(_ *session.Single, line []byte, _ *strictjson.Document) iter.Seq[[]byte] {
	fixed, ok := fromWindows1252(line)
	if !ok {
		return one(nil)
	}
	return one(fixed)
}

func undoForm(form norm.Form) func(*session.Single, []byte, *strictjson.Document) iter.Seq[[]byte] {
	return func(_ *session.Single, line []byte, _ *strictjson.Document) iter.Seq[[]byte] {
		return one(renormalized(line, form))
	}
}

func undoMojibake(_ *session.Single, line []byte, _ *strictjson.Document) iter.Seq[[]byte] {
	return slices.Values(fromMojibake(line))
}

var anyHash = regexp.MustCompile(`"(sha256:)?[0-9A-Fa-f]{64}"`)

func undoUpper(_ *session.Single, line []byte, _ *strictjson.Document) iter.Seq[[]byte] {
	fixed := anyHash.ReplaceAllFunc(line, bytes.ToLower)
	if bytes.Equal(fixed, line) {
		return one(nil)
	}
	return one(fixed)
}

func undoPrefix(_ *session.Single, line []byte, _ *strictjson.Document) iter.Seq[[]byte] {
	fixed := anyHash.ReplaceAllFunc(line, func(hash []byte) []byte { return bytes.Replace(hash, []byte("sha256:"), nil, 1) })
	if bytes.Equal(fixed, line) {
		return one(nil)
	}
	return one(fixed)
}

func undoMembers(s *session.Single, line []byte, doc *strictjson.Document) iter.Seq[[]byte] {
	if doc == nil {
		return one(nil)
	}
	var edits []edit
	for _, span := range s.Strangers(doc.Root()) {
		from, to := span[0], span[1]
		// with the comma after it, or else the one before
		if next := bytes.IndexFunc(line[to:], func(r rune) bool { return r != ' ' && r != '\t' }); next >= 0 && line[to+next] == ',' {
			to += next + 1
		} else if before := bytes.LastIndexByte(line[:from], ','); before >= 0 && (len(edits) == 0 || edits[len(edits)-1].to <= before) {
			from = before
		}
		edits = append(edits, edit{from, to, ""})
	}
	if len(edits) == 0 {
		return one(nil)
	}
	fixed := apply(line, edits)
	return one(regexp.MustCompile(`,\s*}$`).ReplaceAll(bytes.TrimSpace(fixed), []byte("}")))
}

// quotes are typographic quotes and the plain ones.
var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "‘", "'", "’", "'")

func undoQuotes(_ *session.Single, line []byte, _ *strictjson.Document) iter.Seq[[]byte] {
	if fixed := quotes.Replace(string(line)); fixed != string(line) {
		return one([]byte(fixed))
	}
	return one(nil)
}

func undoPayload(_ *session.Single, line []byte, doc *strictjson.Document) iter.Seq[[]byte] {
	if doc == nil || !doc.Root().Is(strictjson.Object) {
		return one(nil)
	}
	payload := doc.Root().Get("payload")
	text, ok := payload.Text()
	if !ok || !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return one(nil)
	}
	from, to := payload.Span()
	return one(apply(line, []edit{{from, to, text}}))
}

var twice = regexp.MustCompile(`\\\\u[0-9A-Fa-f]{4}`)

func undoEscapes(_ *session.Single, line []byte, _ *strictjson.Document) iter.Seq[[]byte] {
	if !twice.Match(line) {
		return one(nil)
	}
	return one(twice.ReplaceAllFunc(line, func(escape []byte) []byte { return escape[1:] }))
}

var camel = regexp.MustCompile(`[a-z0-9][A-Z]`)

func undoNames(_ *session.Single, line []byte, doc *strictjson.Document) iter.Seq[[]byte] {
	if doc == nil || !doc.Root().Is(strictjson.Object) {
		return one(nil)
	}
	var edits []edit
	rename := func(n strictjson.Node) {
		if from, to := n.KeySpan(); from >= 0 && to > from && camel.Match(line[from:to]) {
			key := line[from:to]
			edits = append(edits, edit{from, to, string(bytes.ToLower(camel.ReplaceAllFunc(key, func(two []byte) []byte { return []byte{two[0], '_', two[1]} })))})
		}
	}
	for n := range doc.Root().Children() {
		rename(n)
	}
	top := slices.Clone(edits)
	payload := doc.Root().Get("payload")
	if payload.Is(strictjson.Object) {
		values(payload, func(n strictjson.Node) {
			if n != payload {
				rename(n)
			}
		})
	}
	return func(yield func([]byte) bool) {
		for _, list := range [][]edit{top, edits} {
			if len(list) > 0 && !yield(apply(line, list)) {
				return
			}
		}
	}
}
