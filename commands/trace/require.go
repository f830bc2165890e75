package tracecmd

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/trace"
)

// reasoningDemands are the flags that only apply to reasoning traces, sessionDemands those that only apply to
// session logs.
var (
	reasoningDemands = []string{"manifest", "check-ids", "plan", "contiguous", "evidence-root"}
	sessionDemands   = []string{"integrity-only", "strict-payload", "expect-count", "expect-head", "hmac-key-file", "key", "after", "sources"}
	otherLogs        = []string{"schema-versions", "accept-aliases", "no-evidence", "canonicalization", "engine", "state"} // not for transcripts
)

// refuse returns an error if a flag with a demand does not apply to an input, because the demand would be ignored
// silently.
func (v *LogVerifier) refuse(r *trace.Report) error {
	flags, of := reasoningDemands, "reasoning traces"
	switch r.Family {
	case trace.Unknown:
		return nil // rejected
	case trace.Reasoning:
		flags, of = sessionDemands, "session logs"
	case trace.Transcript:
		return v.refuseTranscript(r)
	}
	for _, flag := range flags {
		if v.c.IsSet(flag) {
			return &cmdline.Hinted{
				Err:  fmt.Errorf("--%s applies to %s, but %q is %s", flag, of, r.Input, familyName(r)),
				Hint: transcriptHint,
			}
		}
	}
	if v.c.Bool("integrity-only") && r.Integrity == trace.IntegrityAbsent && r.Verdict.Good() {
		return &cmdline.Hinted{Err: fmt.Errorf("--integrity-only checks only hashes, but %q has none", r.Input), Hint: "leave the flag out to check the payloads"}
	}
	return nil
}

// refuseTranscript rejects the flags that do not apply to transcripts.
func (v *LogVerifier) refuseTranscript(r *trace.Report) error {
	for _, flag := range slices.Concat(reasoningDemands, sessionDemands, otherLogs) {
		if v.c.IsSet(flag) && v.c.String(flag) != string(trace.Fast) {
			return &cmdline.Hinted{Err: &trace.TranscriptError{Input: r.Input, Format: r.Format, Flag: flag}, Hint: transcriptHint}
		}
	}
	return nil
}

func familyName(r *trace.Report) string {
	if r.Family == trace.Reasoning {
		return "a reasoning trace"
	}
	return fmt.Sprintf("a session log (%s)", r.Family)
}

// demand reports the demands that an input does not meet. The sessions of a log are checked individually.
func (v *LogVerifier) demand(r *trace.Report) error {
	if len(v.demands) == 0 || r.Verdict == "" {
		return nil
	}
	list := v.demands.Unmet(r.Input, v.met(r))
	if sessions := r.Sessions; sessions != nil {
		list = nil
		r.Sessions = func(yield func(*trace.Report) bool) {
			for s := range sessions {
				unmet(s, v.demands.Unmet(r.Input, v.met(s)))
				if !yield(s) {
					return
				}
			}
		}
		for s := range sessions {
			if n := len(v.demands.Unmet(r.Input, v.met(s))); n > 0 {
				r.Errors += n
				r.Verdict = worse(r.Verdict)
			}
		}
	}
	unmet(r, list)
	if v.live {
		for _, f := range list {
			if err := v.out.Finding(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// unmet adds findings on unmet demands to a report.
func unmet(r *trace.Report, list []finding.Finding) {
	if len(list) == 0 {
		return
	}
	r.Findings, r.Errors, r.Verdict = append(r.Findings, list...), r.Errors+len(list), worse(r.Verdict)
}

// worse returns the verdict of an input that does not meet a demand.
func worse(is trace.Verdict) trace.Verdict {
	switch is {
	case trace.Valid:
		return trace.Invalid
	case trace.Consistent:
		return trace.Inconsistent
	}
	return is
}

// met lists the demands that a log meets.
func (v *LogVerifier) met(r *trace.Report) app.Met {
	pinned := v.c.IsSet("anchor") || v.c.IsSet("expect-sha256") || v.c.IsSet("expect-head") || v.c.IsSet("checkpoint")
	chain := r.Integrity == trace.IntegrityValid
	return app.Met{
		Chain: chain, Seal: r.Sealed && r.Integrity != trace.IntegrityAbsent, Anchor: pinned,
		End:       r.Finished || pinned && !v.c.IsSet("growing") || r.Family == trace.Reasoning && v.c.Bool("manifest"),
		Signature: r.Signatures != nil && r.Signatures.Ed25519 == trace.SignatureValid,
		Class:     string(r.EvidenceClass), Family: string(r.Family), Format: cmp.Or(r.Format, string(r.Family)),
		Hints: map[string]string{
			"anchor": "--anchor, --expect-head or --expect-sha256 names a value that was kept elsewhere",
			"end":    "a log that was cut at the end looks like this: ask the writer for the whole log",
		},
	}
}
