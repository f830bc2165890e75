package commands

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
)

// tookMillis matches the durations that results of `attest eval` have in JSON.
var tookMillis = regexp.MustCompile(`("(?:total_)?duration_ms": ?)\d+`)

// TestEqualRuns checks that a second run prints the same bytes in every format but junit, apart from the durations of
// attest results.
func TestEqualRuns(t *testing.T) {
	t.Chdir("../testdata/examples")
	env, out := testEnv(t)
	env.Stderr, env.Now = &bytes.Buffer{}, time.Now
	for _, args := range []string{
		"check .", "trace verify trace session transcripts", "oatf lint oatf", "oatf eval oatf/rug-pull.yaml --trace oatf/rug-pull-exploited.jsonl",
		"oatf view oatf/rug-pull.yaml", "oatf simulate oatf/rug-pull.yaml --events oatf/rug-pull-exploited.jsonl",
		"evidence hash evidence/run.ndjson", "evidence verify evidence", "evidence lint evidence", "evidence show evidence", "evidence diff evidence/run.ndjson evidence/tampered.ndjson",
		"evidence redact --diff evidence/private.ndjson", "attest eval --assertions attest/refund-suite.yaml attest/refund.json attest/refund-unchecked.json", "attest validate attest/refund.json",
	} {
		for _, format := range append(report.Formats(), "ndjson", "cloudevents-batch") {
			if format == "junit" { // its cases have durations
				continue
			}
			var texts []string
			for range 2 {
				out.Reset()
				Main(env, slices.Concat([]string{"cupel"}, strings.Fields(args), []string{"--format=" + format}))
				texts = append(texts, tookMillis.ReplaceAllString(out.String(), "${1}0"))
			}
			if texts[0] != texts[1] {
				t.Errorf("%s --format %s prints other bytes the second time", args, format)
			}
		}
	}
}

// TestTextsAreUTF8 checks the help of every command, the topics, rules and schemas, and the documents.
func TestTextsAreUTF8(t *testing.T) {
	env, out := testEnv(t)
	app := newApp(env)
	runs := [][]string{{"help"}, {"explain", "--all"}, {"schema", "--all"}}
	for _, cmd := range cmdline.Leaves("", app.Commands) {
		words := strings.Fields(cmd.Name)
		runs = append(runs, slices.Concat(words, []string{"--help"}), slices.Concat(words, []string{"--help-all"}))
	}
	for _, topic := range cmdline.Topics(app) {
		runs = append(runs, []string{"help", topic.Name})
	}
	for _, args := range runs {
		out.Reset()
		if code := Main(env, append([]string{"cupel"}, args...)); code != 0 || !utf8.Valid(out.Bytes()) {
			t.Errorf("cupel %s: exit code %d, UTF-8: %v", strings.Join(args, " "), code, utf8.Valid(out.Bytes()))
		}
	}
	documents := 0
	for _, pattern := range []string{"../*.md", "../docs/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				continue // a folder
			}
			documents++
			if filepath.Ext(name) != ".png" && !utf8.Valid(text) {
				t.Errorf("%s is not UTF-8", name)
			}
		}
	}
	if documents < 20 {
		t.Errorf("%d documents", documents)
	}
}
