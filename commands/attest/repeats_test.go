package attestcmd

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"
)

// TestChances compares pass@k and pass^k with counts over all ways to draw k runs.
func TestChances(t *testing.T) {
	for runs := 1; runs <= 9; runs++ {
		for passed := 0; passed <= runs; passed++ {
			for k := 1; k <= runs; k++ {
				draws, all, some := 0.0, 0.0, 0.0
				for set := range uint(1) << runs {
					if bits.OnesCount(set) != k {
						continue
					}
					draws++
					good := bits.OnesCount(set & (1<<passed - 1)) // the first runs pass
					if good == k {
						all++
					}
					if good > 0 {
						some++
					}
				}
				g := &repeats{k: k, known: map[string]*repeated{"c": {results: map[string]*unstable{}}}, order: []string{"c"}}
				for i := range runs {
					g.known["c"].outcomes = append(g.known["c"].outcomes, i < passed)
				}
				g.sumUp()
				c := g.known["c"]
				if math.Abs(c.PassAll-all/draws) > 1e-12 || math.Abs(c.PassAt-some/draws) > 1e-12 {
					t.Fatalf("%d of %d pass, k %d: %v and %v, expected %v and %v", passed, runs, k, c.PassAt, c.PassAll, some/draws, all/draws)
				}
				if flips := 0.0; passed > 0 && passed < runs {
					flips = 1 / float64(runs-1)
					if c.Flips != flips {
						t.Fatalf("%d of %d pass: flip rate %v, expected %v", passed, runs, c.Flips, flips)
					}
				}
			}
		}
	}
}

// TestKappa compares Cohen's kappa with published values and limits.
func TestKappa(t *testing.T) {
	for _, c := range []struct {
		a                agreement
		agreement, kappa float64
	}{
		{agreement{Both: 20, JudgeOnly: 5, HumanOnly: 10, Neither: 15}, 0.7, 0.4}, // Cohen's textbook example
		{agreement{Both: 45, JudgeOnly: 15, HumanOnly: 25, Neither: 15}, 0.6, 0.130434783},
		{agreement{Both: 25, JudgeOnly: 35, HumanOnly: 5, Neither: 35}, 0.6, 0.259259259},
		{agreement{Both: 3, Neither: 4}, 1, 1},
		{agreement{JudgeOnly: 2, HumanOnly: 2}, 0, -1},
	} {
		c.a.sumUp()
		if c.a.Kappa == nil || math.Abs(*c.a.Kappa-c.kappa) > 1e-9 || c.a.Agreement != c.agreement {
			t.Errorf("%+v: kappa %v, expected %v", c.a, c.a.Kappa, c.kappa)
		}
	}
	same := agreement{Both: 5}
	if same.sumUp(); same.Kappa != nil || same.Agreement != 1 {
		t.Errorf("all pass: kappa %v, agreement %v", same.Kappa, same.Agreement)
	}
}

// TestLabels holds the faults of a file of labels.
func TestLabels(t *testing.T) {
	for text, want := range map[string]string{
		"trace,assertion_id,label\na,b,pass\n":           "",
		"label,extra,assertion_id,trace\nfail,x,b,./a\n": "",
		"":                                     "it has no label",
		"trace,assertion_id,label\n":           "it has no label",
		"trace,id,label\na,b,pass\n":           "a column is missing in the first row",
		"trace,assertion_id,label\na,b,good\n": `row 2: the label is "good", expected pass or fail`,
		"trace,assertion_id,label\na,b,pass\na,b,fail\n": "row 3: the same trace and assertion as in row 2",
		"trace,assertion_id,label\na,b\n":                "record on line 2: wrong number of fields",
	} {
		l := calibration{file: "x", labels: map[labelKey]*label{}}
		err := l.parse([]byte(text))
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && !strings.HasPrefix(got, want) {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
}
