package oatf

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestLibrary checks published documents of the later revision: the errors and warnings of the rules with their
// places, the unquestioned tiers, and the keys inside states that no binding defines, as in the table next to the
// documents.
func TestLibrary(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: no published document was checked")
		return
	}
	root = filepath.Join(root, "oatf-2026-03", "library")
	table, err := os.ReadFile(filepath.Join(root, "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(table)), "\n")[1:]
	for _, row := range rows {
		columns := strings.Split(row, "\t")
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(columns[0])))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(append(columns[:1:1], published(t, text)...), "\t"); got != row {
			t.Errorf("got      %s\nexpected %s", got, row)
		}
	}
	if len(rows) == 0 {
		t.Fatal("the table is empty")
	}
	t.Logf("%d documents", len(rows))
}

// published returns the columns of a document: its errors, its warnings, the number of its tiers,
// its keys that no binding defines.
func published(t *testing.T, text []byte) []string {
	doc, err := ParseOptions{Revision: V202603}.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var errors, warnings, keys []string
	tiers := 0
	for _, ind := range doc.Attack.Indicators {
		if ind.Tier != nil {
			tiers++
		}
	}
	for _, f := range Check(text, CheckOptions{Revision: V202603, Strict: true}) {
		switch {
		case f.Severity == SeverityError:
			errors = append(errors, f.Rule+"@"+f.Path)
		case strings.HasPrefix(f.Rule, "V-") || strings.HasPrefix(f.Rule, "W-"):
			warnings = append(warnings, f.Rule+"@"+f.Path)
		case f.Rule == "L-109": // an unknown tier
			tiers--
		case slices.Contains([]string{"L-405", "L-406", "L-407"}, f.Rule):
			keys = append(keys, withoutOwner(f.Path))
		}
	}
	column := func(list []string) string {
		slices.Sort(list)
		if list = slices.Compact(list); len(list) == 0 {
			return "-"
		}
		return strings.Join(list, " ")
	}
	return []string{column(errors), column(warnings), strconv.Itoa(tiers), column(keys)}
}

// ownerOfKey is what leads to a key of a state, except for the list of responses that it is in.
var ownerOfKey = regexp.MustCompile(`^.*\.state\.((tools|prompts)\[\d+\]\.)?`)

// withoutOwner spells a key inside state as the table does: "responses[].isError".
func withoutOwner(path string) string {
	return regexp.MustCompile(`\[\d+\]`).ReplaceAllString(ownerOfKey.ReplaceAllString(path, ""), "[]")
}
