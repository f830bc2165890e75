package check_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/transcript/check"
)

// found checks a text and returns its findings as "severity rule@line", in order.
func found(t interface{ Fatal(...any) }, r io.Reader, opt check.Options) (list []string, all []finding.Finding) {
	head, kind, err := transcript.Peek(r, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	opt.Kind = kind
	opt.Found = func(f finding.Finding) { all = append(all, f) }
	if _, err := check.Check(context.Background(), io.MultiReader(bytes.NewReader(head), r), opt); err != nil {
		t.Fatal(err)
	}
	all = finding.Sort(all)
	for _, f := range all {
		list = append(list, fmt.Sprintf("%s %s@%d", f.Severity, strings.TrimPrefix(f.Rule, "transcript."), f.Line))
	}
	return list, all
}

// record is a record of Claude Code, as the tests write it.
type record struct {
	Parent  *string `json:"parentUuid"`
	Session string  `json:"sessionId"`
	Type    string  `json:"type"`
	Message any     `json:"message"`
	UUID    string  `json:"uuid"`
	Time    string  `json:"timestamp"`
}

type object = map[string]any

func uuid(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }

// claude writes a healthy session of some turns, each with a call and its result.
func claude(turns int) (lines []string) {
	n := 0
	add := func(typ string, message any) {
		r := record{Session: "s", Type: typ, Message: message, UUID: uuid(n), Time: fmt.Sprintf("2026-05-01T10:%02d:%02d.000Z", n/60, n%60)}
		if n > 0 {
			parent := uuid(n - 1)
			r.Parent = &parent
		}
		text, _ := json.Marshal(r) // plain values
		lines = append(lines, string(text))
		n++
	}
	for i := range turns {
		call := fmt.Sprintf("toolu_%d", i)
		add("user", object{"role": "user", "content": fmt.Sprintf("question %d: \u2028 and \\u0000", i)})
		add("assistant", object{"role": "assistant", "id": fmt.Sprintf("msg_%d", i), "model": "m", "content": []any{object{"type": "tool_use", "id": call, "name": "Bash", "input": object{"command": "ls"}}}})
		add("user", object{"role": "user", "content": []any{object{"type": "tool_result", "tool_use_id": call, "content": "ok {\"a\":1}"}}})
		add("assistant", object{"role": "assistant", "id": fmt.Sprintf("msg_%d_end", i), "model": "m", "content": []any{object{"type": "text", "text": "done"}}})
	}
	return lines
}

func whole(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// damages are what happens to files, with the rule that must find it at a line. at is an index
// of a line that is neither the first nor the last.
var damages = map[string]func(lines []string, at, cut int) (text, rule string, line int){
	"cut": func(l []string, _, cut int) (string, string, int) {
		last := l[len(l)-1]
		return whole(l[:len(l)-1]) + last[:1+cut%(len(last)-1)], "cut", len(l)
	},
	"glued": func(l []string, at, _ int) (string, string, int) {
		return whole(slices.Concat(l[:at], []string{l[at] + l[at+1]}, l[at+2:])), "glued", at + 1
	},
	"retried": func(l []string, at, cut int) (string, string, int) {
		return whole(slices.Concat(l[:at], []string{l[at][:60+cut%(len(l[at])-61)]}, l[at:])), "retried", at + 1
	},
	"spliced": func(l []string, at, cut int) (string, string, int) {
		return whole(slices.Concat(l[:at], []string{l[at][:60+cut%(len(l[at])-61)] + l[at+1]}, l[at+2:])), "spliced", at + 1
	},
	"nul": func(l []string, at, cut int) (string, string, int) {
		return whole(slices.Insert(slices.Clone(l), at, strings.Repeat("\x00", 1+cut))), "nul", at + 1
	},
	"foreign": func(l []string, at, _ int) (string, string, int) {
		return whole(slices.Insert(slices.Clone(l), at, "Killed")), "foreign", at + 1
	},
	"bom": func(l []string, _, _ int) (string, string, int) { return "\ufeff" + whole(l), "bom", 1 },
	"utf8": func(l []string, at, _ int) (string, string, int) {
		l = slices.Clone(l)
		l[at] = strings.Replace(l[at], `"role"`, "\"r\xfcle\":1,\"role\"", 1)
		return whole(l), "utf8", at + 1
	},
	"parent": func(l []string, at, _ int) (string, string, int) {
		return whole(slices.Delete(slices.Clone(l), at, at+1)), "parent", at + 1
	},
	"duplicate_id": func(l []string, at, _ int) (string, string, int) {
		return whole(slices.Insert(slices.Clone(l), at, strings.Replace(l[at], `"s"`, `"s","changed":1`, 1))), "duplicate_id", at + 2
	},
	"clock": func(l []string, at, _ int) (string, string, int) {
		l = slices.Clone(l)
		l[at] = strings.Replace(l[at], "2026-05-01", "2026-04-30", 1)
		return whole(l), "clock", at + 1
	},
}

// TestDamageIsFound holds that each damage is found at its line, wherever it is.
func TestDamageIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := claude(rapid.IntRange(2, 5).Draw(t, "turns"))
		kind := rapid.SampledFrom(slices.Sorted(func(yield func(string) bool) {
			for k := range damages {
				if !yield(k) {
					return
				}
			}
		})).Draw(t, "kind")
		at, cut := rapid.IntRange(1, len(lines)-3).Draw(t, "at"), rapid.IntRange(0, 5000).Draw(t, "cut")
		text, rule, line := damages[kind](lines, at, cut)
		list, all := found(t, strings.NewReader(text), check.Options{})
		if !slices.ContainsFunc(all, func(f finding.Finding) bool {
			return f.Rule == "transcript."+rule && f.Line == line && f.Severity > finding.Info
		}) {
			t.Fatalf("%s: no %s@%d in %v", kind, rule, line, list)
		}
	})
}

