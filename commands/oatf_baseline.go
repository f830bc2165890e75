package commands

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/walk"
)

// baselineSchema marks a baseline file.
const baselineSchema = "cupel.baseline/1"

// maxBaseline bounds a baseline file.
const maxBaseline = 64 << 20

// baseline is a list of known findings. They are told by file, rule, path and
// message, so that edits elsewhere in a document do not bring them back.
type baseline struct {
	known  map[baselineEntry]bool // true once it was found again
	target string                 // write all findings there
	all    []baselineEntry
	listed map[baselineEntry]bool
}

type baselineEntry struct {
	File    string `json:"file"`
	Rule    string `json:"rule"`
	Path    string `json:"path"`
	Message string `json:"message"`
}

type baselineFile struct {
	Schema   string          `json:"schema"`
	Findings []baselineEntry `json:"findings"`
}

// openBaseline reads the list of known findings, if there is one, and notes where all
// are to be written, if anywhere.
func openBaseline(from, to string) (*baseline, error) {
	b := &baseline{target: to, listed: map[baselineEntry]bool{}}
	switch {
	case from != "" && to != "":
		return nil, &usageError{"--baseline and --write-baseline exclude each other", "write the new baseline first, then use it"}
	case from == "":
		return b, nil
	}
	f, err := os.Open(from)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", walk.Plain(err))
	}
	defer f.Close()
	var file baselineFile
	text, err := io.ReadAll(io.LimitReader(f, maxBaseline))
	if err == nil {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		err = decoder.Decode(&file)
	}
	if err == nil && file.Schema != baselineSchema {
		err = fmt.Errorf("schema is %q, expected %q", file.Schema, baselineSchema)
	}
	if err != nil {
		return nil, &hinted{fmt.Errorf("%s is no baseline: %w", from, err), "--write-baseline writes one"}
	}
	b.known = make(map[baselineEntry]bool, len(file.Findings))
	for _, e := range file.Findings {
		b.known[e] = false
	}
	return b, nil
}

// has says whether a finding is to be left out: it is known, or it is being listed.
func (b *baseline) has(file string, f finding.Finding) bool {
	e := baselineEntry{file, f.Rule, f.Path, f.Message}
	if b.target != "" {
		if !b.listed[e] {
			b.listed[e] = true
			b.all = append(b.all, e)
		}
		return true
	}
	_, known := b.known[e]
	if known {
		b.known[e] = true
	}
	return known
}

// write writes the list, when that was asked for.
func (b *baseline) write() error {
	if b.target == "" {
		return nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(baselineFile{baselineSchema, append([]baselineEntry{}, b.all...)}); err != nil {
		return err
	}
	if err := os.WriteFile(b.target, text.Bytes(), 0o666); err != nil {
		return fmt.Errorf("--write-baseline: %w", walk.Plain(err))
	}
	return nil
}

// note says what the closing line has to tell about the baseline.
func (b *baseline) note() string {
	if b.target != "" {
		return counted(len(b.all), "finding") + " listed in " + b.target
	}
	gone := 0
	for _, found := range b.known {
		if !found {
			gone++
		}
	}
	if gone == 0 {
		return ""
	}
	return fmt.Sprintf("%d of the baseline no longer found", gone)
}
