package evidence_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
)

// hashesOf returns the hashes of an input's events, "!" and the rule for one without, and the offsets.
func hashesOf(t *testing.T, r io.Reader) (hashes []string, offsets []int64) {
	t.Helper()
	_, err := evidence.HashStream(t.Context(), r, evidence.Options{}, func(r *evidence.Result) error {
		if r.Hashed {
			hashes = append(hashes, r.ContentHash())
		} else {
			hashes = append(hashes, "! "+r.Findings[0].Rule)
		}
		offsets = append(offsets, r.Offset)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return hashes, offsets
}

// TestBatches holds that an array of events has the hashes of its elements on lines, however it is
// spelled and handed out, and that the offset of an event is its place in the array.
func TestBatches(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var lines, array strings.Builder
		blank := rapid.SampledFrom([]string{"", " ", "\n", "\r\n", "\t\n  "})
		array.WriteString(blank.Draw(rt, "before") + "[")
		n := rapid.IntRange(2, 6).Draw(rt, "events")
		for i := range n {
			data := rapid.SampledFrom([]string{`{}`, `{"a":[1,{"b":"]},["}]}`, `["x\\","\"],["]`, `"\n,"`, `[[],[[]]]`, `{"é":"\u005d"}`}).Draw(rt, "data")
			event := fmt.Sprintf(`{"specversion":"1.0","type":"t","datacontenttype":"application/json","subject":"%d","data":%s}`, i, data)
			lines.WriteString(event + "\n")
			if i > 0 {
				array.WriteString(",")
			}
			if rapid.Bool().Draw(rt, "pretty") {
				var pretty bytes.Buffer
				if err := json.Indent(&pretty, []byte(event), " ", "\t"); err != nil {
					rt.Fatal(err)
				}
				event = pretty.String()
			}
			array.WriteString(blank.Draw(rt, "blank") + event + blank.Draw(rt, "blank"))
		}
		array.WriteString("]" + blank.Draw(rt, "after"))
		want, _ := hashesOf(t, strings.NewReader(lines.String()))
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(array.String()), "bytes": iotest.OneByteReader(strings.NewReader(array.String()))} {
			got, offsets := hashesOf(t, r)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				rt.Fatalf("%s: %s\n got %q\nwant %q", name, array.String(), got, want)
			}
			for i, at := range offsets {
				rest := strings.TrimLeft(array.String()[at:], " \t\r\n[,")
				if !strings.HasPrefix(rest, "{") || i > 0 && at <= offsets[i-1] {
					rt.Fatalf("event %d at %d: %.20q", i, at, rest)
				}
			}
		}
	})
}

// TestBrokenBatches checks that a line that is not an array of events cannot be hashed.
func TestBrokenBatches(t *testing.T) {
	const event = `{"specversion":"1.0","type":"t","datacontenttype":"application/json","data":{}}`
	for text, want := range map[string]string{
		"[" + event + "," + event + "]":           "ok ok",
		"[" + event + "]":                         "ok",
		"[" + event + "]\n\n":                     "ok",
		"[" + event + "," + event:                 "ok ok bad",
		"[" + event + "," + event + ",]":          "ok ok bad",
		"[" + event + ",," + event + "]":          "ok bad ok",
		"[" + event + " " + event + "]":           "bad",
		"[" + event + "," + event + "] x":         "ok bad",
		"[" + event + "," + event + "]]":          "ok bad",
		"[" + event + "," + event + "}":           "ok bad",
		"[" + event + "]\n" + event + "\n":        "bad",
		"[" + event + ",1,[" + event + "]]":       "ok bad bad",
		"[" + event + `,{"data":"` + "\n" + `"}]`: "ok bad",
	} {
		hashes, _ := hashesOf(t, strings.NewReader(text))
		var got []string
		for _, h := range hashes {
			if strings.HasPrefix(h, "!") {
				got = append(got, "bad")
			} else {
				got = append(got, "ok")
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s\n got %v\nwant %s", text, hashes, want)
		}
	}
}