// TestHealthyIsSilent holds that what must not matter does not: line ends, blank lines, spelling
// and order of members, a missing last line feed.
func TestHealthyIsSilent(t *testing.T) {
	lines := claude(3)
	spelled := make([]string, len(lines))
	for i, l := range lines {
		var v object
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(v) // plain values
		spelled[i] = string(text)
	}
	for name, text := range map[string]string{
		"plain": whole(lines), "crlf": strings.Join(lines, "\r\n") + "\r\n", "blank": strings.Join(lines, "\n\n \n"),
		"no line feed": strings.Join(lines, "\n"), "spelled": whole(spelled),
	} {
		if list, _ := found(t, strings.NewReader(text), check.Options{}); len(list) > 0 {
			t.Errorf("%s: %v", name, list)
		}
	}
}

// TestReadingDoesNotMatter holds that chunks, blocks, workers and observers change no finding.
func TestReadingDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := mutated(t, claude(4))
		want, _ := found(t, strings.NewReader(text), check.Options{Jobs: 1})
		for name, try := range map[string]struct {
			r   io.Reader
			opt check.Options
		}{
			"jobs":    {strings.NewReader(text), check.Options{Jobs: 4}},
			"blocks":  {strings.NewReader(text), check.Options{Jobs: 3}.InBlocks(rapid.IntRange(1, 3000).Draw(t, "block"))},
			"inline":  {strings.NewReader(text), check.Options{Inline: true}},
			"bytes":   {iotest.OneByteReader(strings.NewReader(text)), check.Options{Jobs: 2}},
			"observe": {strings.NewReader(text), check.Options{Observe: func(string, *transcript.Record) {}}},
		} {
			if got, _ := found(t, try.r, try.opt); !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", name, got, want)
			}
		}
	})
}

// mutated deletes, repeats, swaps and cuts lines.
func mutated(t *rapid.T, lines []string) string {
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		i, j := rapid.IntRange(0, len(lines)-1).Draw(t, "i"), rapid.IntRange(0, len(lines)-1).Draw(t, "j")
		switch rapid.IntRange(0, 4).Draw(t, "what") {
		case 0:
			lines = slices.Delete(slices.Clone(lines), i, i+1)
		case 1:
			lines = slices.Insert(slices.Clone(lines), i, lines[j])
		case 2:
			lines = slices.Clone(lines)
			lines[i], lines[j] = lines[j], lines[i]
		case 3:
			lines = slices.Clone(lines)
			lines[i] = lines[i][:len(lines[i])/2]
		case 4:
			lines = slices.Clone(lines)
			lines[i] = strings.Replace(lines[i], uuid(j), uuid(i), 1)
		}
		if len(lines) < 3 {
			return whole(lines)
		}
	}
	return whole(lines)
}

