package check

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/drift"
	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/model"
)

// defaultGrade is the threshold of a judge without one (§4, layer 6).
const defaultGrade = 0.7

// judgeCheck asks a model how well a text meets a rubric (layer 6).
type judgeCheck struct {
	chat         model.Chat
	model        string // "": the default
	target       target.Target
	instructions string
	threshold    threshold
}

func compileJudge(s *spec) Check {
	if s.resources.Judge == nil {
		return unavailable{"no judge provider is configured (capability layers_5_6)", noJudge}
	}
	c := &judgeCheck{chat: s.resources.Judge, model: s.text("model"), threshold: s.threshold(defaultGrade)}
	if s.node.Last("target").Missing() {
		c.target, _ = target.Parse("output.message")
	} else {
		c.target = s.target("target")
	}
	c.instructions = strings.TrimSpace(s.text("prompt") + " " + s.text("rubric") + " " + s.text("criteria"))
	return c
}

func (c *judgeCheck) dynamic() bool { return c.threshold.dynamic }

func (c *judgeCheck) against(past drift.Stats) Check {
	own := *c
	own.threshold = c.threshold.against(past)
	return &own
}

func (c *judgeCheck) evaluate(ctx context.Context, s *Subject) Verdict { return asked(ctx, c, s) }

// question implements slowCheck.
func (c *judgeCheck) question(s *Subject) (q *Question, known Verdict) {
	text, n, m := s.text(&c.target)
	if m != nil {
		return nil, notThere(m)
	}
	return &Question{Node: n, Ask: func(ctx context.Context) Verdict { return c.ask(ctx, text) }}, Verdict{}
}

// ask has a text judged.
func (c *judgeCheck) ask(ctx context.Context, text string) Verdict {
	reply, err := c.chat.Chat(ctx, model.ChatRequest{Model: c.model, JSON: true, Messages: []model.Message{
		{Role: "system", Content: `Judge the text. Answer with {"score": 0.0 to 1.0, "reason": "…"}. ` + c.instructions},
		{Role: "user", Content: text},
	}})
	var said struct {
		Score  *float64
		Reason string
	}
	if err == nil {
		if err = json.Unmarshal([]byte(reply.Text), &said); err == nil && (said.Score == nil || !(*said.Score >= 0 && *said.Score <= 1)) {
			err = fmt.Errorf("the reply has no score from 0.0 to 1.0")
		}
	}
	if err != nil {
		return Verdict{outcome: unanswerable, Cost: reply.Usage.Cost, Err: fmt.Errorf("judge provider: %w", err)}
	}
	r := c.threshold.judge(*said.Score)
	return Verdict{
		outcome: r.outcome, Score: *said.Score, Cost: reply.Usage.Cost, ThresholdSource: r.source,
		Explanation: strings.TrimSpace(said.Reason + " Score " + decimals(*said.Score) + " " + r.sentence + "."),
	}
}
