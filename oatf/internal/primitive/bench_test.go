package primitive

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/model"
)

// The benchmarks measure an operator and what the standard library takes for the same text
// in one run, and give the ratio: a string operator may take 3 times, a regular expression
// 1.2 times as long.

// kilobyte is a text of 1 KB with what is looked for at its end, or nowhere.
var kilobyte = strings.Repeat("the quick brown fox jumps over the dog; ", 25) + "needle"

func BenchmarkStringOperators(b *testing.B) {
	for _, operand := range []string{"needle", "missing"} {
		for _, o := range []model.MatchCondition{{Contains: &operand}, {StartsWith: &operand}, {EndsWith: &operand}} {
			condition, _ := CompileCondition(revision.All[0], &model.Condition{Operators: &o})
			b.Run(condition.tests[0].operator+" "+operand, func(b *testing.B) {
				ratio(b, &o, func() bool { return strings.Contains(kilobyte, operand) })
			})
		}
	}
}

func BenchmarkRegex(b *testing.B) {
	for _, expression := range []string{"needle", "(?i)NEEDLE$", "[0-9]{3}-[0-9]+", "jumps.*(dog|cat).*needle"} {
		regex := regexp.MustCompile(expression)
		b.Run(expression, func(b *testing.B) {
			ratio(b, &model.MatchCondition{Regex: &expression}, func() bool { return regex.MatchString(kilobyte) })
		})
	}
}

var matches int // keeps what is measured

// ratio measures a condition on a kilobyte and a floor, alternately, and reports the ratio of their times.
func ratio(b *testing.B, o *model.MatchCondition, floor func() bool) {
	condition, err := CompileCondition(revision.All[0], &model.Condition{Operators: o})
	if err != nil {
		b.Fatal(err)
	}
	var text model.Value = kilobyte
	best := [2]time.Duration{math.MaxInt64, math.MaxInt64}
	for b.Loop() {
		for i, do := range []func() bool{func() bool { return condition.Match(text) }, floor} {
			begin := time.Now()
			for range 100 {
				count(do())
			}
			best[i] = min(best[i], time.Since(begin))
		}
	}
	b.ReportMetric(float64(best[0])/float64(best[1]), "x-floor")
}

func count(matched bool) {
	if matched {
		matches++
	}
}

func BenchmarkWildcardPath(b *testing.B) {
	var tools []model.Value
	for i := range 100 {
		tools = append(tools, model.Object{{Key: "name", Value: fmt.Sprint(i)}, {Key: "description", Value: "text"}})
	}
	path, err := CompilePath("tools[*].description")
	if err != nil {
		b.Fatal(err)
	}
	message := model.Object{{Key: "tools", Value: tools}}
	b.ReportAllocs()
	for b.Loop() {
		path.Each(message, func(model.Value, *Trail) bool { matches++; return true })
	}
}
