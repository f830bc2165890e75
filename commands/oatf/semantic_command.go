package oatfcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/model"
)

// answerTime is the default time limit for an answer of a user's program. Models take seconds.
const answerTime = 30 * time.Second

// mostScore limits the answer of the program, in bytes.
const mostScore = 64 << 10

// semanticFlags returns the flags for a program that scores texts.
func semanticFlags(category string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "semantic-command", Category: category, Usage: "score texts for semantic indicators with the program `CMD` (started once by the shell; one JSON line in, one out; see cupel help oatf)"},
		&cli.DurationFlag{Name: "semantic-timeout", Category: category, Usage: "time limit `TIME` for one score, such as 10s (default: 30s)"},
	}
}

// semanticCommand returns the evaluator for the flags, nil without them. Close it after use.
func semanticCommand(env cmdline.Env, c *cli.Context) (evaluator *commandEvaluator, err error) {
	timeout, err := answerTimeout(c, "semantic")
	if err != nil || c.String("semantic-command") == "" {
		return nil, err
	}
	return &commandEvaluator{newSubprocess(env, c.String("semantic-command"), timeout, mostScore)}, nil
}

// answerTimeout reads --KIND-timeout, which requires --KIND-command.
func answerTimeout(c *cli.Context, kind string) (time.Duration, error) {
	command, flag := kind+"-command", kind+"-timeout"
	switch {
	case c.IsSet(command) && c.String(command) == "":
		return 0, &cmdline.UsageError{Message: fmt.Sprintf("--%s needs a command", command), Hint: "give the flag a shell command"}
	case !c.IsSet(flag):
		return answerTime, nil
	case !c.IsSet(command):
		return 0, &cmdline.UsageError{Message: fmt.Sprintf("--%s needs --%s", flag, command), Hint: fmt.Sprintf("give the time in which the program of --%s must answer", command)}
	case c.Duration(flag) <= 0:
		return 0, &cmdline.UsageError{Message: fmt.Sprintf("--%s must be more than 0", flag), Hint: "write a time such as 10s"}
	}
	return c.Duration(flag), nil
}

type commandEvaluator struct{ *subprocess }

// semanticQuestion is a line for the program. Missing values are null.
type semanticQuestion struct {
	Text        string                     `json:"text"`
	Intent      string                     `json:"intent"`
	IntentClass *model.SemanticIntentClass `json:"intent_class"`
	Threshold   *float64                   `json:"threshold"`
	Examples    *semanticExamples          `json:"examples"`
}

type semanticExamples struct {
	Positive []string `json:"positive"`
	Negative []string `json:"negative"`
}

// Evaluate implements eval.SemanticEvaluator.
func (e *commandEvaluator) Evaluate(ctx context.Context, query eval.SemanticQuery) (float64, error) {
	question := semanticQuestion{Text: query.Text, Intent: query.Intent, IntentClass: query.IntentClass, Threshold: query.Threshold}
	if x := query.Examples; x != nil {
		question.Examples = &semanticExamples{append([]string{}, x.Positive...), append([]string{}, x.Negative...)}
	}
	failed := func(err error) error {
		return &oatf.EvaluationError{Kind: oatf.EvaluationSemanticError, Message: err.Error(), Cause: err}
	}
	line, err := json.Marshal(question)
	if err != nil {
		return 0, failed(err)
	}
	var score float64
	err = e.ask(ctx, line, func(answer []byte) (isAnswer bool, err error) {
		score, isAnswer, err = readScore(answer)
		return isAnswer, err
	})
	if err != nil {
		return 0, failed(err)
	}
	return score, nil
}

// readScore parses {"score":0.7}, {"error":"…"}, or a number.
func readScore(line []byte) (score float64, isAnswer bool, err error) {
	value, err := capture.Decode(line, capture.Limits{LineBytes: mostScore})
	if err != nil {
		return 0, false, noAnswer(line, err)
	}
	if o, ok := value.(oatf.Object); ok {
		if refusal, ok := o.Get("error"); ok {
			return 0, true, refused(refusal)
		}
		value, _ = o.Get("score")
	}
	number, ok := value.(oatf.Number)
	if !ok {
		return 0, false, noAnswer(line, errors.New("the answer has no score"))
	}
	if score = number.Float64(); score >= 0 && score <= 1 {
		return score, true, nil
	}
	return 0, true, fmt.Errorf("the score is %s, expected 0 to 1", say.Preview(string(number), say.Usual))
}

func noAnswer(line []byte, err error) error {
	return fmt.Errorf("the program wrote %s, which is not an answer: %w", say.Quoted(string(line)), err)
}

func refused(refusal oatf.Value) error {
	if text, ok := refusal.(string); ok && text != "" {
		return errors.New(say.Visible(say.Preview(text, mostTold)))
	}
	return errors.New("the answer has an error without a text")
}
