package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/attest/internal/drift"
	"github.com/cupel-dev/cupel/attest/internal/judge"
	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/budget"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// defaultGrade is the default threshold of a judge (§4, layer 6).
const defaultGrade = 0.7

// judgeCheck asks a model to grade a text by a rubric (layer 6).
type judgeCheck struct {
	judge     judge.Judge
	panel     judge.Panel // several judges in place of one; zero: one
	target    target.Target
	threshold threshold
	prompts   *budget.Budget
}

func compileJudge(s *spec) Check {
	if s.resources.Judge == nil {
		return unavailable{"no judge provider is configured (capability layers_5_6)", noJudge}
	}
	c := &judgeCheck{
		judge: judge.Judge{
			Chat: s.resources.Judge, Delimiter: s.resources.Delimiter,
			Model: s.text("model"), Prompt: s.text("prompt"), Criteria: s.text("criteria"), Samples: readSamples(s),
		},
		threshold: readThreshold(s, defaultGrade), prompts: s.resources.prompts,
	}
	c.panel = readPanel(s)
	c.judge.Rubric = readRubric(s, c.judge.Prompt)
	if s.node.Last("target").Missing() {
		c.target, _ = target.Parse("output.message")
	} else {
		c.target = s.target("target")
	}
	return c
}

func (c *judgeCheck) dynamic() bool { return c.threshold.dynamic }

func (c *judgeCheck) against(past drift.Stats) Check {
	own := *c
	own.threshold = c.threshold.against(past)
	return &own
}

// maxJudges limits the models of a panel.
const maxJudges = 7

// readPanel reads the members "models" and "combine", which several judges need.
func readPanel(s *spec) (p judge.Panel) {
	n, combine := s.node.Last("models"), s.node.Last("combine")
	if n.Missing() {
		if !combine.Missing() {
			s.fail(combine, "Name the judges in models.", "combine has no effect without models")
		}
		return p
	}
	p.Models = s.needTexts("models")
	if !combine.Missing() {
		p.Mean = s.choose("combine", "value of combine", []string{"majority", "mean"}) == "mean"
	}
	sorted := slices.Sorted(slices.Values(p.Models))
	switch {
	case len(p.Models) < 2 || len(p.Models) > maxJudges || len(slices.Compact(sorted)) < len(p.Models):
		s.fail(n, "Name each model once; a single judge is named by model.", "models must name 2 to %d different models", maxJudges)
	case !s.node.Last("model").Missing():
		s.fail(s.node.Last("model"), "Leave out model.", "model and models exclude each other")
	}
	return p
}

// readRubric reads the member "rubric", which is optional if there is a prompt.
func readRubric(s *spec, prompt string) judge.Rubric {
	text := s.text("rubric")
	if text == "" {
		if prompt == "" {
			s.fail(s.node.Last("rubric"), fmt.Sprintf("Add \"rubric\" (one of %s, or your own text) or \"prompt\" to the assertion's spec.",
				strings.Join(judge.Names(), ", ")), "rubric or prompt is required")
		}
		return judge.OfPrompt()
	}
	r, ok := judge.Find(text)
	if !ok {
		s.unknown(s.node.Last("rubric"), "rubric", text,
			fmt.Sprintf("Use one of %s, or write what to judge by in several words.", strings.Join(judge.Names(), ", ")), judge.Names())
	}
	return r
}

// Number of samples: the maximum, and the default for "meta_eval".
const (
	maxSamples  = 15
	metaSamples = 3
)

func readSamples(s *spec) int {
	meta := s.flag("meta_eval")
	n, given := s.member("samples", strictjson.Number)
	if !given {
		if meta {
			return metaSamples
		}
		return 1
	}
	v, ok := n.Int()
	if !ok || v < 1 || v > maxSamples {
		s.fail(n, fmt.Sprintf("Use a whole number from 1 to %d.", maxSamples), "samples must be a whole number from 1 to %d, got %s", maxSamples, wording.Preview(string(n.Raw())))
	}
	return int(v)
}

func (c *judgeCheck) evaluate(ctx context.Context, s *Subject) Verdict { return asked(ctx, c, s) }

