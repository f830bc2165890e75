package judge

import (
	"context"
	"math"
	"slices"
	"strings"
)

// Panel is a group of judges in place of one.
type Panel struct {
	Models []string
	Mean   bool // the mean of their scores counts; otherwise the majority
}

// AskPanel asks every judge of a panel concurrently and combines their grades. An empty panel is the judge alone. The
// Grade includes the cost even with an error, which is that of the first judge without a grade.
//
// The majority reaches a threshold exactly if the combined score does: it is the lower median, which more than half of
// the scores reach.
func (j *Judge) AskPanel(ctx context.Context, p Panel, texts Texts) (Grade, error) {
	if len(p.Models) == 0 {
		return j.Ask(ctx, texts)
	}
	grades, errs := make([]Grade, len(p.Models)), make([]error, len(p.Models))
	together(len(p.Models), func(i int) {
		own := *j
		own.Model = p.Models[i]
		grades[i], errs[i] = own.Ask(ctx, texts)
	})
	whole := Grade{Model: strings.Join(p.Models, ", ")}
	var failed error
	for i, g := range grades {
		whole.Cost += g.Cost
		whole.Scores = append(whole.Scores, g.Score)
		whole.PromptHash = g.PromptHash
		if failed == nil {
			failed = errs[i]
		}
	}
	whole.Cost = math.Round(whole.Cost*1e12) / 1e12
	if failed != nil {
		return Grade{Cost: whole.Cost}, failed
	}
	whole.Mean, whole.Stddev = deviation(whole.Scores)
	sorted := slices.Sorted(slices.Values(whole.Scores))
	whole.Score = sorted[(len(sorted)-1)/2]
	if p.Mean {
		whole.Score = whole.Mean
	}
	speaker := grades[0]
	for _, g := range grades[1:] {
		if math.Abs(g.Score-whole.Score) < math.Abs(speaker.Score-whole.Score) {
			speaker = g
		}
	}
	whole.Reason = speaker.Reason
	return whole, nil
}
