package evidence

import (
	"bytes"
	"fmt"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/reference"
)

// canonical builds hash inputs. Each is valid until the next call.
type canonical struct {
	engine Engine
	writer *jcs.Writer
	input  []byte // the hash input of the current event
	whole  []byte // the current event
}

func newCanonical(engine Engine) canonical {
	return canonical{engine: engine, writer: jcs.NewWriter(nil)}
}

func (c *canonical) hashInput(e *Event) (_ []byte, err error) {
	if c.engine != Reference {
		c.input = c.appendInput(c.input[:0], e)
	}
	if c.engine != Fast {
		c.input, err = compared(c.engine, e.place.line, c.input, sourceInput(e))
	}
	e.plainData = err == nil && beginsWithData(c.input, e.get(AttrData).Raw())
	return c.input, err
}

// beginsWithData reports whether a hash input contains the data as written in the event.
func beginsWithData(input, data []byte) bool {
	rest, same := bytes.CutPrefix(input[len(`{"data":`):], data)
	return same && rest[0] == ','
}

func (c *canonical) event(e *Event) (_ []byte, err error) {
	if c.engine != Reference {
		c.whole = c.writer.Append(c.whole[:0], e.root())
	}
	if c.engine != Fast {
		c.whole, err = compared(c.engine, e.place.line, c.whole, e.root().Raw())
	}
	return c.whole, err
}

// appendInput appends the five members in canonical order: "data" sorts before "datacontenttype".
func (c *canonical) appendInput(dst []byte, e *Event) []byte {
	dst = c.writer.Append(append(dst, `{"data":`...), e.get(AttrData))
	dst = append(dst, `,"datacontenttype":`...)
	if contentType := e.get(AttrContentType); contentType.Missing() {
		dst = append(dst, `"`+defaultContentType+`"`...)
	} else {
		dst = c.writer.Append(dst, contentType)
	}
	dst = append(dst, `,"specversion":"`+specVersion+`"`...)
	if subject := e.get(AttrSubject); !subject.Missing() {
		dst = c.writer.Append(append(dst, `,"subject":`...), subject)
	}
	dst = c.writer.Append(append(dst, `,"type":`...), e.get(AttrType))
	return append(dst, '}')
}

// sourceInput returns the hash input as written in the event, deliberately unsorted, to make the reference engine
// sort.
func sourceInput(e *Event) []byte {
	raw := func(a Attribute) []byte { return e.get(a).Raw() }
	contentType := []byte(`"` + defaultContentType + `"`)
	if !e.get(AttrContentType).Missing() {
		contentType = raw(AttrContentType)
	}
	src := fmt.Appendf(nil, `{"type":%s,"specversion":%s,"datacontenttype":%s,`, raw(AttrType), raw(AttrSpecVersion), contentType)
	if !e.get(AttrSubject).Missing() {
		src = fmt.Appendf(src, `"subject":%s,`, raw(AttrSubject))
	}
	return fmt.Appendf(src, `"data":%s}`, raw(AttrData))
}

// compared returns the reference engine's canonical form of source. With both engines, it must equal own.
func compared(engine Engine, line int, own, source []byte) ([]byte, error) {
	canonical, err := reference.Canonical(source)
	if err != nil {
		return nil, fmt.Errorf("line %d: the reference engine refuses a line that the strict reader accepts: %w", line, err)
	}
	if engine == Both && !bytes.Equal(own, canonical) {
		i := firstDifference(own, canonical)
		return nil, fmt.Errorf("line %d: the engines disagree at byte %d of the canonical form: fast %s, reference %s",
			line, i, preview(own[i:]), preview(canonical[i:]))
	}
	return canonical, nil
}

func firstDifference(a, b []byte) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}
