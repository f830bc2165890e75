package commands_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/voicetest"
)

// TestGeneratedDocumentsMessages: docs/messages.md has every message of the source.
func TestGeneratedDocumentsMessages(t *testing.T) {
	const path = "../docs/messages.md"
	all, err := messages()
	if err != nil {
		t.Fatal(err)
	}
	text := voicetest.Table(all)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(have), text); diff != "" {
		t.Errorf("%s is not current; `make docs` writes it (-have +want):\n%s", path, diff)
	}
	t.Logf("%d messages", len(all))
}

// messages are collected once.
var messages = sync.OnceValues(func() ([]voicetest.Message, error) { return voicetest.Collect(os.DirFS("..")) })

// madeOfParts are messages that no single text of the source is.
var madeOfParts = []*regexp.Regexp{
	regexp.MustCompile(`^the history has lines that are no scores; they are passed over, history .*, count \d+$`), // a log's attributes are behind it
	regexp.MustCompile(`nesting is deeper than the limit of \d+$`),                                                // its constant is compared with a library's message, too
}

// knowHeard holds what the commands of scripts have said, on standard error and in the findings of
// their documents, against the collected messages.
func knowHeard(t *testing.T, folder string) {
	all, err := messages()
	if err != nil {
		t.Error(err)
		return
	}
	seen := map[string]bool{}
	for text, script := range spoken(t, folder) {
		if seen[text] {
			continue
		}
		seen[text] = true
		if !voicetest.Known(all, text) && !slices.ContainsFunc(madeOfParts, matches(text)) {
			t.Errorf("%s: no message of docs/messages.md: %s", script, text)
		}
	}
	t.Logf("%d messages were said", len(seen))
}

func matches(text string) func(*regexp.Regexp) bool {
	return func(pattern *regexp.Regexp) bool { return pattern.MatchString(text) }
}

// spoken yields what is said in a folder of what scripts have printed, with the script's name.
func spoken(t *testing.T, folder string) func(func(text, script string) bool) {
	return func(yield func(text, script string) bool) {
		files, err := filepath.Glob(filepath.Join(folder, "*", "*"))
		if err != nil {
			t.Error(err)
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			list := saidInLines
			if filepath.Ext(path) == ".json" {
				list = saidInJSON
			}
			for _, message := range list(text) {
				if !yield(message, filepath.Base(filepath.Dir(path))) {
					return
				}
			}
		}
	}
}

// saidInLines are the messages of standard error, without the lines of an input that show a place by a caret.
func saidInLines(text []byte) (list []string) {
	for line := range strings.Lines(string(text)) {
		for _, kind := range []string{"error", "hint", "warning"} {
			message, ok := strings.CutPrefix(line, "cupel: "+kind+": ")
			if !ok || !strings.HasSuffix(line, "\n") {
				continue // of another program, or cut off by a signal
			}
			if strings.Trim(message, " \n") == "^" {
				list = list[:max(len(list)-1, 0)]
			} else {
				list = append(list, strings.TrimSuffix(message, "\n"))
			}
		}
	}
	return list
}

// saidInJSON are the messages and the help of the findings in a JSON document or its lines.
func saidInJSON(text []byte) (list []string) {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	for {
		var value any
		if decoder.Decode(&value) != nil {
			return list // the end, or where a signal has cut it off
		}
		list = append(list, saidInValue(value)...)
	}
}

func saidInValue(value any) (list []string) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			list = append(list, saidInValue(v)...)
		}
	case map[string]any:
		for name, v := range value {
			if text, ok := v.(string); ok && value["rule"] != nil && value["severity"] != nil && (name == "message" || name == "help") {
				list = append(list, text)
			}
			list = append(list, saidInValue(v)...)
		}
	}
	return list
}
