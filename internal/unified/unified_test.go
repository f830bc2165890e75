package unified_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/unified"
)

func asIs(line string) string { return line }

func shown(t interface{ Fatal(...any) }, text string, edits []finding.Edit) string {
	var out bytes.Buffer
	if err := unified.Write(&out, []byte(text), edits, asIs); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWrite(t *testing.T) {
	for _, c := range []struct {
		name, text string
		edits      []finding.Edit
		want       string
	}{
		{"nothing", "a\n", nil, ""},
		{"what changes nothing", "a\nb\n", []finding.Edit{{Start: 0, End: 2, Text: "a\n"}}, ""},
		{"a line", "a\nb\nc\n", []finding.Edit{{Start: 2, End: 3, Text: "x"}}, "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		{"two edits of a line", "abc\n", []finding.Edit{{Start: 0, End: 1}, {Start: 2, End: 3, Text: "x"}}, "@@ -1,1 +1,1 @@\n-abc\n+bx\n"},
		{"lines that touch", "a\nb\n", []finding.Edit{{Start: 0, End: 1, Text: "x"}, {Start: 2, End: 3, Text: "y"}}, "@@ -1,2 +1,2 @@\n-a\n-b\n+x\n+y\n"},
		{"a line that comes", "a\n", []finding.Edit{{Text: "x\n"}}, "@@ -1,1 +1,2 @@\n+x\n a\n"},
		{"a line that goes", "a\n\nb\n", []finding.Edit{{Start: 2, End: 3}}, "@@ -1,3 +1,2 @@\n a\n-\n b\n"},
		{"two lines that become one", "a\nb\n", []finding.Edit{{Start: 1, End: 2}}, "@@ -1,2 +1,1 @@\n-a\n-b\n+ab\n"},
		{"all that there is", "a\n", []finding.Edit{{Start: 0, End: 2}}, "@@ -1,1 +0,0 @@\n-a\n"},
		{"out of nothing", "", []finding.Edit{{Text: "a\n"}}, "@@ -0,0 +1,1 @@\n+a\n"},
		{"a line end that comes", "a", []finding.Edit{{Start: 1, End: 1, Text: "\n"}}, "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"far apart", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", []finding.Edit{{Start: 0, End: 1, Text: "x"}, {Start: 16, End: 17, Text: "y"}}, "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n"},
		{"not so far", "1\n2\n3\n4\n5\n6\n7\n", []finding.Edit{{Start: 0, End: 1, Text: "x"}, {Start: 12, End: 13, Text: "y"}}, "@@ -1,7 +1,7 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n-7\n+y\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shown(t, c.text, c.edits); got != c.want {
				t.Errorf("%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestPatch draws texts and edits, and patches each text by the diff as a reader does that
// knows nothing but the hunks.
func TestPatch(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "b", "\n", "\n", "\n", "a\n"})
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		source := text.Draw(t, "source")
		var edits []finding.Edit
		for at := 0; at <= len(source); {
			start := rapid.IntRange(at, len(source)).Draw(t, "start")
			end := rapid.IntRange(start, min(start+4, len(source))).Draw(t, "end")
			replacement := strings.Join(rapid.SliceOfN(piece, 0, 3).Draw(t, "text"), "")
			edits = append(edits, finding.Edit{Start: start, End: end, Text: replacement})
			at = end + 1 + rapid.IntRange(0, 20).Draw(t, "further")
		}
		want, err := finding.Apply([]byte(source), edits)
		if err != nil {
			t.Fatal(err)
		}
		diff := shown(t, source, edits)
		got, err := patch(source, diff)
		if err != nil || got != string(want) {
			t.Fatalf("%q becomes %q (%v), want %q by\n%s", source, got, err, want, diff)
		}
	})
}

// patch carries out a unified diff, and refuses one whose hunks do not fit.
func patch(text, diff string) (string, error) {
	left := strings.SplitAfter(text, "\n")
	if left[len(left)-1] == "" {
		left = left[:len(left)-1]
	}
	var out []string
	oldLeft, newLeft, done := 0, 0, 0
	lines := strings.SplitAfter(diff, "\n")
	for i, line := range lines[:len(lines)-1] {
		if strings.HasPrefix(line, "\\") {
			continue
		}
		body := line[1:]
		if strings.HasPrefix(lines[i+1], "\\") {
			body = strings.TrimSuffix(body, "\n")
		}
		switch line[0] {
		case '@':
			if oldLeft != 0 || newLeft != 0 {
				return "", fmt.Errorf("a hunk ends too early before line %d", i+1)
			}
			var oldAt, newAt int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &oldAt, &oldLeft, &newAt, &newLeft); err != nil {
				return "", err
			}
			for oldLeft > 0 && done < oldAt-1 || oldLeft == 0 && done < oldAt {
				out, left, done = append(out, left[0]), left[1:], done+1
			}
			if first := len(out); newLeft > 0 && first != newAt-1 || newLeft == 0 && first != newAt {
				return "", errors.New("the hunk is not at line " + strconv.Itoa(newAt))
			}
			continue
		case ' ', '-':
			if len(left) == 0 || left[0] != body {
				return "", fmt.Errorf("line %d of the diff does not fit", i+1)
			}
			left, done, oldLeft = left[1:], done+1, oldLeft-1
		}
		if line[0] != '-' {
			out, newLeft = append(out, body), newLeft-1
		}
	}
	if oldLeft != 0 || newLeft != 0 {
		return "", errors.New("the last hunk ends too early")
	}
	return strings.Join(append(out, left...), ""), nil
}
