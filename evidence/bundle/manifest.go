package bundle

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// The members of a bundle, in order.
const (
	ManifestName = "manifest.json"
	EventsName   = "events.ndjson"
)

// SchemaVersion is the supported version of manifests.
const SchemaVersion = 1

// Manifest is the first member of a bundle, a description of the events with digests.
//
//	{"algorithms":{"canon":"jcs-rfc8785","hash":"sha256","root":"sha256(concat(content_hash + \"\\n\"))"},
//	 "bundle_id":"sha256:…","event_count":2,
//	 "files":{"events.ndjson":{"bytes":1239,"path":"events.ndjson","sha256":"sha256:…"}},
//	 "producer":{"name":"assay","version":"2.17.0"},"run_id":"demo-run-1","run_root":"sha256:…","schema_version":1}
//
// The bundle id is the run root. No digest covers producer and run.
type Manifest struct {
	Algorithms    Algorithms      `json:"algorithms"`
	BundleID      string          `json:"bundle_id"`
	EventCount    uint64          `json:"event_count"`
	Files         map[string]File `json:"files"`
	Producer      Producer        `json:"producer"`
	RunID         string          `json:"run_id"`
	RunRoot       string          `json:"run_root"`
	SchemaVersion uint32          `json:"schema_version"`
}

// Algorithms names the algorithms of the digests, which version 1 fixes.
type Algorithms struct {
	Canon string `json:"canon"`
	Hash  string `json:"hash"`
	Root  string `json:"root"`
}

// Version1 are the algorithms of version 1.
var Version1 = Algorithms{Canon: "jcs-rfc8785", Hash: "sha256", Root: `sha256(concat(content_hash + "\n"))`}

// File is a manifest's entry for another member of the bundle.
type File struct {
	Bytes  uint64 `json:"bytes"`
	Path   string `json:"path"` // compared with nothing
	SHA256 string `json:"sha256"`
}

// Producer is the program that wrote a bundle.
type Producer struct {
	Git     string `json:"git,omitempty"` // the program's commit; "" when it is not known
	Name    string `json:"name"`
	Version string `json:"version"`
}

// NewManifest returns a version 1 manifest for events with the given run root, number and bytes.
func NewManifest(runID string, producer Producer, runRoot evidence.Sum, events uint64, eventsBytes uint64, eventsSum evidence.Sum) Manifest {
	return Manifest{
		SchemaVersion: SchemaVersion, Algorithms: Version1, Producer: producer,
		RunID: runID, RunRoot: runRoot.String(), BundleID: runRoot.String(), EventCount: events,
		Files: map[string]File{EventsName: {Bytes: eventsBytes, Path: EventsName, SHA256: eventsSum.String()}},
	}
}

// AppendText appends the manifest as a bundle contains it: canonical JSON (RFC 8785) without a line feed.
func (m *Manifest) AppendText(dst []byte) []byte {
	var plain bytes.Buffer
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(m); err != nil {
		panic("bundle.Manifest.AppendText: " + err.Error())
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(bytes.TrimSuffix(plain.Bytes(), []byte{'\n'}))
	if err != nil {
		panic("bundle.Manifest.AppendText: " + err.Error())
	}
	return jcs.NewWriter(nil).Append(dst, doc.Root())
}

// Digest parses the file's digest, 64 lower-case digits with optional "sha256:"; ok is false for any other text.
func (f File) Digest() (sum evidence.Sum, ok bool) {
	return digest.ParseHex([]byte(strings.TrimPrefix(f.SHA256, digest.Prefix)))
}
