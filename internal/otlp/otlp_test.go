package otlp

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"
)

const most = 1 << 20

// encode is the inverse of JSON for one message.
func encode(name string, members map[string]any) (b []byte) {
	for _, f := range fields[name] {
		v, ok := members[f.name]
		if !ok {
			continue
		}
		list, is := v.([]any)
		if !is {
			list = []any{v}
		}
		for _, v := range list {
			b = protowire.AppendTag(b, protowire.Number(f.number), wireTypes[f.kind])
			b = appendValue(b, f, v)
		}
	}
	return b
}

func appendValue(b []byte, f field, v any) []byte {
	switch f.kind {
	case nested, each:
		return protowire.AppendBytes(b, encode(f.of, v.(map[string]any)))
	case text, texts:
		return protowire.AppendString(b, v.(string))
	case identity:
		raw, _ := hex.DecodeString(v.(string))
		return protowire.AppendBytes(b, raw)
	case blob:
		raw, _ := base64.StdEncoding.DecodeString(v.(string))
		return protowire.AppendBytes(b, raw)
	case boolean:
		return protowire.AppendVarint(b, protowire.EncodeBool(v.(bool)))
	case small:
		return protowire.AppendVarint(b, uint64(v.(float64)))
	case long:
		n, _ := strconv.ParseInt(v.(string), 10, 64)
		return protowire.AppendVarint(b, uint64(n))
	case double:
		n, is := v.(float64)
		if !is {
			n, _ = strconv.ParseFloat(v.(string), 64)
		}
		return protowire.AppendFixed64(b, math.Float64bits(n))
	case flags:
		return protowire.AppendFixed32(b, uint32(v.(float64)))
	}
	n, _ := strconv.ParseUint(v.(string), 10, 64)
	return protowire.AppendFixed64(b, n)
}

// draw draws a message as its JSON.
func draw(t *rapid.T, name string, depth int) map[string]any {
	members := map[string]any{}
	known := fields[name]
	if name == "AnyValue" { // it has one of its fields
		known = known[rapid.IntRange(0, len(known)-1).Draw(t, "value"):][:1]
	}
	for _, f := range known {
		if !rapid.Bool().Draw(t, f.name) || depth > 8 {
			continue
		}
		one := func() any { return drawValue(t, f, depth) }
		if f.kind != each && f.kind != texts {
			members[f.name] = one()
			continue
		}
		list := []any{}
		for range rapid.IntRange(1, 3).Draw(t, "length") {
			list = append(list, one())
		}
		members[f.name] = list
	}
	return members
}

func drawValue(t *rapid.T, f field, depth int) any {
	raw := func() []byte { return rapid.SliceOfN(rapid.Byte(), 0, 16).Draw(t, "bytes") }
	switch f.kind {
	case nested, each:
		return draw(t, f.of, depth+1)
	case text, texts:
		return rapid.String().Draw(t, "text")
	case identity:
		return rapid.SampledFrom([]string{"", "0123456789abcdef", "0123456789abcdef0123456789abcdef"}).Draw(t, "id")
	case blob:
		return base64.StdEncoding.EncodeToString(raw())
	case boolean:
		return rapid.Bool().Draw(t, "is")
	case small:
		return float64(rapid.Int32Min(0).Draw(t, "number"))
	case long:
		return fmt.Sprint(rapid.Int64().Draw(t, "number"))
	case double:
		return rapid.OneOf(rapid.Map(rapid.Float64(), func(f float64) any { return f }), rapid.SampledFrom([]any{"NaN", "Infinity", "-Infinity"})).Draw(t, "number")
	case flags:
		return float64(rapid.Uint32().Draw(t, "flags"))
	}
	return fmt.Sprint(rapid.Uint64().Draw(t, "nanos"))
}

// TestJSONLaw checks that a message becomes the JSON that it was encoded from, and that its signal is recognized.
func TestJSONLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		signal := rapid.SampledFrom([]string{Traces, Logs, Metrics}).Draw(t, "signal")
		want := draw(t, signal, 0)
		list := fields[signal][0].name
		if want[list] == nil {
			want[list] = []any{}
		}
		message := encode(signal, want)
		text, err := JSON(signal, message, most)
		var got map[string]any
		if err != nil || json.Unmarshal(text, &got) != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v %s\nexpected %v", err, text, want)
		}
		text, err = anySignal(message, most)
		if err != nil || !json.Valid(text) {
			t.Fatalf("%v %s", err, text)
		}
	})
}

