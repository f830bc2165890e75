package stream

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// TestStrayLists: an object around the events may say a few words about the log, but has no second list
// of records, before or after the events.
func TestStrayLists(t *testing.T) {
	for text, want := range map[string]string{
		`{"events":[{"a":1}]}`:                          "",
		`{"name":"x","tags":[],"events":[{"a":1}]}`:     "",
		`{"spans":[{"b":1}],"events":[{"a":1}]}`:        `1:10 [{"b":1}]`,
		`{"events":[{"a":1}],"more":[{"b":1}]}`:         `1:28 [{"b":1}]`,
		"{\"events\":[{\"a\":1}],\n\n \"more\":[1,{}]}": `3:9 [1,{}]`,
		`{"events":[{"a":1}],"tags":[1,"x"]}`:           "",
		`{"x":{"y":[{"b":1}]},"events":[{"a":1}]}`:      "",
	} {
		in := Records(strings.NewReader(text), Limits{LineBytes: 1 << 20}, 0)
		got := ""
		for {
			b, err := in.Next(nil)
			if b.Lines != nil {
				for l := range b.Lines {
					if l.Stray {
						doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(l.Bytes)
						if err != nil {
							t.Fatal(err)
						}
						root := doc.Root()
						f := notObject(l, root)
						got += fmt.Sprintf("%d:%d ", f.Line, f.Column) + string(l.Bytes)
						if !strings.Contains(f.Message, "second list") {
							t.Error(f.Message)
						}
					}
				}
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
