// Package otlp converts the messages of OTLP from Protocol Buffers to the OTLP JSON that says the same.
package otlp

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/cupel-dev/cupel/internal/jcs"
)

// UnknownFields is a member of the JSON: the number of fields that were left out because OTLP 1.x does not define them.
const UnknownFields = "unknownFieldsCount"

// Signals are the kinds of messages.
const (
	Traces  = "traces"
	Logs    = "logs"
	Metrics = "metrics"
)

// aside are messages that say nothing about what an agent did: their unknown fields do not matter.
var aside = []string{"Resource", "EntityRef", "Link"}

const mostFields = 16 // that a message has

// maxDepth limits messages inside messages, so that the JSON has fewer than 1,000 levels.
const maxDepth = 300

// TooLargeError reports that the JSON would exceed the limit.
type TooLargeError struct{ Limit int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the message has more than %d bytes as JSON", e.Limit)
}

// damage is why bytes are not a message.
type damage struct {
	at  int
	why string
}

func (d *damage) Error() string { return fmt.Sprintf("byte %d of the message has %s", d.at, d.why) }

// JSON returns a message of a signal as JSON of at most most bytes.
func JSON(signal string, message []byte, most int) ([]byte, error) {
	text, _, err := convert(signal, message, most)
	return text, err
}

// anySignal is JSON for a message whose signal is not known. Of metrics it returns an empty list, because nothing in
// them belongs to a trace.
func anySignal(message []byte, most int) (best []byte, err error) {
	found := false
	for _, signal := range []string{Traces, Logs, Metrics} {
		text, unknown, wrong := convert(signal, message, most)
		if _, large := errors.AsType[*TooLargeError](wrong); large {
			return nil, wrong
		}
		if wrong != nil {
			if furthest, is := errors.AsType[*damage](err); !is || wrong.(*damage).at > furthest.at { //nolint:errorlint // it is one of the two
				err = wrong
			}
			continue
		}
		if signal == Metrics {
			text = []byte(`{"resourceMetrics":[]}`)
		}
		if unknown == 0 {
			return text, nil
		}
		if !found {
			best, found = text, true
		}
	}
	if found {
		return best, nil
	}
	return nil, err
}

func convert(signal string, message []byte, most int) (text []byte, unknown int, err error) {
	c := converter{most: most}
	if err := c.message(signal, message, 0, 0); err != nil {
		return nil, 0, err
	}
	if c.unknown > 0 {
		c.json = fmt.Appendf(c.json[:len(c.json)-1], `,"%s":%d}`, UnknownFields, c.unknown)
	}
	return c.json, c.unknown, nil
}

type converter struct {
	json    []byte
	most    int
	unknown int
}

// wireTypes are the encodings of the kinds.
var wireTypes = [...]protowire.Type{
	nested: protowire.BytesType, each: protowire.BytesType, text: protowire.BytesType, texts: protowire.BytesType,
	identity: protowire.BytesType, blob: protowire.BytesType,
	boolean: protowire.VarintType, small: protowire.VarintType, long: protowire.VarintType,
	double: protowire.Fixed64Type, nanos: protowire.Fixed64Type, flags: protowire.Fixed32Type,
}

// span is where a value is in a message: for text and bytes without their length.
type span struct{ from, to int }

// message writes a message. at is where it begins, for errors.
func (c *converter) message(name string, b []byte, at, depth int) error {
	if depth > maxDepth {
		return &damage{at, fmt.Sprintf("messages nested over %d levels", maxDepth)}
	}
	known := fields[name]
	var values [mostFields]span // the last value of each field
	for i := 0; i < len(b); {
		number, to, v, err := next(known, b, i)
		switch {
		case err != nil:
			return &damage{at + i, fmt.Sprintf("%s in %s", err, name)}
		case number < 0 && !slices.Contains(aside, name):
			c.unknown++
		case number < 0:
		case values[number].to > 0 && known[number].kind != each && known[number].kind != texts:
			return &damage{at + i, fmt.Sprintf("a second %s in %s", known[number].name, name)}
		default:
			values[number] = v
		}
		i = to
	}
	c.json = append(c.json, '{')
	for i, f := range known {
		if values[i].to == 0 && depth > 0 {
			continue
		}
		c.comma()
		c.json = append(append(append(c.json, '"'), f.name...), '"', ':')
		if err := c.field(f, i, known, b, values[i], at, depth); err != nil {
			return err
		}
		if len(c.json) > c.most {
			return &TooLargeError{c.most}
		}
	}
	c.json = append(c.json, '}')
	return nil
}

