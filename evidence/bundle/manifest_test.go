package bundle_test

import (
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/digest"
)

// golden is a manifest of the reference implementation, and its published SHA-256.
const (
	golden = `{"algorithms":{"canon":"jcs-rfc8785","hash":"sha256","root":"sha256(concat(content_hash + \"\\n\"))"},` +
		`"bundle_id":"sha256:736ad83b9382697228ab6d7ef6e2821f96d9a29ff7ac2adeacbec076d10c5535","event_count":1,` +
		`"files":{"events.ndjson":{"bytes":577,"path":"events.ndjson","sha256":"sha256:2c338577727ae79d1e4e0c64fb7f924951da3264ac3667caa0476e56c51e5917"}},` +
		`"producer":{"git":"abc1234","name":"assay-evidence-test","version":"0.1.0-test"},"run_id":"run_golden_test_12345",` +
		`"run_root":"sha256:736ad83b9382697228ab6d7ef6e2821f96d9a29ff7ac2adeacbec076d10c5535","schema_version":1}`
	goldenSum = "1412325ee64c94de98d21ed26750d23c26f71c47c4d156d70dfd6110da7541fa"
)

// TestManifestGolden builds the manifest of a published bundle: the same bytes.
func TestManifestGolden(t *testing.T) {
	sum := func(hex string) evidence.Sum {
		s, ok := digest.ParseHex([]byte(hex))
		if !ok {
			t.Fatal(hex)
		}
		return s
	}
	m := bundle.NewManifest("run_golden_test_12345", bundle.Producer{Name: "assay-evidence-test", Version: "0.1.0-test", Git: "abc1234"},
		sum("736ad83b9382697228ab6d7ef6e2821f96d9a29ff7ac2adeacbec076d10c5535"), 1,
		577, sum("2c338577727ae79d1e4e0c64fb7f924951da3264ac3667caa0476e56c51e5917"))
	text := m.AppendText(nil)
	if string(text) != golden || digest.Of(text).Hex() != goldenSum {
		t.Errorf("\n got %s\nwant %s", text, golden)
	}
	read, findings := bundle.ParseManifest(text, evidence.Limits{}, true)
	if len(findings) > 0 || string(read.AppendText(nil)) != golden {
		t.Errorf("%+v, read again: %+v", findings, read)
	}
	if got, ok := read.Files[bundle.EventsName].Digest(); !ok || got.Hex() != "2c338577727ae79d1e4e0c64fb7f924951da3264ac3667caa0476e56c51e5917" {
		t.Errorf("the digest of the events is %v, %v", got, ok)
	}
}
