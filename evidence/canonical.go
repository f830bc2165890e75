package evidence

import (
	"bytes"
	"fmt"

	"github.com/cupel-dev/cupel/internal/reference"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// appendInput appends the canonical hash input.
func (h *Hasher) appendInput(dst []byte, m members) ([]byte, error) {
	if h.opt.Engine == Fast {
		return h.fastInput(dst, m), nil
	}
	source := sourceInput(m)
	return h.checked(dst, func(dst []byte) []byte { return h.fastInput(dst, m) }, source)
}

// appendCanonical appends the canonical form of a whole value.
func (h *Hasher) appendCanonical(dst []byte, n strictjson.Node) ([]byte, error) {
	if h.opt.Engine == Fast {
		return h.writer.Append(dst, n), nil
	}
	return h.checked(dst, func(dst []byte) []byte { return h.writer.Append(dst, n) }, n.Raw())
}

// fastInput writes the five members in their canonical order, which their names
// alone decide: "data" sorts before "datacontenttype".
func (h *Hasher) fastInput(dst []byte, m members) []byte {
	dst = h.writer.Append(append(dst, `{"data":`...), m.data)
	dst = append(dst, `,"datacontenttype":`...)
	if m.contentType.Missing() {
		dst = append(dst, `"`+defaultContentType+`"`...)
	} else {
		dst = h.writer.Append(dst, m.contentType)
	}
	dst = append(dst, `,"specversion":"`+specVersion+`"`...)
	if !m.subject.Missing() {
		dst = h.writer.Append(append(dst, `,"subject":`...), m.subject)
	}
	dst = h.writer.Append(append(dst, `,"type":`...), m.eventType)
	return append(dst, '}')
}

// sourceInput is the hash input before canonicalization, in the source's own
// spelling and deliberately not in canonical order: the reference engine has to sort.
func sourceInput(m members) []byte {
	contentType := []byte(`"` + defaultContentType + `"`)
	if !m.contentType.Missing() {
		contentType = m.contentType.Raw()
	}
	src := fmt.Appendf(nil, `{"type":%s,"specversion":%s,"datacontenttype":%s,`, m.eventType.Raw(), m.specVersion.Raw(), contentType)
	if !m.subject.Missing() {
		src = fmt.Appendf(src, `"subject":%s,`, m.subject.Raw())
	}
	return fmt.Appendf(src, `"data":%s}`, m.data.Raw())
}

// checked appends the reference engine's canonical form of source, compared with the
// fast engine's when both are asked for.
func (h *Hasher) checked(dst []byte, fast func([]byte) []byte, source []byte) ([]byte, error) {
	canonical, err := reference.Canonical(source)
	if err != nil {
		return dst, fmt.Errorf("line %d: the reference engine refuses what the strict reader accepts: %w", h.line, err)
	}
	if h.opt.Engine == Both {
		if own := fast(nil); !bytes.Equal(own, canonical) {
			i := firstDifference(own, canonical)
			return dst, fmt.Errorf("line %d: the engines disagree at byte %d of the canonical form: fast %s, reference %s",
				h.line, i, preview(own[i:]), preview(canonical[i:]))
		}
	}
	return append(dst, canonical...), nil
}

func firstDifference(a, b []byte) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}
