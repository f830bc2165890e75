package trace

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/session/diagnosis"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// exchanged notes evidence files that have each other's bytes, or those of one that is damaged itself.
func exchanged(findings []Finding) {
	recorded := map[string]int{} // finding of the file with each expected digest, plus 1
	for i, f := range findings {
		if f.Rule == "hash.evidence" {
			recorded[f.Expected] = i + 1
		}
	}
	for i := range findings {
		f := &findings[i]
		at := recorded[f.Found] - 1
		switch {
		case f.Rule != "hash.evidence" || at < 0 || at == i:
		case findings[at].Found == f.Expected:
			f.Notes = []string{fmt.Sprintf("the file was swapped with that of the evidence on line %d: each has the other's bytes", findings[at].Line)}
		default:
			f.Notes = []string{fmt.Sprintf("the file has the bytes of the evidence on line %d", findings[at].Line)}
		}
	}
}

// diagnose adds the causes of a failed log's damage. A wrapped log gets one finding, because the
// others concern the wrappers.
func diagnose(in *input, o *Options, limits stream.Limits, r *Report, short []stream.Damage) {
	switch {
	case in == nil, r.Verdict == Valid, r.Verdict == "":
		return
	case r.Family != Unknown && !linked(r.Family), r.Integrity == IntegrityValid:
		return
	}
	text, ok := in.whole()
	if !ok {
		r.NotCovered = append(r.NotCovered, fmt.Sprintf("the causes of damage: they are only looked for in logs of at most %d MiB", MaxDiagnosisBytes>>20))
		return
	}
	opt := diagnosis.Options{
		Family: func(record strictjson.Node) string { return string(familyOf(record)) }, Limits: limits,
		Session: session.Options{Canonicalization: o.Session.Canonicalization},
	}
	if o.After != nil {
		opt.After = o.After.Head
	}
	story, ok := diagnosis.Of(text, opt)
	if !ok {
		return
	}
	r.Damage = damages(slices.Concat(story.Damage, short))
	if w := story.Wrap; w != nil {
		f := rules[logWrapped].New("the log is wrapped by " + w.Name)
		f.File, f.Line, f.Help = r.Input, w.Line, w.Help
		r.Findings, r.Errors, r.Warnings, r.Infos, r.Omitted = []Finding{f}, 1, 0, 0, 0
		r.Verdict, r.Integrity, r.EvidenceClass = Rejected, IntegrityRejected, ""
	}
}
