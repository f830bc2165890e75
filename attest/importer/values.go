package importer

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// either returns the first existing member of those names: writers of Protocol Buffers use both the JSON name and
// the field name.
func either(n strictjson.Node, names ...string) strictjson.Node {
	for _, name := range names {
		if member := n.Last(name); member.Exists() {
			return member
		}
	}
	return strictjson.Node{}
}

// plain returns the value inside an OTLP value: "x" for {"stringValue": "x"}.
func (m *maker) plain(value strictjson.Node) strictjson.Node {
	if text := either(value, "stringValue", "string_value"); text.Is(strictjson.String) {
		return text
	}
	if !value.Is(strictjson.Object) || value.Len() == 0 {
		return strictjson.Node{}
	}
	return m.read(value, appendPlain(nil, value))
}

func appendPlain(dst []byte, value strictjson.Node) []byte {
	member := value.At(0)
	switch name := strings.ReplaceAll(strings.ToLower(member.Key()), "_", ""); name {
	case "stringvalue", "boolvalue", "bytesvalue":
		return append(dst, member.Raw()...)
	case "intvalue", "doublevalue":
		if member.Is(strictjson.String) && !isNumber(member.TextBytes(nil)) {
			return append(dst, member.Raw()...) // NaN and the like
		}
		return append(dst, bytes.Trim(member.Raw(), `"`)...)
	case "arrayvalue":
		dst = append(dst, '[')
		for one := range member.Last("values").Children() {
			dst = append(appendPlain(separated(dst), one), ' ')
		}
		return append(dst, ']')
	case "kvlistvalue":
		dst = append(dst, '{')
		for one := range member.Last("values").Children() {
			key := one.Last("key").Raw()
			if !one.Last("key").Is(strictjson.String) {
				key = []byte(`""`)
			}
			dst = appendPlain(append(append(separated(dst), key...), ':'), one.Last("value"))
			dst = append(dst, ' ')
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// separated appends a comma unless at the start of a list.
func separated(dst []byte) []byte {
	if last := dst[len(dst)-1]; last != '[' && last != '{' {
		dst = append(dst, ',')
	}
	return dst
}

func isNumber(text []byte) bool {
	f, err := strconv.ParseFloat(string(text), 64)
	return err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) && !bytes.ContainsAny(text, "xXpP_+nN")
}
