package enum_test

import (
	"encoding"
	"fmt"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/evidence/projection"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
)

// value is an enumeration whose names are read back into it.
type value interface {
	fmt.Stringer
	encoding.TextMarshaler
	encoding.TextUnmarshaler
}

// TestEnumerations holds of each public enumeration of numbers that every value has a name of its own, which is
// read back as the value, and that the number after the last and an unknown name are errors.
func TestEnumerations(t *testing.T) {
	testEnum(t, finding.Info, finding.Error)
	testEnum(t, evidence.Fast, evidence.Both)
	testEnum(t, evidence.KindAbsent, evidence.KindObject)
	testEnum(t, evidence.Unknown, evidence.Different)
	testEnum(t, evidence.EventSum, evidence.ManifestSum)
	testEnum(t, evidence.AttrOther, evidence.AttrDigestProfile)
	testEnum(t, projection.Unrecorded, projection.Unknown)
	testEnum(t, projection.Definition, projection.Manifest)
	testEnum(t, projection.Loaded, projection.Declared)
	testEnum(t, privacy.Public, privacy.Forbidden)
	testEnum(t, oatf.RejectUnknown, oatf.WarnUnknown)
	testEnum(t, capture.IncomingOnly, capture.BothDirections)
}

func testEnum[E ~uint8](t *testing.T, first, last E) {
	t.Helper()
	seen := map[string]bool{}
	for e := first; e <= last; e++ {
		var back E
		v := any(&e).(value)
		text, err := v.MarshalText()
		if err != nil || string(text) != v.String() || seen[string(text)] {
			t.Errorf("%T %d: %q, %v; its String is %q", e, uint8(e), text, err, v.String())
		}
		seen[string(text)] = true
		if err := any(&back).(value).UnmarshalText(text); err != nil || back != e {
			t.Errorf("%T: %q becomes %d, %v", e, text, uint8(back), err)
		}
	}
	after := last + 1
	if text, err := any(&after).(value).MarshalText(); err == nil {
		t.Errorf("%T: the number after the last is written %q", last, text)
	}
	if any(&after).(value).UnmarshalText([]byte("no such name")) == nil {
		t.Errorf("%T: an unknown name is read", last)
	}
}
