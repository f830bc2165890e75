package attest

import (
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// Details holds the fields of a result other than its explanation. Empty fields are omitted. The protocol sends
// them with judge results and results that do not pass. Long answers omit them.
type Details struct {
	Type            AssertionType  // of the assertion
	Layer           int            // 1 to 6 for the layers of §4, 7 for trace trees, 8 for plugins; for display
	Expected        string         // short form of the requirement; at most 200 code points, like the next two
	Actual          string         // actual value in the trace
	SuggestedAction string         // suggested fix, as a sentence
	ThresholdSource string         // of a compared score: spec, default or dynamic
	Metadata        string         // of a plugin: JSON object of at most MaxMetadata bytes; also in passing results
	MetadataOmitted int            // number of omitted metadata members
	Judge           *JudgeMetadata // nil without a judge
}

// JudgeMetadata describes a judge's verdict.
type JudgeMetadata struct {
	Model         string // that answered, as it calls itself
	RubricName    string
	RubricVersion string
	PromptHash    string    // the first 16 hex digits of the SHA-256 of the prompt
	SampleScores  []float64 // in request order
	ScoreMean     float64
	ScoreStddev   float64
	HighVariance  bool
}

func newDetails(k check.Kind, v check.Verdict) Details {
	d := Details{
		Type: AssertionType(k.Type), Layer: k.Layer,
		Expected: v.Expected, Actual: v.Actual, SuggestedAction: v.SuggestedAction,
		ThresholdSource: v.ThresholdSource, Judge: (*JudgeMetadata)(v.Judge),
	}
	if v.Plugin != nil {
		d.Metadata, d.MetadataOmitted = v.Plugin.Metadata, v.Plugin.Omitted
	}
	return d
}

// appendDetails appends the members that passing results omit, unless a judge decided.
func (r *Result) appendDetails(dst []byte) []byte {
	if r.Metadata != "" {
		dst = append(append(dst, `,"metadata":`...), r.Metadata...)
	}
	if r.MetadataOmitted > 0 {
		dst = strconv.AppendInt(append(dst, `,"metadata_omitted":`...), int64(r.MetadataOmitted), 10)
	}
	if r.Status == Pass && r.Judge == nil {
		return dst
	}
	text := func(key, value string) {
		if value != "" {
			dst = append(append(append(dst, `,"`...), key...), `":`...)
			dst = wording.AppendQuoted(dst, value)
		}
	}
	text("type", string(r.Type))
	if r.Layer > 0 {
		dst = strconv.AppendInt(append(dst, `,"layer":`...), int64(r.Layer), 10)
	}
	if r.Status != Pass {
		text("trace_node_path", r.Pointer)
	}
	text("expected", r.Expected)
	text("actual", r.Actual)
	text("suggested_action", r.SuggestedAction)
	text("threshold_source", r.ThresholdSource)
	if r.Judge != nil {
		dst = r.Judge.appendJSON(append(dst, `,"judge_metadata":`...))
	}
	return dst
}

func (m *JudgeMetadata) appendJSON(dst []byte) []byte {
	dst = wording.AppendQuoted(append(dst, `{"model":`...), m.Model)
	dst = wording.AppendQuoted(append(dst, `,"rubric_name":`...), m.RubricName)
	dst = wording.AppendQuoted(append(dst, `,"rubric_version":`...), m.RubricVersion)
	dst = wording.AppendQuoted(append(dst, `,"prompt_hash":`...), m.PromptHash)
	dst = append(dst, `,"sample_scores":[`...)
	for i, score := range m.SampleScores {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendFloat(dst, score)
	}
	dst = appendFloat(append(dst, `],"score_mean":`...), m.ScoreMean)
	dst = appendFloat(append(dst, `,"score_stddev":`...), m.ScoreStddev)
	return append(strconv.AppendBool(append(dst, `,"high_variance":`...), m.HighVariance), '}')
}

// shortenings remove parts of a long answer, in this order, before explanations are shortened.
var shortenings = []func(*Result){
	func(r *Result) {
		r.Pointer = ""
		r.Details = Details{Type: r.Type, Layer: r.Layer, ThresholdSource: r.ThresholdSource}
	},
	func(r *Result) { r.Details = Details{} },
}

func hasDetails(results []Result) bool {
	return slices.ContainsFunc(results, func(r Result) bool {
		return r.Status != Pass || r.Judge != nil || r.Metadata != "" || r.MetadataOmitted > 0
	})
}
