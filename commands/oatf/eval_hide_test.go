package oatfcmd

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// TestHideSecrets: a message on a page has no secret in any place, and is still JSON.
func TestHideSecrets(t *testing.T) {
	hide, err := secretHider()
	if err != nil {
		t.Fatal(err)
	}
	const token = "ghp_" + "wXyZ0123456789abcdefGHIJKLMNopqrSTuv"
	for _, text := range []string{
		`{"arguments":{"note":"` + token + `"}}`,
		`{"arguments":{"command":"curl -H \"Authorization: Bearer ` + token + `\" https://example.com"}}`,
		`{"content":[{"text":"{\"token\":\"` + token + `\"}"}]}`,
		`{"password":"` + token + `","path":"/home/bob/.ssh/id_rsa"}`,
	} {
		shown, changed := hideSecrets(text, hide)
		if !changed || strings.Contains(shown, token[8:]) || !json.Valid([]byte(shown)) {
			t.Errorf("%s\nis shown as\n%s", text, shown)
		}
		if strings.Contains(text, "/home/bob") && !strings.Contains(shown, "/home/bob/.ssh/id_rsa") {
			t.Errorf("a path is hidden: %s", shown)
		}
	}
	if shown, changed := hideSecrets(token, nil); changed || shown != token {
		t.Errorf("without a function: %s", shown)
	}
	if ranges := hide("password", "correct-horse-7"); !slices.Equal(ranges, [][2]int{{0, 15}}) {
		t.Errorf("the value of a password: %v", ranges)
	}
	if ranges := hide("path", "/home/bob/.ssh/id_rsa"); ranges != nil {
		t.Errorf("a path: %v", ranges)
	}
}

// TestMessageContext: two messages on either side, of the same capture, each once.
func TestMessageContext(t *testing.T) {
	var c messageContext
	for i := range 10 {
		c.take(&capture.Message{Index: i, Line: i + 1, Input: i / 6}, i == 0 || i == 4 || i == 5 || i == 9)
	}
	for index, want := range map[int]string{
		0: "line 1 payload (this one), line 2 payload, line 3 payload",
		4: "line 3 payload, line 4 payload, line 5 payload (this one), line 6 payload",
		5: "line 4 payload, line 5 payload, line 6 payload (this one)",
		9: "line 8 payload, line 9 payload, line 10 payload (this one)",
	} {
		x := eval.IndicatorVerdict{Result: eval.Matched, Place: &eval.Place{MessageIndex: index, Input: index / 6}}
		if got := contextText(c.around(&x), index); got != want {
			t.Errorf("%d: %q, expected %q", index, got, want)
		}
		if x.Result = eval.Error; c.around(&x) != nil {
			t.Errorf("%d: an error has messages around it", index)
		}
	}
	if len(c.open) != 1 {
		t.Errorf("%d matches wait for later messages, expected 1", len(c.open))
	}
}
