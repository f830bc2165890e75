// Bundle packs a stream of evidence events into a bundle, with the standard library alone,
// so that a bundle is there to be measured whatever the program can do.
//
//	go run ./testdata/bench/events -full 81000000 > events.ndjson
//	go run ./testdata/bench/bundle < events.ndjson > run.tar.gz
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// event is the part of an event that the manifest needs.
type event struct {
	Run     string `json:"assayrunid"`
	Hash    string `json:"assaycontenthash"`
	Name    string `json:"assayproducer"`
	Version string `json:"assayproducerversion"`
	Git     string `json:"assaygit"`
}

func main() {
	if err := pack(); err != nil {
		fmt.Fprintf(os.Stderr, "bundle: %v\n", err)
		os.Exit(2)
	}
}

func pack() error {
	events, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	var first, e event
	root, count := sha256.New(), 0
	for line := range bytes.Lines(events) {
		e = event{}
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("event %d: %w", count, err)
		}
		if count == 0 {
			first = e
		}
		fmt.Fprintln(root, e.Hash)
		count++
	}
	if count == 0 {
		return errors.New("no events")
	}
	manifest := describe(first, count, root.Sum(nil), events)
	zip := gzip.NewWriter(os.Stdout)
	out := tar.NewWriter(zip)
	return errors.Join(add(out, "manifest.json", manifest), add(out, "events.ndjson", events), out.Close(), zip.Close())
}

func describe(e event, count int, root, events []byte) []byte {
	id := fmt.Sprintf("sha256:%x", root)
	return fmt.Appendf(nil, `{"algorithms":{"canon":"jcs-rfc8785","hash":"sha256","root":"sha256(concat(content_hash + \"\\n\"))"},`+
		`"bundle_id":%q,"event_count":%d,"files":{"events.ndjson":{"bytes":%d,"path":"events.ndjson","sha256":"sha256:%x"}},`+
		`"producer":{"git":%q,"name":%q,"version":%q},"run_id":%q,"run_root":%q,"schema_version":1}`,
		id, count, len(events), sha256.Sum256(events), e.Git, e.Name, e.Version, e.Run, id)
}

func add(out *tar.Writer, name string, text []byte) error {
	if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
		return err
	}
	_, err := out.Write(text)
	return err
}
