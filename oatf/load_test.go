package oatf

import (
	"errors"
	"testing"

	"github.com/cupel-dev/cupel/oatf/model"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestLoad(t *testing.T) {
	loaded, err := Load([]byte("attack: {execution: {mode: mcp_server, state: {}}}\noatf: \"0.1\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded.Warnings) != 1 || loaded.Warnings[0].Code != "W-001" || loaded.Warnings[0].Line != 2 {
		t.Errorf("warnings: %v", loaded.Warnings)
	}
	if got := loaded.Document.Attack.Name; got == nil || *got != "Untitled" {
		t.Error("the document is not normalized")
	}

	var faults model.ParseErrors
	if _, err := Load([]byte("oatf: 0.1\n")); !errors.As(err, &faults) {
		t.Errorf("a document that does not parse: %v", err)
	}
	var violations model.ValidationErrors
	_, err = Load([]byte("oatf: \"0.1\"\nattack: {version: 0, execution: {mode: mcp_server, state: {}}}\n"))
	if !errors.As(err, &violations) || violations[0].Rule != "V-037" {
		t.Errorf("a document that breaks a rule: %v", err)
	}
	var single model.OATFError
	if !errors.As(err, &single) {
		t.Error("no OATFError is in the chain")
	}
}

func TestLoadTolerant(t *testing.T) {
	loaded, err := ParseOptions{UnknownFields: model.WarnUnknown}.Load([]byte("oatf: \"0.1\"\nattack: {tier: 1, execution: {mode: mcp_server, state: {}}}\n"))
	if err != nil || len(loaded.Warnings) != 1 {
		t.Errorf("%v, %v", loaded, err)
	}
}

func TestParseValue(t *testing.T) {
	got, err := ParseValue([]byte(`{"b": 1.0, "a": [null, "x", {"k": true}]}`))
	want := model.Object{{Key: "b", Value: model.Number("1.0")}, {Key: "a", Value: []model.Value{nil, "x", model.Object{{Key: "k", Value: true}}}}}
	if diff := gocmp.Diff(model.Value(want), got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, bad := range []string{"", "a: 1\na: 2", "&a [*a]", "[1", "a\n---\nb"} {
		if v, err := ParseValue([]byte(bad)); err == nil {
			t.Errorf("%q gives %v", bad, v)
		}
	}
}
