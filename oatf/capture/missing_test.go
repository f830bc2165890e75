package capture_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/capture"
)

// TestMissingMembers: a record that lacks a member which others of its format have is read without it.
func TestMissingMembers(t *testing.T) {
	for _, text := range []string{
		`{"messages":[{"role":"assistant","tool_calls":[{}]}]}`,
		`{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}]}`,
		`{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"arguments":null}}]},{"role":"tool"}]}`,
		`{"messages":[{"role":"assistant","content":[{"type":"tool_use"}]}]}`,
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a"}]}}`,
		`{"log":{"entries":[{"request":{},"response":{}}]}}`,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}]}`,
	} {
		r := capture.NewReader(strings.NewReader(text+"\n"), capture.Options{})
		for {
			if _, err := r.Next(); err != nil {
				if !errors.Is(err, io.EOF) {
					t.Logf("%s: %v", text, err)
				}
				break
			}
		}
	}
}
