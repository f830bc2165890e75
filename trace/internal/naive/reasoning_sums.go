package naive

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// identity recomputes the id that the header states.
func (c *reasoningCheck) identity() {
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

// pythonJSON returns the canonical text of the format: names by code point, integers with all digits, floats as
// Python's repr.
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

// manifestDepth limits a manifest's nesting.
const manifestDepth = 128

func (c *reasoningCheck) manifest() {
	differs := func() {
		if c.run.Manifest {
			c.fault("manifest.mismatch", 0)
		} else {
			c.warn("manifest.mismatch", 0)
		}
	}
	content, there := c.content("manifest.json")
	if !there {
		if c.run.Manifest {
			differs()
		}
		return
	}
	list := decode(content, Limits{LineBytes: c.run.Limits.LineBytes, Depth: manifestDepth})
	if list == nil {
		differs()
	}
	for path, v := range list {
		if c.failed != nil {
			return
		}
		name, safe := clean(path)
		recorded, _ := v.(string)
		digest, rule := "", "path.unsafe"
		if safe && name != "" {
			digest, _, rule = c.sumOf(c.run.Folder, name, 0, -1)
		}
		if rule != "" || digest != recorded {
			differs()
		}
	}
}
