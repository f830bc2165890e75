package yamltext

import (
	"math/big"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/model"
)

// maxNumberLength limits numbers in bytes. Longer ones are strings, because arithmetic on them is superlinear.
const maxNumberLength = 1024

// The tags of YAML's core schema. Other tags are rejected.
const (
	tagNull  = "!!null"
	tagBool  = "!!bool"
	tagInt   = "!!int"
	tagFloat = "!!float"
	tagStr   = "!!str"
	tagMap   = "!!map"
	tagSeq   = "!!seq"
)

// IsPlain reports whether a scalar is unquoted and untagged, so that its text determines the type.
func IsPlain(n *yaml.Node) bool {
	return n.Style&(place.QuotedStyles|yaml.TaggedStyle) == 0 && n.Tag != "!"
}

func isBlockScalar(n *yaml.Node) bool { return n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 }

// Scalar types a scalar by the YAML 1.2 core schema, because the library uses YAML 1.1. ok is false if an explicit
// tag contradicts the text.
func Scalar(n *yaml.Node) (v model.Value, ok bool) {
	if IsPlain(n) {
		return coreValue(n.Value), true
	}
	if n.Style&yaml.TaggedStyle == 0 {
		return n.Value, true
	}
	tag := n.ShortTag()
	if tag == tagStr {
		return n.Value, true
	}
	v = coreValue(n.Value)
	switch v := v.(type) {
	case nil:
		return nil, tag == tagNull
	case bool:
		return v, tag == tagBool
	case model.Number:
		if tag == tagFloat && v.IsInteger() {
			return v + ".0", true
		}
		return v, tag == tagFloat || tag == tagInt && v.IsInteger()
	}
	return v, false
}

// coreValue resolves a plain scalar by the core schema (YAML 1.2.2, clause 10.3.2).
func coreValue(s string) model.Value {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return nil
	case "true", "True", "TRUE":
		return true
	case "false", "False", "FALSE":
		return false
	case ".nan", ".NaN", ".NAN":
		return model.NaN
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return model.Inf
	case "-.inf", "-.Inf", "-.INF":
		return model.NegInf
	}
	if n, ok := coreNumber(s); ok {
		return n
	}
	return s
}

// coreNumber parses a number of the core schema and converts it to JSON.
func coreNumber(s string) (model.Number, bool) {
	if c := s[0]; len(s) > maxNumberLength || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' {
		return "", false
	}
	n, ok := decimal(s)
	if base, based := map[string]int{"0o": 8, "0x": 16}[s[:min(2, len(s))]]; based {
		n, ok = basedInteger(s[2:], base)
	}
	return n, ok && len(n) <= maxNumberLength // also a number in JSON spelling
}

func basedInteger(digits string, base int) (model.Number, bool) {
	valid := "01234567"
	if base == 16 {
		valid = "0123456789abcdefABCDEF"
	}
	if digits == "" || strings.Trim(digits, valid) != "" {
		return "", false
	}
	n, ok := new(big.Int).SetString(digits, base)
	return model.Number(n.String()), ok
}

// decimal reads [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
func decimal(s string) (model.Number, bool) {
	sign, rest := "", s
	switch rest[0] {
	case '-':
		sign, rest = "-", rest[1:]
	case '+':
		rest = rest[1:]
	}
	whole, rest := cutDigits(rest)
	fraction, dot := "", strings.HasPrefix(rest, ".")
	if dot {
		fraction, rest = cutDigits(rest[1:])
	}
	if whole == "" && fraction == "" {
		return "", false
	}
	exponent, ok := cutExponent(rest)
	if !ok {
		return "", false
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if dot {
		fraction = "." + fraction + map[bool]string{true: "0"}[fraction == ""]
	}
	return model.Number(sign + whole + fraction + exponent), true
}

func cutDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

// cutExponent removes a complete exponent, or nothing.
func cutExponent(s string) (string, bool) {
	if s == "" {
		return "", true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return "", false
	}
	digits := strings.TrimLeft(s[1:min(2, len(s))], "+-") + s[min(2, len(s)):]
	number, rest := cutDigits(digits)
	return s, number != "" && rest == ""
}
