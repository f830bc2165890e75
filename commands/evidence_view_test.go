package commands_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/bundletest"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// hidden is a part of every private value of TestPagesHideSecrets.
const hidden = "7Hq2Zr9Lm4Xw8Kc1"

// hidingEvent draws an event with perhaps a private value at each of its places, a right hash or a
// wrong one.
func hidingEvent(t *rapid.T, seq int) string {
	text := rapid.SampledFrom([]string{
		`"plain"`, `7`, `"/home/` + hidden + `/x"`, `"see C:\\Users\\` + hidden + `\\y"`, `"AKIA` + strings.ToUpper(hidden) + `"`, `"--token=` + hidden + `"`,
		`"Authorization: Bearer ` + hidden + hidden + `"`, `"https://bob:` + hidden + `@example.org/x"`, `{"password":"` + hidden + `"}`, `["run","--token","` + hidden + `"]`,
	})
	draw := func(name string) string { return text.Draw(t, name) }
	data := rapid.SampledFrom([]string{
		`{"file":%a,"path":%b}`, `{"argv":[%a,%b],"token":%c}`, `%a`, `{"deep":[{"a":[%a,null,%b]}],"note":%c}`,
	}).Draw(t, "data")
	for _, mark := range []string{"%a", "%b", "%c"} {
		data = strings.Replace(data, mark, draw(mark), 1)
	}
	line := fmt.Sprintf(`{"specversion":"1.0","type":%q,"source":"urn:x","id":"r:%[2]d","time":"2026-03-02T08:00:00Z","assayrunid":"r","assayseq":%[2]d,"data":%[3]s`,
		rapid.SampledFrom([]string{"assay.fs.access", "assay.tool.decision", "assay.env.filtered", "other"}).Draw(t, "type"), seq, data)
	if rapid.Bool().Draw(t, "attributes") {
		line += `,"subject":` + draw("subject") + `,"comment":` + draw("comment") + `,"tracestate":` + draw("tracestate")
	}
	if rapid.Bool().Draw(t, "recorded") {
		line += `,"assaycontenthash":"sha256:` + strings.Repeat("0", 64) + `"`
	}
	return line + rapid.SampledFrom([]string{"}", "}", "}", "}", `,"a":1,"a":2}`, ""}).Draw(t, "end")
}

// TestPagesHideSecrets: no page of evidence that was verified, linted or checked shows a value
// that the linter finds, whatever else is wrong with its event, and however the input is read.
func TestPagesHideSecrets(t *testing.T) {
	dir := t.TempDir()
	views := 0
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for seq := range rapid.IntRange(1, 4).Draw(t, "events") {
			lines = append(lines, hidingEvent(t, seq))
		}
		text := []byte(strings.Join(lines, "\n") + "\n")
		name := filepath.Join(dir, "run.ndjson")
		if rapid.Bool().Draw(t, "bundle") {
			recipe := bundletest.Recipe{Events: len(lines), Lines: lines}
			text, name = recipe.Bundle(), filepath.Join(dir, "run.tar.gz")
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		args := rapid.SampledFrom([][]string{
			{"evidence", "verify"},
			{"evidence", "verify", "--all"},
			{"evidence", "verify", "--all", "--payloads"},
			{"evidence", "verify", "--all", "--strict"},
			{"evidence", "lint"},
			{"evidence", "lint", "--no-verify"},
			{"check"},
		}).Draw(t, "command")
		operand := name
		if args[0] != "check" && rapid.Bool().Draw(t, "pipe") {
			operand = "-"
		}
		var out, errs bytes.Buffer
		env := commands.Env{Context: t.Context(), Stdin: bytes.NewReader(text), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
		code := commands.Main(env, append(append([]string{"cupel"}, args...), "--format", "html", operand))
		page := strings.ToUpper(out.String())
		if at := strings.Index(page, strings.ToUpper(hidden)); at >= 0 || code > 1 {
			t.Fatalf("%q exits with %d: %s\n…%s…\nof %s", args, code, errs.String(), page[max(0, at-400):max(0, at)+100], text)
		}
		views += strings.Count(page, `CLASS="EVENTS"`)
	})
	racetest.Met(t, "a page with a view", views)
}
