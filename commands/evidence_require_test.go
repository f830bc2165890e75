package commands

import (
	"strings"
	"testing"
)

// TestEvidenceDemandsApply: a flag that states a demand applies to the kind of evidence that is read, or the command
// ends with exit code 2. No flag is dropped. Every demand below is one that no example meets.
func TestEvidenceDemandsApply(t *testing.T) {
	layDeciders(t)
	for _, line := range []string{
		"evidence keygen key.pem key.pub.pem", "evidence keygen other.pem other.pub.pem",
		"evidence attest --key key.pem -o att.json run.tar.gz", "evidence redact --report redaction.json -o red.ndjson leaky.ndjson",
	} {
		if code, _, stderr := runHere(t, strings.Fields(line)...); code != 0 {
			t.Fatalf("cupel %s: exit code %d\n%s", line, code, stderr)
		}
	}
	const digest = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
	kinds := []string{"run.tar.gz", "run.ndjson", "event.json"} // a bundle, a stream, one event
	for _, d := range []struct {
		flags string
		want  [3]int // 1: it applies and fails; 2: it does not apply; 0: it is met
	}{
		{"--expect-bundle-id " + digest, [3]int{1, 1, 1}},
		{"--expect-run-root " + digest, [3]int{1, 1, 1}},
		{"--expect-sha256 " + digest, [3]int{1, 1, 1}},
		{"--redaction redaction.json", [3]int{1, 1, 1}},
		{"--reveal redaction.json", [3]int{1, 2, 2}},
		{"--attestation att.json --key other.pub.pem", [3]int{1, 1, 1}},
		{"--attestation att.json", [3]int{2, 2, 2}},
		{"--key key.pub.pem", [3]int{2, 2, 2}},
		{"--threshold 2", [3]int{2, 2, 2}},
		{"--require chain", [3]int{0, 1, 1}},
		{"--require seal", [3]int{0, 1, 1}},
		{"--require signature", [3]int{1, 1, 1}},
		{"--require anchor", [3]int{1, 1, 1}},
		{"--require end", [3]int{0, 1, 1}},
		{"--require class=other", [3]int{2, 2, 2}},
		{"--require class=AUTHORITATIVE_EVIDENCE", [3]int{1, 1, 1}},
		{"--require family=other", [3]int{1, 1, 1}},
		{"--require format=other", [3]int{1, 1, 1}},
		{"--require attestation", [3]int{1, 1, 1}},
	} {
		for i, file := range kinds {
			code, stdout, stderr := runHere(t, append(strings.Fields("evidence verify --quiet "+d.flags), file)...)
			if code != d.want[i] {
				t.Errorf("%s on %s: exit code %d, want %d\n%s%s", d.flags, file, code, d.want[i], stdout, stderr)
			}
		}
	}
}
