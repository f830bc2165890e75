package envelope

import (
	"bytes"
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
)

// Checker checks the envelopes of events. It is not safe for concurrent use.
type Checker struct {
	opt    Options
	result *evidence.Result
	view   View
	faults []Fault

	departs Spelling // of the time
}

// NewChecker returns a checker.
func NewChecker(opt Options) *Checker { return &Checker{opt: opt} }

// Check checks the envelope of a hashed event and returns its faults by step and then by member
// order, or nil. Without faults it does not allocate.
func (c *Checker) Check(r *evidence.Result) (View, []Fault) {
	c.result, c.view, c.faults = r, View{}, nil
	if r.Event == nil {
		c.refused()
		return c.view, c.faults
	}
	c.view.read(r.Event)
	c.view.Canonical = (c.opt.Canonical || c.opt.Strict) && r.Event.Canonical()
	c.shape()
	c.version()
	c.names()
	c.beyond()
	if c.opt.Strict {
		c.strict()
	}
	return c.view, c.faults
}

// version checks the envelope's version and that there is a content hash.
func (c *Checker) version() {
	e := c.result.Event
	if v := e.Get(evidence.AttrSpecVersion); v.Kind() == evidence.KindString && string(v.TextBytes(nil)) != specVersion {
		c.at(evidence.AttrSpecVersion, StepVersion, SchemaVersion, "specversion.invalid",
			"member specversion is "+preview(v.Raw())+`, expected "1.0"`)
	}
	if e.Get(evidence.AttrContentHash).Missing() {
		c.at(evidence.AttrContentHash, StepVersion, SchemaVersion, "hash.missing",
			"no content hash is recorded, expected the member assaycontenthash")
	}
}

// specVersion is the only version of the envelope.
const specVersion = "1.0"

// names checks source, run id and id.
func (c *Checker) names() {
	v := &c.view
	if v.Source != nil && bytes.IndexByte(v.Source, ':') <= 0 {
		c.at(evidence.AttrSource, StepEnvelope, InvalidEvent, "source.not_uri",
			"member source is "+quoted(v.Source)+", expected a URI: a scheme, a colon and the rest")
	}
	if bytes.IndexByte(v.RunID, ':') >= 0 {
		c.at(evidence.AttrRunID, StepEnvelope, InvalidEvent, "run_id.colon",
			"member assayrunid is "+quoted(v.RunID)+", expected a text without a colon: in id, a colon separates run and number")
	}
	if v.ID != nil && v.RunID != nil && v.Sequenced && !isID(v.ID, v.RunID, v.Sequence) {
		c.at(evidence.AttrID, StepEnvelope, InvalidEvent, "id.mismatch",
			"member id is not assayrunid, a colon and assayseq").compare(string(v.RunID)+":"+strconv.FormatUint(v.Sequence, 10), v.ID)
	}
}

// isID reports whether an id is a run's, a colon and a sequence number without leading zeros.
func isID(id, run []byte, sequence uint64) bool {
	var digits [20]byte
	number, isRuns := bytes.CutPrefix(id, run)
	return isRuns && len(number) > 0 && number[0] == ':' && bytes.Equal(number[1:], strconv.AppendUint(digits[:0], sequence, 10))
}

// The largest sequence numbers that all JSON readers keep exactly, and that fit an integer in CloudEvents.
const (
	maxSequence      = 1<<53 - 1
	maxCloudSequence = 1<<31 - 1
)

// beyond checks requirements that the reference does not check.
func (c *Checker) beyond() {
	v := &c.view
	if v.RunID != nil && len(v.RunID) == 0 {
		c.at(evidence.AttrRunID, StepBeyond, InvalidEvent, "run_id.empty", "member assayrunid is empty, expected the run's id")
	}
	switch {
	case v.Sequence > maxSequence:
		c.at(evidence.AttrSequence, StepBeyond, InvalidEvent, "seq.range",
			"member assayseq is "+strconv.FormatUint(v.Sequence, 10)+", expected at most "+strconv.Itoa(maxSequence)+", which a double holds")
	case v.Sequence > maxCloudSequence:
		c.at(evidence.AttrSequence, StepBeyond, InvalidEvent, "seq.wide",
			"member assayseq is "+strconv.FormatUint(v.Sequence, 10)+", integers of CloudEvents end at "+strconv.Itoa(maxCloudSequence)).
			lower(evidence.SeverityWarning)
	}
	c.time()
	c.traceParent()
}

// time checks the notation of the time, because the reference silently converts others.
func (c *Checker) time() {
	if !c.view.Timed {
		return
	}
	if c.departs != InOrder && !c.opt.LenientTime {
		c.at(evidence.AttrTime, StepBeyond, InvalidEvent, "time.not_utc",
			"member time has "+string(c.departs)+", expected UTC: YYYY-MM-DDThh:mm:ss, a fraction or none, and Z").
			help("--lenient-time accepts it; the contract's form is " + c.view.Time.String())
	} else if c.view.Time.Leap() {
		c.at(evidence.AttrTime, StepBeyond, InvalidEvent, "time.leap_second",
			"member time is in a leap second, which many readers refuse").lower(evidence.SeverityInfo)
	}
}

func (c *Checker) traceParent() {
	v := c.result.Event.Get(evidence.AttrTraceParent)
	severity := evidence.SeverityWarning
	if c.opt.RequireTraceParent {
		severity = evidence.SeverityError
	}
	switch {
	case v.Missing() && c.opt.RequireTraceParent:
		c.at(evidence.AttrTraceParent, StepBeyond, InvalidEvent, "traceparent.missing",
			"member traceparent is "+absence(v)+", expected a W3C trace parent")
	case v.Kind() == evidence.KindString && TraceParentFault(v.TextBytes(nil)) != "":
		c.at(evidence.AttrTraceParent, StepBeyond, InvalidEvent, "traceparent.malformed",
			"member traceparent is "+preview(v.Raw())+", expected a W3C trace parent: 00-, 32 hexadecimal digits, a dash, 16 digits, a dash, 2 digits").
			lower(severity)
	}
}
