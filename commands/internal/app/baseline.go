package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/walk"
)

const baselineSchema = "cupel.baseline/1"

// Accepted is the key of a finding in a baseline. It does not include the line, so that edits above a finding do
// not invalidate it.
type Accepted struct {
	Rule    string `json:"rule"`
	File    string `json:"file"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`

	Fingerprint string `json:"fingerprint,omitempty"` // of a finding with more identifying data
}

// AcceptedKey returns the key of a finding, with invalid UTF-8 replaced so that it survives JSON.
func AcceptedKey(f finding.Finding) Accepted {
	text := func(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
	return Accepted{f.Rule, text(path.Clean(f.File)), text(f.Path), text(f.Message), f.Fingerprint()}
}

// baseline is the list of accepted findings: --baseline reads it, --write-baseline writes it.
type baseline struct {
	name  string            // of the file that was read; "" for none
	known map[Accepted]bool // read; true once a finding of this run has met the entry
	file  string            // to be written; "" for none
	list  []Accepted        // … with these, in the order of the run
	seen  map[Accepted]bool // … each once
	shard walk.Shard        // of the inputs that this run reads
}

// newBaseline reads the file of --baseline and prepares that of --write-baseline. "" means that a flag was not
// given.
func newBaseline(ctx context.Context, read, write string) (b *baseline, err error) {
	b = &baseline{file: write, seen: map[Accepted]bool{}}
	if read == "" {
		return b, nil
	}
	b.name = read
	text, err := baselineFile.Read(ctx, read)
	if err != nil {
		return b, err
	}
	b.known, err = parseBaseline(text)
	if err != nil {
		return b, baselineFile.Unfit(read, err)
	}
	return b, nil
}

func parseBaseline(text []byte) (map[Accepted]bool, error) {
	var doc struct {
		Schema   string     `json:"schema"`
		Findings []Accepted `json:"findings"`
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		return nil, err
	}
	if doc.Schema != baselineSchema {
		return nil, fmt.Errorf("schema is %q, expected %q", doc.Schema, baselineSchema)
	}
	known := make(map[Accepted]bool, len(doc.Findings))
	for _, a := range doc.Findings {
		known[a] = false
	}
	return known, nil
}

func (b *baseline) accepts(f finding.Finding) bool {
	key := AcceptedKey(f)
	_, known := b.known[key]
	if known {
		b.known[key] = true
		b.note(key)
	}
	return known
}

// writes records a finding for --write-baseline, and reports whether the flag was given.
func (b *baseline) writes(f finding.Finding) bool {
	b.note(AcceptedKey(f))
	return b.file != ""
}

func (b *baseline) note(key Accepted) {
	if b.file != "" && !b.seen[key] {
		b.seen[key] = true
		b.list = append(b.list, key)
	}
}

// stale returns the number of entries without a finding, among those about the inputs of this run.
func (b *baseline) stale() (n int) {
	for entry, met := range b.known {
		if !met && b.shard.Has(entry.File) {
			n++
		}
	}
	return n
}

// text returns the new baseline, or nil if --write-baseline was not given.
func (b *baseline) text() ([]byte, error) {
	if b.file == "" {
		return nil, nil
	}
	var text bytes.Buffer
	err := WriteJSON(&text, struct {
		Schema   string     `json:"schema"`
		Findings []Accepted `json:"findings"`
	}{baselineSchema, append([]Accepted{}, b.list...)})
	return text.Bytes(), err
}

// AcceptedToo is appended to a message with a count.
func AcceptedToo(n int) string { return fmt.Sprintf("; %d accepted by the baseline", n) }

// InvalidStays describes the effect of a baseline for commands with a verdict.
const InvalidStays = "accepted findings do not cause exit code 1, but an invalid input does"
