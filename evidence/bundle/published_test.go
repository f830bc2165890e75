package bundle_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
)

// TestPublishedBundles reads the manifests and events of published bundles: nothing is
// wrong with the envelopes, and each manifest is written again with the same bytes.
func TestPublishedBundles(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	manifests, events := 0, 0
	checker := envelope.NewChecker(envelope.Options{UpstreamCompatible: true})
	err := filepath.WalkDir(filepath.Join(root, "evidence", "bundles"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		for name, text := range membersOf(path) {
			switch name {
			case bundle.ManifestName:
				m, findings := bundle.ParseManifest(text, evidence.Limits{}, true)
				if len(findings) > 0 {
					t.Logf("%s: %s", path, findings[0].Message)
					continue
				}
				manifests++
				if written := m.AppendText(nil); !bytes.Equal(written, text) {
					t.Errorf("%s: written as %s", path, written)
				}
			case bundle.EventsName:
				for line := range bytes.Lines(text) {
					r, err := evidence.NewHasher(evidence.Options{}).Hash(bytes.TrimRight(line, "\n"))
					if err != nil {
						t.Fatal(err)
					}
					if _, faults := checker.Check(&r); r.Event != nil && len(faults) > 0 {
						t.Errorf("%s: %+v", path, faults)
					}
					events++
				}
			}
		}
		return nil
	})
	if err != nil || manifests == 0 || events == 0 {
		t.Errorf("%d manifests, %d events, %v", manifests, events, err)
	}
	t.Logf("%d manifests, %d events", manifests, events)
}

// membersOf returns the members of a bundle that can be read.
func membersOf(path string) map[string][]byte {
	members := map[string][]byte{}
	file, err := os.ReadFile(path)
	if err != nil {
		return members
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return members
	}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if err != nil {
			return members
		}
		if text, err := io.ReadAll(io.LimitReader(archive, 1<<20)); err == nil {
			members[header.Name] = text
		}
	}
}