func (c *judgeCheck) question(s *Subject) (q *Question, known Verdict) {
	output, n, refusal := s.targetText(&c.target)
	if refusal != nil {
		return nil, *refusal
	}
	texts := judge.Texts{Output: output}
	var ok bool
	if texts.Input, ok = s.inputText(); ok && c.judge.Rubric.Context {
		if texts.Retrieved, ok = s.retrievedTexts(); ok && len(texts.Retrieved) == 0 {
			return nil, broken("Not evaluated: the rubric "+wording.Quote(c.judge.Rubric.Name)+" judges by retrieved context, and no retrieval step of the trace has a result.").
				because(nothingRetrieved, "", "")
		}
	}
	if !ok {
		return nil, tooMuch()
	}
	return &Question{Node: n, Ask: func(ctx context.Context) Verdict { return c.ask(ctx, texts) }}, Verdict{}
}

// promptCopies is the number of copies of a prompt in memory during a request: texts, messages, request body.
const promptCopies = 4

func (c *judgeCheck) ask(ctx context.Context, texts judge.Texts) Verdict {
	drawn, err := c.prompts.Draw(ctx, int64(promptCopies*texts.Size()))
	if err != nil {
		return Verdict{outcome: unanswerable, Err: err}
	}
	defer c.prompts.GiveBack(drawn)
	grade, err := c.judge.AskPanel(ctx, c.panel, texts)
	switch {
	case errors.Is(err, judge.ErrDelimiter):
		return broken("Not evaluated: "+err.Error()+".").because(delimiterKnown, "", "")
	case err != nil:
		return Verdict{outcome: unanswerable, Cost: grade.Cost, Err: fmt.Errorf("judge provider: %w", err)}
	}
	return c.verdict(grade)
}

func (c *judgeCheck) verdict(g judge.Grade) Verdict {
	r := c.threshold.judge(g.Score)
	model := g.Model
	if model == "" {
		model = c.judge.Model
	}
	v := Verdict{
		outcome: r.outcome, Score: g.Score, Cost: g.Cost, ThresholdSource: r.source,
		Explanation: sentence(g.Reason) + "Score " + decimals(g.Score) + " " + r.sentence + "." + c.agreement(g),
		Judge: &JudgeMetadata{
			Model: model, RubricName: c.judge.Rubric.Name, RubricVersion: c.judge.Rubric.Version, PromptHash: g.PromptHash,
			SampleScores: g.Scores, ScoreMean: g.Mean, ScoreStddev: g.Stddev, HighVariance: g.HighVariance(),
		},
	}
	if r.outcome != held {
		v = v.because(graded, decimals(c.threshold.value), decimals(g.Score))
	}
	return v
}

// sentence formats a reason as the first of several sentences.
func sentence(reason string) string {
	if reason == "" {
		return ""
	}
	if last, _ := utf8.DecodeLastRuneInString(reason); unicode.IsLetter(last) || unicode.IsDigit(last) {
		reason += "."
	}
	return reason + " "
}

// votes lists the scores of several judges, and how many of them pass.
func (c *judgeCheck) votes(g judge.Grade) string {
	var list []string
	passing := 0
	for i, score := range g.Scores {
		list = append(list, fmt.Sprintf("%s %s", c.panel.Models[i], decimals(score)))
		if c.threshold.judge(score).outcome == held {
			passing++
		}
	}
	rule := "the majority counts"
	if c.panel.Mean {
		rule = "the mean counts"
	}
	return fmt.Sprintf(" Judges: %s; %d of %d pass, %s.", strings.Join(list, ", "), passing, len(list), rule)
}

// agreement describes how far several samples agree.
func (c *judgeCheck) agreement(g judge.Grade) string {
	if len(g.Scores) == 1 {
		return ""
	}
	if len(c.panel.Models) > 0 {
		return c.votes(g)
	}
	low, high := slices.Min(g.Scores), slices.Max(g.Scores)
	text := fmt.Sprintf(" Median of %d samples from %s to %s", len(g.Scores), decimals(low), decimals(high))
	if c.threshold.judge(low).outcome != c.threshold.judge(high).outcome {
		text += ", on both sides of the threshold: within noise"
	}
	return text + "."
}
