package commands_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/sessiontest"
)

const topClass = "class=AUTHORITATIVE_EVIDENCE"

// logEvent is an event of which an outsider makes a log: every hash is renewed.
type logEvent struct {
	kind    string
	payload map[string]any
}

func (e logEvent) text(t *rapid.T) string {
	text, err := json.Marshal(e.payload)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// rebuilt are the lines of a log of events.
func rebuilt(t *rapid.T, log *sessiontest.Log, events []logEvent, seals bool) (lines []string) {
	for _, e := range events {
		if e.kind == "CHAIN_SEAL" && seals {
			lines = append(lines, log.Seal())
			continue
		}
		lines = append(lines, log.Event(e.kind, e.text(t)))
	}
	return lines
}

// verifiesUnder is the exit code of `trace verify` with demands.
func verifiesUnder(ctx interface{ Fatal(...any) }, env commands.Env, file string, lines []string, flags ...string) int {
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		ctx.Fatal(err)
	}
	return commands.Main(env, slices.Concat([]string{"cupel", "trace", "verify", "--quiet"}, flags, []string{file}))
}

// TestDemandsHold: from a sealed log, or a signed one, an outsider without keys drops or weakens what
// protects it, and renews all hashes. The log is not valid under the demand for what was dropped.
func TestDemandsHold(t *testing.T) {
	var text bytes.Buffer
	if err := sessiontest.WorkingDay(&text, 12); err != nil {
		t.Fatal(err)
	}
	signed, err := os.ReadFile("../testdata/examples/session/signed-1.0.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "log.jsonl")
	var said bytes.Buffer
	env := commands.Env{Context: t.Context(), Stdout: &said, Stderr: &said, Getenv: func(string) string { return "" }}
	whole := strings.Split(strings.TrimSpace(text.String()), "\n")
	var last struct {
		Hash string `json:"event_hash"`
	}
	if err := json.Unmarshal([]byte(whole[len(whole)-1]), &last); err != nil {
		t.Fatal(err)
	}
	pinned := []string{"--require", "anchor", "--expect-head", last.Hash}
	met := append([]string{"--require", "chain,seal,end,family=session-v0,format=session-v0", "--require", topClass}, pinned...)
	if code := verifiesUnder(t, env, file, whole, met...); code != 0 {
		t.Fatalf("the log itself: exit code %d\n%s", code, said.String())
	}
	if code := verifiesUnder(t, env, file, strings.Split(strings.TrimSpace(string(signed)), "\n"), "--require", "signature,chain,end"); code != 0 {
		t.Fatalf("the signed log itself: exit code %d\n%s", code, said.String())
	}
	rapid.Check(t, func(t *rapid.T) {
		said.Reset()
		var demands []string
		events, log := slices.Clone(eventsFrom(t, whole)), sessiontest.New()
		n, seals := len(events), true
		var lines []string
		switch rapid.IntRange(0, 9).Draw(t, "attack") {
		case 0: // cut
			events = events[:rapid.IntRange(2, n-2).Draw(t, "kept")]
			demands = []string{"seal", "end", topClass}
		case 1: // cut, with an end of the outsider's own
			events = append(events[:rapid.IntRange(2, n-2).Draw(t, "kept")], events[n-2])
			demands = []string{"seal", topClass}
		case 2: // without its seal
			events = events[:n-1]
			demands = []string{"seal", topClass}
		case 3: // without its hashes
			demands = []string{"chain", "seal", topClass}
			for _, line := range rebuilt(t, log, events, seals) {
				lines = append(lines, without(t, line, "payload_hash", "prev_event_hash", "event_hash"))
			}
		case 4: // with a weaker seal
			seal := eventsFrom(t, []string{whole[n-1]})[0]
			delete(seal.payload, rapid.SampledFrom([]string{"ingestion_service_id", "seal_timestamp", "session_digest"}).Draw(t, "member"))
			events[n-1], seals = seal, false
			demands = []string{"seal", topClass}
		case 5: // by another authority
			log.Authority = rapid.SampledFrom([]string{"sdk", "", "someone"}).Draw(t, "authority")
			demands = []string{topClass}
		case 6: // with events after its seal
			events = append(events, events[rapid.IntRange(1, n-3).Draw(t, "again")])
			demands = []string{"seal", topClass}
		case 7: // without one event
			i := rapid.IntRange(1, n-3).Draw(t, "removed")
			events = slices.Delete(events, i, i+1)
			demands = []string{"anchor"}
		case 8: // as a log of a family without hashes
			log = sessiontest.NewLog("session-bare")
			demands, seals = []string{"chain", "family=session-v0", "format=session-v0", topClass}, false
		case 9: // a signed log without signatures
			log, events = sessiontest.NewV1(), eventsFrom(t, strings.Split(strings.TrimSpace(string(signed)), "\n"))
			delete(events[0].payload, "sdk_public_key")
			demands, seals = []string{"signature"}, false
		}
		if lines == nil {
			lines = rebuilt(t, log, events, seals)
		}
		for _, demand := range demands {
			flags := []string{"--require", demand}
			if demand == "anchor" {
				flags = pinned
			}
			if code := verifiesUnder(t, env, file, lines, flags...); code != 1 {
				t.Fatalf("%s: exit code %d\n%s\n%s", demand, code, said.String(), strings.Join(lines, "\n"))
			}
		}
	})
}

func eventsFrom(t *rapid.T, lines []string) (events []logEvent) {
	for _, line := range lines {
		var e struct {
			Kind    string         `json:"event_type"`
			Payload map[string]any `json:"payload"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		events = append(events, logEvent{e.Kind, e.Payload})
	}
	return events
}

// without is a line without some of its members.
func without(t *rapid.T, line string, names ...string) string {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &members); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		delete(members, name)
	}
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDemandsApply: a flag that states a demand applies to the family that is read, or the command ends
// with exit code 2. No flag is dropped.
func TestDemandsApply(t *testing.T) {
	const examples = "../testdata/examples/"
	families := map[string]string{
		"reasoning": examples + "trace/incident/trace.jsonl", "session": examples + "session/refund.jsonl",
		"bare": "", "transcript": examples + "transcripts/session.jsonl",
	}
	dir := t.TempDir()
	families["bare"] = filepath.Join(dir, "bare.jsonl")
	bare := sessiontest.NewLog("session-bare")
	bareText := bare.Event("SESSION_START", `{"agent_id":"a"}`) + "\n"
	key, other := filepath.Join(dir, "key"), filepath.Join(dir, "anchor.json")
	digits := strings.Repeat("0", 64)
	anchor := `{"schema":"cupel.anchor/1","input":"x","family":"session-v0","events":3,"head":"` + digits + `","bytes":9,"sha256":"` + digits + `"}`
	for name, text := range map[string]string{families["bare"]: bareText, key: digits, other: anchor} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// Every demand below is one that no example meets, so that an input which passes has dropped it. 2: it does
	// not apply; 1: it applies and fails; 0: it is met.
	for _, d := range []struct {
		flags string
		want  map[string]int // by family
	}{
		{"--expect-count 999", map[string]int{"reasoning": 2, "session": 1, "bare": 1, "transcript": 2}},
		{"--expect-head " + digits, map[string]int{"reasoning": 2, "session": 1, "bare": 1, "transcript": 2}},
		{"--hmac-key-file " + key, map[string]int{"reasoning": 2, "session": 1, "bare": 1, "transcript": 2}},
		{"--key " + key, map[string]int{"reasoning": 2, "session": 1, "bare": 1, "transcript": 2}},
		{"--after " + other, map[string]int{"reasoning": 2, "session": 1, "bare": 1, "transcript": 2}},
		{"--anchor " + other, map[string]int{"reasoning": 1, "session": 1, "bare": 1, "transcript": 1}},
		{"--expect-sha256 " + digits, map[string]int{"reasoning": 1, "session": 1, "bare": 1, "transcript": 1}},
		{"--integrity-only", map[string]int{"reasoning": 2, "session": 0, "bare": 2, "transcript": 2}},
		{"--strict-payload", map[string]int{"reasoning": 2, "session": 0, "bare": -1, "transcript": 2}},
		{"--manifest", map[string]int{"reasoning": -1, "session": 2, "bare": 2, "transcript": 2}},
		{"--check-ids", map[string]int{"reasoning": -1, "session": 2, "bare": 2, "transcript": 2}},
		{"--contiguous", map[string]int{"reasoning": -1, "session": 2, "bare": 2, "transcript": 2}},
		{"--plan " + examples + "trace/incident/plan.json", map[string]int{"reasoning": -1, "session": 2, "bare": 2, "transcript": 2}},
		{"--evidence-root " + dir, map[string]int{"reasoning": -1, "session": 2, "bare": 2, "transcript": 2}},
		{"--require chain", map[string]int{"reasoning": 1, "session": 0, "bare": 1, "transcript": 1}},
		{"--require seal", map[string]int{"reasoning": 1, "session": 0, "bare": 1, "transcript": 1}},
		{"--require signature", map[string]int{"reasoning": 1, "session": 1, "bare": 1, "transcript": 1}},
		{"--require anchor", map[string]int{"reasoning": 1, "session": 1, "bare": 1, "transcript": 1}},
		{"--require end", map[string]int{"reasoning": 1, "session": 0, "bare": 1, "transcript": 1}},
		{"--require " + topClass, map[string]int{"reasoning": 1, "session": 0, "bare": 1, "transcript": 1}},
		{"--require family=other", map[string]int{"reasoning": 1, "session": 1, "bare": 1, "transcript": 1}},
		{"--require format=other", map[string]int{"reasoning": 1, "session": 1, "bare": 1, "transcript": 1}},
		{"--require attestation", map[string]int{"reasoning": 1, "session": 1, "bare": 1, "transcript": 1}},
	} {
		for family, file := range families {
			var said bytes.Buffer
			env := commands.Env{Context: t.Context(), Stdout: &said, Stderr: &said, Getenv: func(string) string { return "" }}
			code := commands.Main(env, slices.Concat([]string{"cupel", "trace", "verify"}, strings.Fields(d.flags), []string{file}))
			if want := d.want[family]; code != want && (want != -1 || code == 2) {
				t.Errorf("%s on %s: exit code %d, want %d\n%s", d.flags, family, code, want, said.String())
			}
		}
	}
}
