package provider

import (
	"context"
	"time"

	"github.com/cupel-dev/cupel/attest/model"
)

// call makes a call within the rate and concurrency limits, and logs it.
func (s *service) call(ctx context.Context, x *exchange, name string, do func(context.Context) error) error {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	start := time.Now()
	err := do(x.in(ctx))
	outcome := "answered"
	if err != nil {
		outcome = s.heard(err.Error())
	}
	s.opt.Logger.Debug("call of a model", "provider", s.name, "model", clip(name), "attempts", x.attempts,
		"duration_ms", time.Since(start).Milliseconds(), "outcome", outcome)
	return err
}

// spent returns the usage of a failed call and logs it.
func (s *service) spent(u model.Usage, asked, answered string) model.Usage {
	if u.InputTokens <= 0 && u.OutputTokens <= 0 {
		return model.Usage{}
	}
	u = s.prices.of(u, asked, answered)
	s.opt.Logger.Warn("a model call was paid for but gave no result", "provider", s.name, "model", clip(asked),
		"input_tokens", u.InputTokens, "output_tokens", u.OutputTokens, "cost", u.Cost)
	return u
}
