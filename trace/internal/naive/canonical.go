package naive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/gowebpki/jcs"
	"golang.org/x/text/unicode/norm"
)

// dialect is a canonical form used by old logs instead of RFC 8785.
type dialect struct {
	name       string
	codePoints bool   // names in the order of code points, not of UTF-16 code units
	nfc        bool   // strings in Unicode normalization form C
	zero       string // what -0.0 becomes; 0.0 is "0"
}

// dialects are the five eras, in the order of their dates.
var dialects = []dialect{
	{name: "agentops-2026-01-22a", codePoints: true, zero: "-0"},
	{name: "agentops-2026-01-22b", codePoints: true, nfc: true, zero: "-0"},
	{name: "agentops-2026-01-22c", nfc: true, zero: "-0"},
	{name: "agentops-2026-01-29a", nfc: true, zero: "0"},
	{name: "agentops-2026-01-29b", zero: "0"},
}

// standard returns a value's canonical form under RFC 8785.
func standard(v any) string {
	plain, err := json.Marshal(v)
	if err != nil {
		panic("naive.standard: " + err.Error()) // a decoded value marshals
	}
	canonical, err := jcs.Transform(plain)
	if err != nil {
		panic("naive.standard: " + err.Error()) // its line has a canonical form
	}
	return string(canonical)
}

// hashes reports whether a canonical form of v has the recorded SHA-256: any form, RFC 8785 only ("strict"), or the
// named one.
func hashes(v any, recorded, choice string) bool {
	any := choice == "" || choice == "auto"
	if (any || choice == "strict" || choice == "rfc8785") && sum(standard(v)) == recorded {
		return true
	}
	return slices.ContainsFunc(dialects, func(d dialect) bool {
		return (any || choice == d.name) && sum(d.form(v)) == recorded
	})
}

func (d dialect) form(v any) string {
	switch v := v.(type) {
	case string:
		return d.quoted(v)
	case json.Number:
		return d.number(string(v))
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, d.form(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		var parts []string
		for _, name := range d.names(v) {
			parts = append(parts, dialect{}.quoted(name)+":"+d.form(v[name]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case nil:
		return "null"
	}
	return fmt.Sprint(v) // true, false
}

// names returns an object's names in the dialect's order. Names are not normalized.
func (d dialect) names(v map[string]any) (list []string) {
	units := map[string][]uint16{}
	for name := range v {
		list = append(list, name)
		units[name] = utf16.Encode([]rune(name))
	}
	slices.SortFunc(list, func(a, b string) int {
		if d.codePoints {
			return cmp.Compare(a, b) // UTF-8 keeps the order of code points
		}
		return slices.Compare(units[a], units[b])
	})
	return list
}

func (d dialect) quoted(s string) string {
	if d.nfc {
		s = norm.NFC.String(s)
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if i := strings.IndexRune("\b\t\n\f\r\"\\", r); i >= 0 {
			b.WriteString(`\` + `btnfr"\`[i:i+1])
		} else if r < ' ' {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// number formats a number as Python's json does, but without the plus sign in an exponent.
func (d dialect) number(s string) string {
	if i, ok := new(big.Int).SetString(s, 10); ok {
		return i.String()
	}
	f, _ := strconv.ParseFloat(s, 64)
	switch a := math.Abs(f); {
	case f == 0 && math.Signbit(f):
		return d.zero
	case f == 0:
		return "0"
	case a >= 1e-4 && a < 1e16:
		fixed := strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(fixed, ".") {
			fixed += ".0"
		}
		return fixed
	}
	return strings.Replace(strconv.FormatFloat(f, 'e', -1, 64), "+", "", 1)
}
