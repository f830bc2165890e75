package privacy_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence/privacy"
)

// carried is a token of parts, so that no scanner takes this file for a leak.
const carried = "gh" + "p_" + "R7kQ2mZx9LpW4vTn8YsB3cHd6FgJ1aKe5UoX"

// carrier is a row of the table in docs/evidence-redact.md.
type carrier struct {
	name string
	data []any                 // values with the token in the carrier
	form func(after any) error // whether what stays is well-formed
}

var carriers = []carrier{
	{"JSON in a string", nested(4), parses},
	{"percent-encoding", []any{"https://h.test/?q=%22" + url.QueryEscape(carried) + "%22&z=1", "https://h.test/?q=" + each("%%%02x") + "&z=1"}, address},
	{"base64", []any{"before " + base64.StdEncoding.EncodeToString([]byte("tok "+carried+" end")) + " after"}, around},
	{"base64url", []any{"before " + base64.RawURLEncoding.EncodeToString([]byte("tok?"+carried+">end")) + " after"}, around},
	{"hexadecimal", []any{"before " + hex.EncodeToString([]byte("token: "+carried)) + " after"}, around},
	{"backslash escapes", []any{
		`before "` + each(`\x%02x`) + `" after`, `before "` + each(`\u%04x`) + `" after`, `before "a\n` + carried + `\tb" after`,
	}, around},
	{"color codes", []any{"before \x1b[1;32m" + carried + "\x1b[0m after", "before " + carried[:9] + "\x1b[0m" + carried[9:] + " after"}, around},
	{"HTML entities", []any{"before <a t=&quot;" + carried + "&quot;> after", "before " + each("&#%d;") + " after"}, around},
	{"elements of an array", []any{[]any{"before " + carried[:14], carried[14:30], carried[30:] + " after"}}, parts},
	{"streaming deltas", []any{[]any{delta("before " + carried[:14]), delta(carried[14:30]), delta(carried[30:] + " after")}}, parts},
}

func nested(depth int) (all []any) {
	text := "line\n" + carried
	for range depth {
		inner, err := json.Marshal(map[string]string{"a": text})
		if err != nil {
			panic(err)
		}
		text = string(inner)
		all = append(all, text)
	}
	return all
}

func each(format string) string {
	var b strings.Builder
	for _, c := range []byte(carried) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

func delta(text string) any {
	return map[string]any{"choices": []any{map[string]any{"delta": map[string]any{"content": text}}}}
}

func parses(after any) error {
	text, ok := after.(string)
	for ok && strings.HasPrefix(text, "{") {
		var inner map[string]string
		if err := json.Unmarshal([]byte(text), &inner); err != nil {
			return err
		}
		text, ok = inner["a"]
	}
	if !ok || !strings.HasPrefix(text, "line\n") {
		return fmt.Errorf("the innermost text is %q", text)
	}
	return nil
}

func address(after any) error {
	u, err := url.Parse(after.(string))
	if err == nil && (u.Host != "h.test" || u.Query().Get("z") != "1") {
		err = fmt.Errorf("the URL is %v", u)
	}
	return err
}

func around(after any) error {
	if text := after.(string); !strings.HasPrefix(text, "before ") || !strings.HasSuffix(text, " after") {
		return fmt.Errorf("the words around it are gone: %q", text)
	}
	return nil
}

func parts(after any) error {
	if list, ok := after.([]any); !ok || len(list) != 3 {
		return fmt.Errorf("expected three elements: %v", after)
	}
	return nil
}

// TestCarriers holds the table of docs/evidence-redact.md: in each carrier the token is reported and
// hidden, and what stays is well-formed.
func TestCarriers(t *testing.T) {
	text, err := os.ReadFile("../../docs/evidence-redact.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| Carrier |")
	table, _, _ = strings.Cut(table, "\n\n")
	var rows, names []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+?) \|`).FindAllStringSubmatch(table, -1) {
		rows = append(rows, m[1])
	}
	for _, c := range carriers {
		names = append(names, c.name)
		for _, data := range c.data {
			in, err := json.Marshal(map[string]any{"type": "t", "data": map[string]any{"v": data}})
			if err != nil {
				t.Fatal(err)
			}
			got := redact(privacy.NewRedactor(privacy.Default()), read(in))
			if got.swept || len(got.changes) == 0 || !strings.Contains(got.changes[0], " forbidden ") {
				t.Errorf("%s: %s is not reported: %q", c.name, in, got.changes)
			}
			var out struct{ Data struct{ V any } }
			if err := json.Unmarshal([]byte(got.text), &out); err != nil {
				t.Fatal(err)
			}
			if err := c.form(out.Data.V); err != nil {
				t.Errorf("%s: %s becomes %s: %v", c.name, in, got.text, err)
			}
			for _, part := range []string{carried[6:14], carried[16:28], carried[32:]} {
				if strings.Contains(got.text, part) {
					t.Errorf("%s: %s becomes %s", c.name, in, got.text)
				}
			}
		}
	}
	if !slices.Equal(rows, names) {
		t.Errorf("the table has the rows %q, the test %q", rows, names)
	}
}