func (c *converter) comma() {
	if last := c.json[len(c.json)-1]; last != '{' && last != '[' {
		c.json = append(c.json, ',')
	}
}

// next reads the field at b[i:]: its index in known, or -1, its value and where it ends.
func next(known []field, b []byte, i int) (index, to int, v span, err error) {
	number, wire, n := protowire.ConsumeTag(b[i:])
	if n < 0 {
		return 0, 0, v, errors.New("an invalid tag")
	}
	v.from = i + n
	n = protowire.ConsumeFieldValue(number, wire, b[v.from:])
	if n < 0 {
		return 0, 0, v, errors.New("a cut or malformed field")
	}
	v.to = v.from + n
	to = v.to
	index = slices.IndexFunc(known, func(f field) bool { return f.number == int(number) })
	if index < 0 {
		return index, to, v, nil
	}
	if wire != wireTypes[known[index].kind] {
		return 0, 0, v, fmt.Errorf("a wrong type for %s", known[index].name)
	}
	if wire == protowire.BytesType {
		_, n := protowire.ConsumeVarint(b[v.from:])
		v.from += n
	}
	return index, to, v, nil
}

// field writes the value of a field; of a list all its values.
func (c *converter) field(f field, index int, known []field, b []byte, v span, at, depth int) error {
	if f.kind != each && f.kind != texts {
		return c.value(f, b[v.from:v.to], at+v.from, depth)
	}
	c.json = append(c.json, '[')
	for i := 0; i < len(b); {
		found, to, v, _ := next(known, b, i) // it has been read before
		if found == index {
			c.comma()
			if err := c.value(f, b[v.from:v.to], at+v.from, depth); err != nil {
				return err
			}
		}
		i = to
	}
	c.json = append(c.json, ']')
	return nil
}

func (c *converter) value(f field, raw []byte, at, depth int) error {
	number, _ := protowire.ConsumeVarint(raw)
	switch f.kind {
	case nested, each:
		return c.message(f.of, raw, at, depth+1)
	case text, texts:
		if !utf8.Valid(raw) {
			return &damage{at, fmt.Sprintf("a %s that is not UTF-8", f.name)}
		}
		c.json = jcs.AppendText(c.json, raw)
	case identity:
		if n := len(raw); n != 0 && n != 8 && n != 16 {
			return &damage{at, fmt.Sprintf("a %s of %d bytes", f.name, n)}
		}
		c.json = append(hex.AppendEncode(append(c.json, '"'), raw), '"')
	case blob:
		c.json = append(base64.StdEncoding.AppendEncode(append(c.json, '"'), raw), '"')
	case boolean:
		c.json = strconv.AppendBool(c.json, number != 0)
	case small:
		c.json = strconv.AppendInt(c.json, int64(int32(number)), 10) // counts are uint32, but no span drops 2³¹ attributes
	case long:
		c.json = append(strconv.AppendInt(append(c.json, '"'), int64(number), 10), '"')
	case double:
		bits, _ := protowire.ConsumeFixed64(raw)
		c.float(math.Float64frombits(bits))
	case flags:
		bits, _ := protowire.ConsumeFixed32(raw)
		c.json = strconv.AppendUint(c.json, uint64(bits), 10)
	case nanos:
		bits, _ := protowire.ConsumeFixed64(raw)
		c.json = append(strconv.AppendUint(append(c.json, '"'), bits, 10), '"')
	}
	return nil
}

// float writes a number; JSON has strings for those that are not finite.
func (c *converter) float(f float64) {
	switch {
	case math.IsNaN(f):
		c.json = append(c.json, `"NaN"`...)
	case math.IsInf(f, 0):
		c.json = append(append(c.json, '"'), map[bool]string{true: "Infinity", false: "-Infinity"}[f > 0]...)
		c.json = append(c.json, '"')
	default:
		c.json = jcs.AppendFloat(c.json, f)
	}
}
