package evidencecmd

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/report"
)

// TestRecordEncoder holds the records that are put together to what the writer of reports
// makes of them, whatever their texts are.
func TestRecordEncoder(t *testing.T) {
	text := rapid.OneOf(
		rapid.Just([]byte(nil)), rapid.Just([]byte{}),
		rapid.Map(rapid.StringMatching(`[a-z0-9_.:-]{1,20}:[0-9]{1,4}`), func(s string) []byte { return []byte(s) }),
		rapid.Map(rapid.StringMatching(`[ -~]{0,6}`), func(s string) []byte { return []byte(s) }),
		rapid.Map(rapid.StringOf(rapid.SampledFrom([]rune("a\"\\/<&>#[]\x00\n\x1b\x7fé\u2028\U0001d11e:"))), func(s string) []byte { return []byte(s) }),
		rapid.SliceOfN(rapid.Byte(), 0, 4),
	)
	plain := 0
	rapid.Check(t, func(t *rapid.T) {
		input := &hashedInput{hashRun: &hashRun{}, name: string(text.Draw(t, "name"))}
		w := &recordEncoder{hashedInput: input}
		for range rapid.IntRange(1, 200).Draw(t, "events") {
			e := &evidence.Result{
				Line: rapid.IntRange(1, 1<<31-1).Draw(t, "line"), ID: text.Draw(t, "id"), Recorded: text.Draw(t, "recorded"),
				Hashed: rapid.Bool().Draw(t, "hashed"), Sum: digest.Of([]byte(input.name)), Match: evidence.Match(rapid.IntRange(0, 2).Draw(t, "match")),
			}
			if rapid.Bool().Draw(t, "envelope") {
				e.Envelope = digest.Of(e.ID)
			}
			if e.Match == evidence.Same { // then the event records that very text, and it was computed
				e.Hashed, e.Recorded = true, e.Sum.AppendText(nil)
			}
			if plainText(e.ID) && plainText(e.Recorded) {
				plain++
			}
			var whole report.Encoder
			want, err := whole.Encode(input.record(e, []finding.Finding{}))
			if err != nil {
				t.Fatal(err)
			}
			if got := w.encode(e); string(got) != string(want) {
				t.Fatalf("%s\nwant %s", got, want)
			}
		}
	})
	racetest.Met(t, "a plain record", plain)
}

// TestPlainText: a text is plain when each of its bytes is, and that is said of each.
func TestPlainText(t *testing.T) {
	for c := range 256 {
		want := c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '#'
		for _, text := range []string{"%c", "run:%c", "%crun:1234567", "0123456789%c0123456789"} {
			if got := plainText(bytes.Replace([]byte(text), []byte("%c"), []byte{byte(c)}, 1)); got != want {
				t.Errorf("byte %#02x in %q: %v, want %v", c, text, got, want)
			}
		}
	}
}
