package naive

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// identity recomputes the id that the header states.
func (c *reasoning) identity() {
	differs := func(line int) {
		if c.run.CheckIDs {
			c.fault("id.trace_mismatch", line)
		} else {
			c.warn("id.trace_mismatch", line)
		}
	}
	if c.header == nil {
		if c.run.CheckIDs {
			differs(0)
		}
		return
	}
	h := c.header.members
	id, ok := text(h, "id")
	if !ok {
		if c.run.CheckIDs {
			differs(0)
		}
		return
	}
	or := func(absent any, names ...string) any {
		for _, name := range names {
			if v, ok := h[name]; ok {
				return v
			}
		}
		return absent
	}
	content := map[string]any{
		"canonicalization_version": or(json.Number("1"), "canonicalization_version"),
		"events":                   c.texts,
		"fingerprint_algo":         or("sha256", "fingerprint_algo"),
		"metadata":                 or(map[string]any{}, "metadata"),
		"plan_id":                  or(nil, "plan_id"),
		"runtime_protocol_version": or(json.Number("1"), "runtime_protocol_version"),
		"schema_version":           or(json.Number("1"), "schema_version", "trace_schema_version"),
		"spec_id":                  or(nil, "spec_id"),
	}
	if c.texts == nil {
		content["events"] = []any{}
	}
	if id != "trace_v1_"+sum(pythonJSON(content)) {
		differs(c.header.line)
	}
}

// pythonJSON is the canonical text of the format: names by code point, integers digit by digit,
// floats as Python's repr.
func pythonJSON(v any) string {
	switch v := v.(type) {
	case json.Number:
		if i, ok := new(big.Int).SetString(string(v), 10); ok {
			return i.String()
		}
		f, _ := strconv.ParseFloat(string(v), 64)
		if f == 0 {
			return "0.0"
		}
		s := (dialect{}).number(string(v))
		if mantissa, exponent, ok := strings.Cut(s, "e"); ok && exponent[0] != '-' {
			s = mantissa + "e+" + exponent
		}
		return s
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, pythonJSON(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		var parts []string
		for _, name := range (dialect{codePoints: true}).names(v) {
			parts = append(parts, dialect{}.quoted(name)+":"+pythonJSON(v[name]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case string:
		return dialect{}.quoted(v)
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}

// manifest compares each digest of the manifest with its file.
func (c *reasoning) manifest() {
	if c.run.Manifest == nil {
		return
	}
	list := decode(c.run.Manifest)
	if list == nil {
		c.warn("manifest.mismatch", 0)
	}
	for path, v := range list {
		name, safe := clean(path)
		recorded, _ := v.(string)
		content, rule := []byte(nil), "path.unsafe"
		if safe && name != "" && c.run.Open != nil {
			content, rule = c.run.Open(name)
		}
		if rule != "" || sum(string(content)) != recorded {
			c.warn("manifest.mismatch", 0)
		}
	}
}
