package incident_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/incident"
)

// events are those of a run: each with its type, subject and data.
func events(run string, list ...[3]string) string {
	var b strings.Builder
	for i, e := range list {
		subject := ""
		if e[1] != "" {
			subject = fmt.Sprintf(`"subject":%q,`, e[1])
		}
		fmt.Fprintf(&b, `{"specversion":"1.0","type":%q,%s"datacontenttype":"application/json","source":"urn:runner:1","assayproducer":"runner","assayproducerversion":"1.0.0","assayrunid":%q,"assayseq":%d,"id":"%s:%d","time":"2026-01-02T03:04:%02dZ","data":%s}`+"\n",
			e[0], subject, run, i, run, i, i, e[2])
	}
	return b.String()
}

// sealed is a bundle of events.
func sealed(t testing.TB, name, text string) incident.Bundle {
	t.Helper()
	var out bytes.Buffer
	scratch, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer scratch.Close()
	s, err := bundle.Seal(t.Context(), strings.NewReader(text), int64(len(text)), name, scratch, &out, bundle.SealOptions{Level: bundle.DefaultLevel})
	if err != nil || s.Report.Verdict != bundle.Valid {
		t.Fatalf("%v %+v", err, s.Report.Findings)
	}
	return incident.Bundle{Name: name, Text: out.Bytes()}
}

const decision = `{"tool":"t","decision":"allow","reason_code":"P_POLICY_ALLOW","tool_call_id":"c1"}`

func examples(t testing.TB) []incident.Bundle {
	return []incident.Bundle{
		sealed(t, "a", events("run a/ü", [3]string{"assay.profile.started", "", `{"profile_name":"p"}`}, [3]string{"assay.fs.access", "/etc/hosts", `{"hits":2}`},
			[3]string{"assay.net.connect", "example.com:443", `{"hits":1,"host":"example.com"}`}, [3]string{"assay.tool.decision", "tool:t", decision})),
		sealed(t, "b", events("run_b", [3]string{"assay.process.exec", "/bin/sh", `{"hits":1}`}, [3]string{"assay.fs.access", "/x", `{"hits":"two"}`})),
		sealed(t, "c", events("run_c", [3]string{"assay.profile.finished", "", `{"total":1}`})),
	}
}

func TestPack(t *testing.T) {
	list := examples(t)
	p, err := incident.Pack(t.Context(), list, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Bundles != 3 || p.Events != 7 || p.Actions != 5 || p.Failed != 1 || !incident.Is(p.Text[:incident.HeadBytes]) {
		t.Errorf("%+v", p)
	}
	v, err := incident.Verify(t.Context(), p.Text, nil)
	if err != nil || v.Bundles != 3 || v.Events != 7 || v.Actions != 5 {
		t.Errorf("%+v, %v", v, err)
	}
	again, err := incident.ReadContext(p.Context.Text())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := incident.Verify(t.Context(), p.Text, again); err != nil {
		t.Error(err)
	}
	slices.Reverse(list)
	other, err := incident.Pack(t.Context(), append(list, list[1]), nil)
	if err != nil || !bytes.Equal(other.Text, p.Text) {
		t.Errorf("another order, and a bundle twice, make another package: %v", err)
	}
}

// TestMutants: whatever byte of a package is changed, lost or added, it is refused. Only the texts of
// the inventory that say what a package does not claim are free.
func TestMutants(t *testing.T) {
	p, err := incident.Pack(t.Context(), examples(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	free := bytes.Index(p.Text, []byte(`"non_claims":`))
	end := bytes.Index(p.Text, []byte(`,"schema":"assay.incident.inventory`))
	rapid.Check(t, func(t *rapid.T) {
		text := slices.Clone(p.Text)
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			text = text[:at]
		case 1:
			text = slices.Insert(text, at, rapid.Byte().Draw(t, "byte"))
		default:
			text[at] ^= rapid.ByteRange(1, 255).Draw(t, "bits")
		}
		_, err := incident.Verify(t.Context(), text, nil)
		var refused *incident.Refusal
		switch {
		case err == nil && at > free && at < end && len(text) == len(p.Text):
		case !errors.As(err, &refused):
			t.Fatalf("byte %d of %d: %v", at, len(text), err)
		default:
			refused.Finding()
		}
	})
}
