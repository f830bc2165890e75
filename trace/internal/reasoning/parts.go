package reasoning

import (
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/evidence"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/plan"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// part checks one aspect of a trace, with private state. It receives events without structural faults in file
// order, unless the trace is rejected.
type part interface {
	Take(e *format.Event)
	// Finish runs the final checks. It returns a read error or ctx's.
	Finish() error
}

// remembers is a part that stores ids, which count towards a limit.
type remembers interface{ IDs() int }

type parts struct {
	plan     *plan.Plan // nil if missing or unusable
	planID   planID
	head     head
	additive *additive
	evidence *evidence.Part
	traceID  *traceID
	manifest *manifest

	all       []part // in checking order
	remembers []remembers
}

// newParts reads the companions of a trace and returns its parts, continuing from a state.
func newParts(readers *folder.Readers, files *evidence.Reader, opt *Options, limits stream.Limits, sink *fault.Sink, s *Snapshot) (*parts, error) {
	planned, err := readPlan(opt, limits, sink, s.Started)
	if err != nil {
		return nil, err
	}
	p := &parts{plan: planned}
	p.planID = planID{sink, p.plan}
	p.head = head{sink, s.Shape.Wrapped, opt.Strict, &s.Head}
	p.additive = newAdditive(sink, limits.IDs, &s.Additive)

	p.manifest = &manifest{
		sink: sink, run: opt.Run, readers: readers, demand: opt.Manifest, max: limits.Findings, keys: s.Keys, input: opt.Input,
		state: &s.Manifest, file: fault.Companion{Name: opt.ManifestName},
	}
	if err := p.manifest.open(limits.LineBytes); err != nil {
		return nil, err
	}
	var read func(string, digest.Sum)
	if opt.Evidence == opt.Run {
		read = p.manifest.read
	}
	p.evidence = evidence.New(sink, evidence.Options{Reader: files, Held: limits.Findings, Read: read}, &s.Evidence)
	if p.traceID, err = newTraceID(sink, opt.CheckIDs, &s.TraceID); err != nil {
		return nil, err
	}
	life := newSteps(sink, p.plan, s.Keys, &s.Steps)
	called := newCalls(sink, limits.Findings, &s.Calls)
	made := newClaims(sink, limits.Findings, &s.Claims)
	unseen := &coverage{
		sink: sink, noPlan: opt.Plan == nil, emptyPlan: p.plan == nil || len(p.plan.Nodes) == 0, noBytes: opt.Evidence == nil,
		state: &s.Coverage,
	}
	p.all = []part{
		&numbering{sink, opt.Contiguous, &s.Numbering}, life, called,
		evidence.NewForm(sink), p.evidence, made, p.traceID, p.manifest, unseen,
	}
	p.remembers = []remembers{life, called, made, p.evidence}
	return p, nil
}

// readPlan reads the plan and reports its faults unless reported. It returns nil if the plan is missing or
// unusable, and an error if it is rejected.
func readPlan(opt *Options, limits stream.Limits, sink *fault.Sink, reported bool) (*plan.Plan, error) {
	if opt.Plan == nil {
		return nil, nil
	}
	p, unusable, err := plan.Read(opt.Plan, opt.PlanName, strictjson.Limits{TextBytes: limits.LineBytes, Depth: limits.Depth, Keys: limits.Keys, Values: limits.Values})
	switch {
	case err != nil:
		return nil, err
	case reported:
	case unusable != nil:
		sink.Add(*unusable)
	default:
		p.Report(sink)
	}
	return p, nil
}

func (p *parts) header(r *format.Record, h *format.Header) {
	p.planID.header(r, h)
	p.traceID.header(r, h)
}

func (p *parts) event(e *format.Event) {
	for _, part := range p.all {
		part.Take(e)
	}
}

func (p *parts) ids() (n int) {
	for _, part := range p.remembers {
		n += part.IDs()
	}
	return n
}

// finish runs the final checks of a trace that is not rejected.
func (p *parts) finish() error {
	for _, part := range p.all {
		if err := part.Finish(); err != nil {
			return err
		}
	}
	return nil
}
