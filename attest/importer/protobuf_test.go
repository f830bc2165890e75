package importer_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
	packets "github.com/cupel-dev/cupel/internal/otlp"
)

// TestProtobuf checks that a request gives the same trace in Protocol Buffers as in JSON, also where it is refused.
func TestProtobuf(t *testing.T) {
	packed, err := os.ReadFile("../../testdata/examples/attest/otel.pb")
	if err != nil {
		t.Fatal(err)
	}
	text, err := packets.JSON(packets.Traces, packed, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	refused := strings.Replace(string(packed), "\x00\xf0\x67\xaa\x0b\xa9\x02\xb7", strings.Repeat("\x00", 8), 1) // a span without an id
	badText, err := packets.JSON(packets.Traces, []byte(refused), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	engine := attest.NewEngine(attest.Options{})
	for name, pair := range map[string][2]string{"example": {string(packed), string(text)}, "refused": {refused, string(badText)}} {
		var made [2]any
		for i, input := range pair {
			traces, err := imported("x", []byte(input), importer.Auto)
			if err != nil || len(traces) != 1 {
				t.Fatal(name, traces, err)
			}
			trace := traces[0]
			if trace.Refused == nil {
				trace.Refused = attest.NewError(attest.CodeInvalidTrace, "", "")
				trace.Refused.Offset = strings.Index(string(trace.Raw), `"llm_call"`)
			}
			f := trace.Finding("x", trace.Refused)
			if lines := map[bool]int{false: 0, true: 1}[i == 1]; f.Line != lines || i == 0 && f.Path != trace.Origin.Pointer(trace.Refused.Offset) {
				t.Errorf("%s: %+v", name, f)
			}
			made[i] = []any{string(trace.Raw), trace.Coverage, trace.From, trace.Refused.Error()}
		}
		if !reflect.DeepEqual(made[0], made[1]) {
			t.Errorf("%s: %v\nexpected %v", name, made[0], made[1])
		}
	}
	spare := protowire.AppendVarint(protowire.AppendTag(packed, 99, protowire.VarintType), 1)
	traces, err := imported("x", spare, importer.OTel)
	if err != nil || len(traces) != 1 || traces[0].Coverage.Complete || !strings.Contains(traces[0].Coverage.Text(), "OTLP 1.x does not define") {
		t.Error(traces, err)
	}
	for from, says := range map[importer.Format]string{importer.OpenAI: "does not match", importer.Attest: "schema_version"} {
		traces, err := imported("x", packed, from)
		if err == nil {
			err = engine.ValidateText(traces[0].TraceText)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", from, err)
		}
	}
	if looks := importer.Looks(text); looks != importer.OTel || !json.Valid(text) {
		t.Errorf("looks like %s", looks)
	}
}
