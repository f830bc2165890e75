package reference

import (
	"context"
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/trace/internal/naive"
	"github.com/cupel-dev/cupel/trace/internal/second"
)

// Judge applies the naive rules to a whole log.
func (Engine) Judge(ctx context.Context, q second.Question) (second.Answer, error) {
	limits := naive.Limits{LineBytes: q.LineBytes, Depth: q.Depth, Keys: q.Keys}
	answer, err := naive.Session(q.Log, naive.Options{
		Limits: limits, Expected: expected(q.Expected),
		IntegrityOnly: q.Session.IntegrityOnly, StrictPayload: q.Session.StrictPayload, Canonicalization: q.Session.Canonicalization, HMACKey: q.Session.HMACKey, TrustedKeys: q.Session.TrustedKeys,
	})
	if !errors.Is(err, naive.ErrFamily) {
		return said(answer, naive.SessionRules), err
	}
	r := &q.Reasoning
	answer, err = naive.Reasoning(ctx, naive.Run{
		Trace: q.Log, Plan: r.Plan, Folder: r.Run, Evidence: r.Evidence, Limits: limits, Expected: expected(q.Expected),
		Versions: r.Versions, Strict: r.Strict, Contiguous: r.Contiguous, Aliases: r.Aliases, CheckIDs: r.CheckIDs, Manifest: r.Manifest,
	})
	switch {
	case errors.Is(err, naive.ErrLarge):
		return second.Answer{Unable: fmt.Sprintf("the manifest has more than %d bytes", naive.Largest)}, nil
	case errors.Is(err, naive.ErrNoTrace):
		return verdict(said(naive.Unknown(q.Log, limits), naive.UnknownRules)), nil
	case err != nil:
		return second.Answer{}, err
	}
	return verdict(said(answer, naive.ReasoningRules)), nil
}

func expected(e second.Expected) naive.Expected {
	out := naive.Expected{SHA256: e.SHA256, Count: e.Count, Head: e.Head}
	if e.Prefix != nil {
		prefix := naive.Prefix(*e.Prefix)
		out.Prefix = &prefix
	}
	return out
}

// said converts the naive checker's answer to the engine's.
func said(a naive.Answer, rules []string) second.Answer {
	out := second.Answer{Family: a.Family, Integrity: a.Integrity, Class: a.Class, Rules: rules}
	for _, s := range a.Statements {
		out.Statements = append(out.Statements, second.Statement(s))
	}
	return out
}

// verdict returns the verdict for an integrity, if all rules are judged.
func verdict(a second.Answer) second.Answer {
	a.Verdict = a.Integrity
	if a.Family == "reasoning" {
		a.Integrity = ""
	}
	return a
}
