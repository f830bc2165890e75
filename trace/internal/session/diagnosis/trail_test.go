package diagnosis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/session/diagnosis"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// walked verifies a text in blocks of a size and returns its trail and family; nil if the trail does not cover the
// log.
func walked(t *rapid.T, text string, block int) (trail *session.Trail, family string) {
	limits := stream.Limits{}.WithDefaults()
	findings := stream.NewFindings(limits.Findings)
	runner := &stream.Runner{Findings: findings, Limits: limits, Inline: true}
	runner.Detect = func(_ stream.Line, root strictjson.Node) stream.Checker {
		opt := session.Options{}
		if family = families(root); family == "" {
			family = session.Bare
		} else {
			trail = session.NewTrail(limits.IDs)
			opt.Trail = trail
		}
		checker, err := session.New(findings, limits, family, root, opt)
		if err != nil {
			t.Fatal(err)
		}
		return checker
	}
	records := stream.Records(strings.NewReader(text), limits, block)
	if err := runner.Run(t.Context(), records); err != nil {
		t.Fatal(err)
	}
	if records.IsArray() || !trail.Tells(runner.Counts.Readable+runner.Counts.Unreadable) {
		return nil, ""
	}
	return trail, family
}

// ofIntact are the plants that only an intact log can have.
var ofIntact = []string{"new session", "interleaved", "upper case", "Windows-1252"}

// TestTrail: a log has the same story from its trail, which has only some lines read, as from all of its lines.
func TestTrail(t *testing.T) {
	told := 0
	rapid.Check(t, func(t *rapid.T) {
		lines := log(rapid.SampledFrom(chained).Draw(t, "family"), "5e551017", rapid.IntRange(12, 60).Draw(t, "events"))
		whole := text(lines)
		for n := range rapid.IntRange(0, 3).Draw(t, "damages") {
			if lines = strings.Split(strings.TrimSuffix(whole, "\n"), "\n"); len(lines) < 12 {
				break
			}
			p, i := rapid.SampledFrom(plants).Draw(t, "plant"), rapid.IntRange(1, len(lines)-5).Draw(t, "place")
			if len(lines[i]) < 100 || n > 0 && slices.Contains(ofIntact, p.name) {
				continue
			}
			whole = p.do(lines, i)
			if rapid.Bool().Draw(t, "blank line") {
				whole = strings.Replace(whole, "\n", "\n\n", 1)
			}
		}
		if rapid.Bool().Draw(t, "no line end") {
			whole = strings.TrimSuffix(whole, "\n")
		}
		trail, family := walked(t, whole, rapid.SampledFrom([]int{0, 1, 1000, 3000}).Draw(t, "block"))
		if trail == nil {
			return
		}
		told++
		got, ok := diagnosis.Of(section(whole), diagnosis.Options{Family: families, Trail: trail, Chain: family})
		want := diagnose(whole)
		if !ok || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Fatalf("%s\n%+v\nfrom all lines:\n%+v", whole, got, want)
		}
	})
	if told == 0 {
		t.Error("no trail told all of a log")
	}
}

// TestTrailOfAnother: a trail whose lines are not in the text any more gives no story.
func TestTrailOfAnother(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := log("session-v1", "5e551017", 12)
		lines[9] = "no event"
		trail, family := walked(t, text(lines), 0)
		short := text(lines[:rapid.IntRange(0, 8).Draw(t, "left")])
		opt := diagnosis.Options{Family: families, Trail: trail, Chain: family}
		if story, ok := diagnosis.Of(section(short), opt); ok {
			t.Fatalf("%+v", story)
		}
	})
}
