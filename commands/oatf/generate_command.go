package oatfcmd

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/model"
)

// mostGenerated limits the answer of the program, in bytes.
const mostGenerated = 4 << 20

// generateFlags returns the flags for a program that generates responses.
func generateFlags(category string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "generate-command", Category: category, Usage: "generate the responses of synthesize blocks with the program `CMD` (started once by the shell; one JSON line in, one out; see cupel help oatf)"},
		&cli.DurationFlag{Name: "generate-timeout", Category: category, Usage: "time limit `TIME` for one response, such as 2m (default: 30s)"},
	}
}

// generateCommand returns the provider for the flags, nil without them. Close it after use.
func generateCommand(env cmdline.Env, c *cli.Context) (provider *commandProvider, err error) {
	timeout, err := answerTimeout(c, "generate")
	if err != nil || c.String("generate-command") == "" {
		return nil, err
	}
	return &commandProvider{newSubprocess(env, c.String("generate-command"), timeout, mostGenerated)}, nil
}

type commandProvider struct{ *subprocess }

type generateQuestion struct {
	Prompt   string          `json:"prompt"`
	Protocol oatf.Protocol   `json:"protocol"`
	Context  json.RawMessage `json:"context"`
}

// Generate implements eval.GenerationProvider.
func (p *commandProvider) Generate(ctx context.Context, prompt string, protocol oatf.Protocol, responseContext oatf.Value) (oatf.Value, error) {
	line, err := json.Marshal(generateQuestion{prompt, protocol, oatf.AppendJSON(nil, responseContext)})
	if err != nil {
		return nil, generationError(model.GenerationModelError, err)
	}
	var value oatf.Value
	err = p.ask(ctx, line, func(answer []byte) (isAnswer bool, err error) {
		value, isAnswer, err = readGenerated(answer)
		return isAnswer, err
	})
	var known *model.GenerationError
	switch {
	case err == nil, errors.As(err, &known):
		return value, err
	case errors.Is(err, errSlow):
		return nil, generationError(model.GenerationTimeout, err)
	}
	return nil, generationError(model.GenerationModelError, err)
}

func generationError(kind model.GenerationErrorKind, err error) error {
	return &model.GenerationError{Kind: kind, Message: err.Error(), Cause: err}
}

// generationKinds are the kinds of errors that a program can return.
var generationKinds = []model.GenerationErrorKind{model.GenerationModelError, model.GenerationContentPolicy, model.GenerationTimeout, model.GenerationProviderUnavailable}

// readGenerated parses {"value":…}, or {"error":"…","kind":"content_policy"}.
func readGenerated(line []byte) (value oatf.Value, isAnswer bool, err error) {
	decoded, err := capture.Decode(line, capture.Limits{LineBytes: mostGenerated})
	if err != nil {
		return nil, false, noAnswer(line, err)
	}
	o, _ := decoded.(oatf.Object)
	if refusal, ok := o.Get("error"); ok {
		return nil, true, generationError(refusedKind(o), refused(refusal))
	}
	value, ok := o.Get("value")
	if !ok {
		return nil, false, noAnswer(line, errors.New("the answer has no value"))
	}
	return value, true, nil
}

func refusedKind(o oatf.Object) model.GenerationErrorKind {
	given, _ := o.Get("kind")
	text, _ := given.(string)
	if kind := model.GenerationErrorKind(text); slices.Contains(generationKinds, kind) {
		return kind
	}
	return model.GenerationModelError
}
