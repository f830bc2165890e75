package commands

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	cloudevents "github.com/cloudevents/sdk-go/v2/event"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence"
)

// shownEvents runs `cupel evidence show` with flags and returns what it prints.
func shownEvents(t *testing.T, code int, flags ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := cmdline.Env{Context: t.Context(), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }}
	if got := Main(env, append([]string{"cupel", "evidence", "show"}, flags...)); got != code {
		t.Fatalf("%v: exit code %d\n%s%s", flags, got, stdout.String(), stderr.String())
	}
	return stdout.String()
}

const (
	exampleRun      = "../testdata/examples/evidence/run.ndjson"
	exampleTampered = "../testdata/examples/evidence/tampered.ndjson"
)

// TestBatchOfCloudEvents: the CloudEvents SDK reads the batch, and every event in it is
// valid for it, with the attributes and the data that its line has.
func TestBatchOfCloudEvents(t *testing.T) {
	var batch []cloudevents.Event
	if err := json.Unmarshal([]byte(shownEvents(t, 0, "--format", "cloudevents-batch", exampleRun)), &batch); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(exampleRun)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(batch) != len(lines) || len(batch) == 0 {
		t.Fatalf("%d events of %d", len(batch), len(lines))
	}
	for i, e := range batch {
		var line struct {
			ID, Type, Source string
			Hash             string `json:"assaycontenthash"`
			Data             json.RawMessage
		}
		if err := json.Unmarshal([]byte(lines[i]), &line); err != nil {
			t.Fatal(err)
		}
		if err := e.Validate(); err != nil {
			t.Errorf("event %d: %v", i, err)
		}
		if e.ID() != line.ID || e.Type() != line.Type || e.Source() != line.Source || e.Extensions()["assaycontenthash"] != line.Hash ||
			!bytes.Equal(e.Data(), line.Data) {
			t.Errorf("event %d is read as %v", i, e)
		}
	}
}

// TestShownEventsKeepTheirHash: whatever the format, an event has the content hash that is
// said of it, and that its input has in its place.
func TestShownEventsKeepTheirHash(t *testing.T) {
	type element struct {
		Line  int             `json:"line"`
		Hash  *string         `json:"content_hash"`
		Match *bool           `json:"match"`
		Event json.RawMessage `json:"event"`
	}
	for input, code := range map[string]int{exampleRun: 0, exampleTampered: 1} {
		var document struct{ Events []element }
		if err := json.Unmarshal([]byte(shownEvents(t, code, "--format", "json", input)), &document); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(shownEvents(t, code, "--format", "ndjson", input)), "\n")
		if len(lines) != len(document.Events) || len(lines) == 0 {
			t.Fatalf("%s: %d lines, %d elements", input, len(lines), len(document.Events))
		}
		for i, e := range document.Events {
			hash, err := evidence.ContentHash([]byte(lines[i]))
			if err != nil || e.Hash == nil || hash != *e.Hash || e.Line != i+1 {
				t.Errorf("%s: line %d has hash %s, shown as %+v, %v", input, i+1, hash, e, err)
			}
			if same := strings.Contains(lines[i], hash); e.Match == nil || *e.Match != same {
				t.Errorf("%s: line %d: match %v", input, i+1, e.Match)
			}
			if string(e.Event) != lines[i] {
				t.Errorf("%s: line %d differs between the formats", input, i+1)
			}
		}
	}
}
