package evidence

import (
	"bytes"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/enum"
	"github.com/cupel-dev/cupel/internal/say"
)

// SumKind is the kind of a line in a list of hashes.
type SumKind uint8

// The kinds of lines.
const (
	EventSum    SumKind = iota // the content hash of one event
	RunRootSum                 // the run root of an input
	EnvelopeSum                // the digest of one canonical whole event
	ManifestSum                // the digest of a list of tools; such lines are not read back
)

var sumNames = [...]string{"event", "run-root", "envelope-digest", "manifest"}

// String returns the name of the kind.
func (k SumKind) String() string { return enum.Name(sumNames[:], k) }

// MarshalText returns the kind's name, or an error.
func (k SumKind) MarshalText() ([]byte, error) { return enum.Text(sumNames[:], k) }

// UnmarshalText sets the kind to the one with the name text.
func (k *SumKind) UnmarshalText(text []byte) error { return enum.Read("kind", sumNames[:], k, text) }

// sumLabels are the prefixes of lines by kind.
var sumLabels = [...]string{EventSum: "", RunRootSum: "run-root  ", EnvelopeSum: "envelope-digest  ", ManifestSum: "manifest  "}

// AppendSum appends a line of a list of hashes without line end, as `cupel evidence hash` prints and reads it:
//
//	sha256:<64 digits>  events.ndjson:1
//	run-root  sha256:<64 digits>  events.ndjson
//
// Line number 0 (a single event) is omitted. If an input's name has a backslash or control character, it is escaped
// and the line starts with a backslash, as in sha256sum.
func AppendSum(dst []byte, kind SumKind, hash Sum, input string, line int) []byte {
	escape := needsEscape(input)
	if escape {
		dst = append(dst, '\\')
	}
	dst = append(hash.AppendText(append(dst, sumLabels[kind]...)), "  "...)
	if escape {
		dst = appendEscaped(dst, input)
	} else {
		dst = append(dst, input...)
	}
	if line > 0 {
		dst = strconv.AppendInt(append(dst, ':'), int64(line), 10)
	}
	return dst
}

// SumLine is a line of a list of hashes.
type SumLine struct {
	Kind SumKind
	Hash string // text form; digits can be in upper case
	Name string // the input, with a colon and a line number for an event of a stream
}

// Place splits the name of an event in a stream into input and line, 0 for a name without line.
func (l SumLine) Place() (input string, line int) {
	i := strings.LastIndexByte(l.Name, ':')
	if i <= 0 {
		return l.Name, 0
	}
	number, err := strconv.Atoi(l.Name[i+1:])
	if err != nil || number < 1 || l.Name[i+1] == '+' {
		return l.Name, 0
	}
	return l.Name[:i], number
}

// ParseSumLine parses a line without its line end. ok is false if it is not a line of a list of hashes.
func ParseSumLine(text []byte) (l SumLine, ok bool) {
	text, escaped := bytes.CutPrefix(text, []byte{'\\'})
	for _, kind := range []SumKind{RunRootSum, EnvelopeSum} {
		if rest, found := bytes.CutPrefix(text, []byte(sumLabels[kind])); found {
			l.Kind, text = kind, rest
		}
	}
	hash, name, found := bytes.Cut(text, []byte("  "))
	if !found || len(name) == 0 || len(hash) != digest.TextLen || string(hash[:len(digest.Prefix)]) != digest.Prefix {
		return l, false
	}
	if _, err := hex.DecodeString(string(hash[len(digest.Prefix):])); err != nil {
		return l, false
	}
	l.Hash, l.Name = string(hash), string(name)
	if escaped {
		l.Name, ok = unescapeName(l.Name)
		return l, ok
	}
	return l, true
}

func needsEscape(name string) bool {
	return strings.Contains(name, `\`) || say.Acts(name)
}

// appendEscaped appends a name with doubled backslashes, \n and \r for line ends, and \xHH for other special bytes.
func appendEscaped(dst []byte, name string) []byte {
	for len(name) > 0 {
		_, size := utf8.DecodeRuneInString(name)
		switch {
		case name[0] == '\\':
			dst = append(dst, `\\`...)
		case name[0] == '\n':
			dst = append(dst, `\n`...)
		case name[0] == '\r':
			dst = append(dst, `\r`...)
		case say.ActsAt(name):
			for _, c := range []byte(name[:size]) {
				dst = hex.AppendEncode(append(dst, `\x`...), []byte{c})
			}
		default:
			dst = append(dst, name[:size]...)
		}
		name = name[size:]
	}
	return dst
}

func unescapeName(name string) (string, bool) {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(name, `\`)
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		used := 1
		switch {
		case after == "":
			return "", false
		case after[0] == '\\':
			b.WriteByte('\\')
		case after[0] == 'n':
			b.WriteByte('\n')
		case after[0] == 'r':
			b.WriteByte('\r')
		case after[0] == 'x' && len(after) >= 3:
			c, err := hex.DecodeString(after[1:3])
			if err != nil {
				return "", false
			}
			b.WriteByte(c[0])
			used = 3
		default:
			return "", false
		}
		name = after[used:]
	}
}
