package judge

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cupel-dev/cupel/attest/model"
)

// scoresByModel answers with the score of each model, in thousandths; a negative score is an error.
type scoresByModel map[string]int

func (s scoresByModel) Chat(_ context.Context, r model.ChatRequest) (model.ChatReply, error) {
	score := s[r.Model]
	reply := model.ChatReply{Model: r.Model, Usage: model.Usage{Cost: 0.001}}
	if score < 0 {
		return reply, errors.New("down")
	}
	reply.Text = fmt.Sprintf(`{"score": %d.%03d, "reason": %q}`, score/1000, score%1000, r.Model)
	return reply, nil
}

// TestPanel holds that the majority and the mean decide, whatever the order of the judges.
func TestPanel(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		scores, names := scoresByModel{}, []string{}
		for i := range 2 + random.IntN(6) {
			name := fmt.Sprint("m", i)
			names = append(names, name)
			scores[name] = random.IntN(11) * 100
		}
		threshold, passing, sum := random.IntN(11)*100, 0, 0
		for _, score := range scores {
			sum += score
			if score >= threshold {
				passing++
			}
		}
		random.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
		j := Judge{Chat: scores, Rubric: OfPrompt(), Delimiter: Derived}
		for _, mean := range []bool{false, true} {
			g, err := j.AskPanel(t.Context(), Panel{names, mean}, Texts{Output: "x"})
			if err != nil {
				t.Fatal(err)
			}
			want := 2*passing > len(names)
			if mean {
				want = sum >= threshold*len(names)
			}
			if got := g.Score >= float64(threshold)/1000; got != want || len(g.Scores) != len(names) {
				t.Fatalf("%v, mean %v, threshold %d: %+v, expected %v", scores, mean, threshold, g, want)
			}
			if cost := 0.001 * float64(len(names)); g.Cost-cost > 1e-12 || cost-g.Cost > 1e-12 {
				t.Fatalf("cost %v of %d judges", g.Cost, len(names))
			}
		}
	}
}

// TestPanelFails holds that a judge without a grade fails the panel, with the cost of all.
func TestPanelFails(t *testing.T) {
	j := Judge{Chat: scoresByModel{"a": 900, "b": -1, "c": 800}, Rubric: OfPrompt(), Delimiter: Derived}
	g, err := j.AskPanel(t.Context(), Panel{Models: []string{"a", "b", "c"}}, Texts{Output: "x"})
	if err == nil || g.Cost != 0.003 || g.Score != 0 {
		t.Errorf("%+v, %v", g, err)
	}
}