// TestFieldsLaw checks the table: the messages exist, and every number and name occurs once.
func TestFieldsLaw(t *testing.T) {
	for name, list := range fields {
		numbers, names := map[int]bool{}, map[string]bool{}
		for _, f := range list {
			if numbers[f.number] || names[f.name] || (f.kind == nested || f.kind == each) != (fields[f.of] != nil) {
				t.Errorf("%s: %v", name, f)
			}
			numbers[f.number], names[f.name] = true, true
		}
		if len(list) > mostFields {
			t.Errorf("%s has %d fields", name, len(list))
		}
	}
}

// written returns a request that the opentelemetry-proto package for Python encoded.
func written(t testing.TB) []byte {
	raw, err := os.ReadFile("../../testdata/examples/attest/otel.pb")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func frame(messages ...[]byte) (file []byte) {
	for _, m := range messages {
		file = append(binary.BigEndian.AppendUint32(file, uint32(len(m))), m...)
	}
	return file
}

func all(file []byte, most int) (list []Message) {
	for m, err := range Messages(bufio.NewReader(bytes.NewReader(file)), most) {
		if err != nil {
			m.Damage = err
		}
		list = append(list, m)
	}
	return list
}

// TestFile compares the messages of files.
func TestFile(t *testing.T) {
	raw := written(t)
	packer, _ := zstd.NewWriter(nil)
	packed := packer.EncodeAll(raw, nil)
	logs := encode(Logs, map[string]any{"resourceLogs": []any{map[string]any{"scopeLogs": []any{map[string]any{"logRecords": []any{map[string]any{"timeUnixNano": "1"}}}}}}})
	metrics := encode(Metrics, map[string]any{"resourceMetrics": []any{map[string]any{"scopeMetrics": []any{map[string]any{"metrics": []any{map[string]any{"name": "m", "gauge": "CgkZ////////////"}}}}}}})
	bomb := packer.EncodeAll(make([]byte, 8*len(raw)), nil)
	for _, c := range []struct {
		name string
		file []byte
		most int
		want string // of each message: the start of its JSON, "large" or "damage"
	}{
		{"bare", raw, most, "Spans"},
		{"frames", frame(raw, logs, metrics, raw), most, "Spans Logs Metrics Spans"},
		{"zstd frames", frame(packed, packer.EncodeAll([]byte(`{"resourceSpans":[]}`), nil)), most, "Spans Spans"},
		{"large", raw, len(raw) - 1, "large"},
		{"large as JSON", raw, len(raw), "large"},
		{"large frame", frame(raw, logs), len(raw) - 1, "large Logs"},
		{"bomb", frame(bomb, logs), len(raw), "large Logs"},
		{"damaged frame", frame(raw, []byte("\x0a\x05\x0a\x03\xff\xff\xff"), raw), most, "Spans damage Spans"},
		{"damaged zstd", frame(packed[:len(packed)-9], raw), most, "damage Spans"},
		{"cut frame", frame(raw, raw)[:2*len(raw)], most, "Spans damage"},
		{"cut length", frame(raw, raw)[:len(raw)+6], most, "Spans damage"},
		{"claimed length", slices.Concat(frame(raw), []byte("\xff\xff\xff\xff\x0a")), most, "Spans damage"},
	} {
		var got []string
		for _, m := range all(c.file, c.most) {
			switch {
			case m.Damage != nil:
				got = append(got, "damage")
			case m.Size > int64(c.most):
				got = append(got, "large")
			default:
				name, _, _ := strings.Cut(strings.TrimPrefix(string(m.JSON), `{"resource`), `"`)
				got = append(got, name)
			}
		}
		if s := strings.Join(got, " "); s != c.want || !Looks(c.file) {
			t.Errorf("%s: %s, expected %s; %v", c.name, s, c.want, Looks(c.file))
		}
	}
}

// TestDamageLaw checks that every file that is cut anywhere is damaged, and that changed bits give an error or JSON.
func TestDamageLaw(t *testing.T) {
	raw := written(t)
	for i := 1; i < len(raw); i++ {
		if m := all(raw[:i], most); m[0].Damage == nil {
			t.Fatalf("cut at byte %d: %s", i, m[0].JSON)
		}
		for bit := range 8 {
			changed := bytes.Clone(raw)
			changed[i] ^= 1 << bit
			for _, m := range all(changed, most) {
				if m.Damage == nil && !json.Valid(m.JSON) {
					t.Fatalf("bit %d of byte %d: %s", bit, i, m.JSON)
				}
			}
		}
	}
}

// TestUnknownFields checks that fields which were left out are counted, but not those of resources.
func TestUnknownFields(t *testing.T) {
	spare := protowire.AppendBytes(protowire.AppendTag(nil, 200, protowire.BytesType), []byte("x"))
	in := func(number protowire.Number, message []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), message)
	}
	for want, message := range map[string][]byte{
		`{"resourceSpans":[{"resource":{}}]}`:                                        in(1, in(1, spare)),
		`{"resourceSpans":[{}],"unknownFieldsCount":1}`:                              in(1, spare),
		`{"resourceSpans":[],"unknownFieldsCount":2}`:                                slices.Concat(spare, spare),
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}],"unknownFieldsCount":1}`: in(1, in(2, in(2, spare))),
	} {
		if text, err := anySignal(message, most); err != nil || string(text) != want {
			t.Errorf("%s, %v, expected %s", text, err, want)
		}
	}
}

// TestHostile checks the limits: depth, values that are set twice, and JSON that is larger than its message.
func TestHostile(t *testing.T) {
	deep := []byte{}
	for range 2 * maxDepth {
		deep = protowire.AppendBytes(protowire.AppendTag(nil, 5, protowire.BytesType), protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), deep))
	}
	body := protowire.AppendBytes(protowire.AppendTag(nil, 5, protowire.BytesType), deep)
	for _, tag := range []protowire.Number{2, 2, 1} {
		body = protowire.AppendBytes(protowire.AppendTag(nil, tag, protowire.BytesType), body)
	}
	for name, c := range map[string]struct {
		message []byte
		says    string
	}{
		"deep":  {body, "nested over"},
		"twice": {encode(Traces, map[string]any{"resourceSpans": []any{map[string]any{"schemaUrl": []any{"a", "b"}}}}), "a second schemaUrl"},
		"text":  {[]byte("\x0a\x03\x1a\x01\xff"), "not UTF-8"},
		"type":  {[]byte("\x0a\x02\x18\x01"), "a wrong type for schemaUrl"},
	} {
		signal := Traces
		if name == "deep" {
			signal = Logs
		}
		if _, err := JSON(signal, c.message, most); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	many := bytes.Repeat([]byte("\x0a\x00"), most/4)
	if _, err := JSON(Traces, many, most/8); !errors.As(err, new(*TooLargeError)) {
		t.Error(err)
	}
}

// TestLooks checks that no JSON is taken for Protocol Buffers.
func TestLooks(t *testing.T) {
	raw := written(t)
	for i := range raw {
		if i > 16 && !Looks(raw[:i]) {
			t.Errorf("%d bytes", i)
		}
	}
	for _, text := range []string{
		"", "\n", "\n{", "\n{\n\"a\":1}", "\n{\n  \"resourceSpans\": []}", "\n\n\n{}", "{}", "\x00{\x00}", "\x00\x00\x00{", "{\x00\n\x00",
		"\x00\x00\x00\x00", "\x00\x00\x00\x05\x0a\xff", "\x00\x00\x00\x02\x0a\x05\x0a\x03",
	} {
		if Looks([]byte(text)) {
			t.Errorf("%q", text)
		}
	}
}

// FuzzMessages checks that nothing panics, and that what is read is JSON.
func FuzzMessages(f *testing.F) {
	raw := written(f)
	f.Add(raw)
	f.Add(frame(raw[:40], raw))
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, m := range all(file, 1<<16) {
			if m.Damage == nil && m.Size == 0 && m.JSON[0] == '{' && !json.Valid(m.JSON) && bytes.Contains(m.JSON, []byte("resource")) {
				t.Errorf("%s", m.JSON)
			}
		}
	})
}
