package finding_test

import (
	"testing"

	"github.com/cupel-dev/cupel/finding"
)

type rule uint8

const (
	lineEmpty rule = iota
	lineLong
)

var rules = finding.Table{
	lineEmpty: {ID: "line.empty", Severity: finding.Error},
	lineLong:  {ID: "line.long", Severity: finding.Warning},
}

func TestTable(t *testing.T) {
	f := rules[lineLong].New("line of 90 bytes")
	if f.Rule != "line.long" || f.Severity != finding.Warning || f.Message != "line of 90 bytes" {
		t.Errorf("%+v", f)
	}
	if r := rules.Lookup("line.empty"); r != &rules[lineEmpty] {
		t.Errorf("line.empty is %+v", r)
	}
	if r := rules.Lookup("line.short"); r != nil {
		t.Errorf("line.short is %+v", r)
	}
}