// naive finds what links and pairs say, with all records held.
func naive(lines []string) (list []string) {
	type seen struct {
		line int
		text string
	}
	ids, calls, results := map[string]seen{}, map[string]int{}, map[string]seen{}
	var records []record
	for i, l := range lines {
		var r record
		_ = json.Unmarshal([]byte(l), &r) // written by the test
		records = append(records, r)
		if before, again := ids[r.UUID]; again && before.text != l {
			list = append(list, fmt.Sprintf("duplicate_id@%d", i+1))
		} else if !again {
			ids[r.UUID] = seen{i + 1, l}
		}
		content, _ := r.Message.(object)["content"].([]any)
		for _, b := range content {
			block := b.(object)
			if id, ok := block["id"].(string); ok && calls[id] == 0 {
				calls[id] = i + 1
			}
			if id, ok := block["tool_use_id"].(string); ok && results[id].line == 0 {
				results[id] = seen{i + 1, fmt.Sprint(block["content"])}
			}
		}
	}
	dangling := false
	for i, r := range records {
		if ids[r.UUID].line != i+1 || r.Parent == nil || dangling {
			continue
		}
		if ids[*r.Parent].line == 0 {
			list = append(list, fmt.Sprintf("parent@%d", i+1))
			dangling = true
		}
	}
	for id, r := range results {
		switch {
		case calls[id] == 0:
			list = append(list, fmt.Sprintf("orphan_result@%d", r.line))
		case calls[id] > r.line:
			list = append(list, fmt.Sprintf("order@%d", r.line))
		}
	}
	slices.Sort(list)
	return list
}

// TestNaive compares links and pairs with a second implementation.
func TestNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := claude(4)
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			i, j := rapid.IntRange(1, len(lines)-1).Draw(t, "i"), rapid.IntRange(0, len(lines)-1).Draw(t, "j")
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				lines = slices.Delete(slices.Clone(lines), i, i+1)
			case 1:
				lines = slices.Insert(slices.Clone(lines), i, lines[j])
			case 2:
				lines = slices.Clone(lines)
				lines[i], lines[j] = lines[j], lines[i]
			}
			if len(lines) < 3 {
				break
			}
		}
		_, all := found(t, strings.NewReader(whole(lines)), check.Options{})
		var got []string
		for _, f := range all {
			rule := strings.TrimPrefix(f.Rule, "transcript.")
			if slices.Contains([]string{"duplicate_id", "parent", "orphan_result", "order"}, rule) {
				got = append(got, fmt.Sprintf("%s@%d", rule, f.Line))
			}
		}
		slices.Sort(got)
		if want := naive(lines); !slices.Equal(got, want) {
			t.Fatalf("%v, the naive implementation has %v, of\n%s", got, want, whole(lines))
		}
	})
}

// TestRepairIsStable holds that a repaired file has no fault of its bytes, and that a second
// repair changes nothing.
func TestRepairIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := claude(3)
		at, cut := rapid.IntRange(1, len(lines)-3).Draw(t, "at"), rapid.IntRange(0, 5000).Draw(t, "cut")
		text, _, _ := damages[rapid.SampledFrom([]string{"cut", "glued", "retried", "spliced", "nul", "foreign", "bom", "utf8"}).Draw(t, "kind")](lines, at, cut)
		var once, twice bytes.Buffer
		if _, err := transcript.Repair(strings.NewReader(text), &once, transcript.ClaudeCode, strictjson.Limits{TextBytes: 1 << 20}); err != nil {
			t.Fatal(err)
		}
		done, err := transcript.Repair(bytes.NewReader(once.Bytes()), &twice, transcript.ClaudeCode, strictjson.Limits{TextBytes: 1 << 20})
		if err != nil || len(done.Faults) > 0 || !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Fatalf("a second repair: %v, %v", err, done.Faults)
		}
	})
}

// TestVectors runs the transcripts with known truth, when there are some.
func TestVectors(t *testing.T) {
	dir := filepath.Join(os.Getenv("CUPEL_VECTORS"), "transcripts")
	truths, _ := filepath.Glob(filepath.Join(dir, "truth", "*.json"))
	if os.Getenv("CUPEL_VECTORS") == "" || len(truths) == 0 {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	rand.Shuffle(len(truths), func(i, j int) { truths[i], truths[j] = truths[j], truths[i] })
	for _, name := range truths {
		var truth struct {
			File    string
			Healthy bool
			Damage  struct {
				Rules []string
				Lines []int
			}
		}
		text, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(text, &truth)
		}
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(filepath.Join(dir, "files", truth.File))
		if err != nil {
			t.Fatal(err)
		}
		list, all := found(t, bytes.NewReader(file), check.Options{})
		loud := slices.DeleteFunc(all, func(f finding.Finding) bool { return f.Severity == finding.Info })
		hit := slices.ContainsFunc(loud, func(f finding.Finding) bool {
			return slices.Contains(truth.Damage.Rules, f.Rule) && slices.Contains(truth.Damage.Lines, f.Line)
		})
		if truth.Healthy && len(loud) > 0 || !truth.Healthy && !hit {
			t.Errorf("%s: %v, want %v", truth.File, list, truth.Damage)
		}
	}
	t.Logf("%d transcripts", len(truths))
}
