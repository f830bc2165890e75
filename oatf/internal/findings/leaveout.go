package findings

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// LeaveOut adds a fix that removes a pair with a null value. A comment after it is kept. It adds no fix if the key
// identifies the revision, if a comment or line break is inside the pair, or if the preceding scalar would absorb
// blank lines. If the mapping would become empty, only the first pair is removed per pass.
func (l *List) LeaveOut(f *finding.Finding, pair place.Pair) {
	isSign := func(s place.Sign) bool { return s.Path == f.Path }
	if l.locator == nil || slices.ContainsFunc(l.locator.Signs, isSign) || pair.Index > 0 && empties(pair.In, l.locator.Nulls) {
		return
	}
	start, end, text, ok := leaveOut(l.lines, pair)
	if !ok {
		return
	}
	bom := l.lines.Byte(1, 1)
	f.Fix = &finding.Fix{Title: "leave " + pair.Path.Key() + " out", Edits: []finding.Edit{{Start: bom + start, End: bom + end, Text: text}}}
}

// empties reports whether a mapping only has keys that count as absent.
func empties(mapping *yaml.Node, nulls []place.Pair) bool {
	left := len(mapping.Content) / 2
	for _, pair := range nulls {
		if pair.In == mapping {
			left--
		}
	}
	return left == 0
}

func leaveOut(lines *place.Lines, pair place.Pair) (start, end int, text string, ok bool) {
	content := pair.In.Content
	key, value := content[pair.Index], content[pair.Index+1]
	start, end = yamltext.Extent(lines, key)
	if behind := yamltext.AfterKey(lines.Text, end); behind > end {
		if end = behind; !yamltext.IsEmpty(value) {
			_, end = yamltext.Extent(lines, value)
		}
	}
	line, from := lines.Line(key.Line), lines.In(key.Line, 1)
	if end > from+len(line) || isAimedAt(lines, key.Line) {
		return 0, 0, "", false
	}
	before, behind := lines.Text[from:start], strings.TrimLeft(line[end-from:], " \t")
	flow := pair.In.Style&yaml.FlowStyle != 0
	switch {
	case len(content) == 2 && !flow:
		return start, end, "{}", isBegun(before)
	case flow:
		start, end, ok = leaveOutOfFlow(lines, pair, start, end)
		return start, end, "", ok
	case !isBegun(before), pair.Index > 0 && yamltext.KeepsBlankLines(lines, content[pair.Index-1]):
		return 0, 0, "", false
	case behind != "": // a comment, which stays
		return start, from + len(line) - len(behind), "", !strings.Contains(behind, suppressing)
	case strings.Contains(before, "-"): // the first pair of a list's element
		next, _ := yamltext.Extent(lines, content[pair.Index+2])
		if strings.TrimSpace(lines.Text[end:next]) == "" {
			end = next
		}
		return start, end, "", true
	}
	end = len(lines.Text)
	if key.Line < lines.Count() {
		end = lines.In(key.Line+1, 1)
	}
	return from, end, "", true
}

// suppressing occurs in suppression comments, whose target line must not change.
const suppressing = "cupel:ignore"

// isAimedAt reports whether a comment above a line can suppress its findings.
func isAimedAt(lines *place.Lines, number int) bool {
	return number > 1 && strings.Contains(lines.Line(number-1), suppressing)
}

// isBegun reports whether only list dashes precede a pair on its line.
func isBegun(before string) bool {
	return strings.Trim(before, " -") == "" && !strings.Contains(before, "--")
}

// leaveOutOfFlow is LeaveOut for a pair in braces, which also removes a comma.
func leaveOutOfFlow(lines *place.Lines, pair place.Pair, start, end int) (from, to int, ok bool) {
	text, content := lines.Text, pair.In.Content
	if open := lines.In(pair.In.Line, pair.In.Column); text[open] != '{' {
		return 0, 0, false // a pair in a list, without braces
	}
	if pair.Index+2 < len(content) {
		next, _ := yamltext.Extent(lines, content[pair.Index+2])
		return start, next, strings.Trim(text[end:next], " \t\r\n") == ","
	}
	if pair.Index == 0 {
		rest := strings.TrimLeft(text[end:], " \t")
		if strings.HasPrefix(rest, ",") {
			end = len(text) - len(rest) + 1
		}
		return start, end, true
	}
	comma := len(strings.TrimRight(text[:start], " \t\r\n")) - 1
	line := lines.At(comma)
	same := line == lines.At(start) || !strings.Contains(lines.Line(line), "#")
	return comma, end, text[comma] == ',' && same
}

const LeaveOutHint = "leave the key out"

// NothingToCorrelate is the message for an attack.correlation without indicators: a validation rule in one
// revision, a lint rule in the other.
const NothingToCorrelate = "there are no indicators to correlate"
