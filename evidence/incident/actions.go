package incident

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"math"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/digest"
)

// action is a recorded action: an event of a bundle.
type action struct {
	at      reference
	surface string
	good    bool       // its data has the form of its type
	sum     digest.Sum // of its result
	result  []byte     // nil where it is not wanted
}

// surfaceOf are the types of events that a package can have, and the surface of an action.
var surfaceOf = map[string]string{
	"assay.tool.decision": "tool_call",
	"assay.fs.access":     "filesystem", "assay.sandbox.fs": "filesystem",
	"assay.net.connect":  "network",
	"assay.process.exec": "process", "assay.sandbox.exec": "process",

	"assay.profile.started": "", "assay.profile.finished": "", "assay.sandbox.summary": "", "assay.sandbox.degraded": "",
	"assay.coding_agent.evidence_pack.v0": "",
}

// actionReader are the actions of a package's bundles.
type actionReader struct {
	ctx     context.Context
	limits  *limits
	keep    bool // the results
	actions []action
	decoded int64
	events  int64
	kept    int64 // bytes of results
	start   string
	end     string
}

func (g *actionReader) add(in *packed, text []byte, name string) error {
	if err := within(int64(len(text)), hard.InnerCompressedBytes, g.limits.InnerCompressedBytes, "bytes of "+name); err != nil {
		return err
	}
	if err := g.decode(text, name); err != nil {
		return err
	}
	opt := bundle.Options{MaxFindings: 1, Limits: evidence.Limits{
		BundleBytes: g.limits.InnerCompressedBytes, DecodeBytes: g.limits.DecodedBytesTotal, ManifestBytes: g.limits.InnerManifestBytes,
		EventsBytes: g.limits.InnerEventsBytes, Events: g.limits.Records, LineBytes: g.limits.RecordBytes, PathBytes: g.limits.InnerPathBytes, JSONDepth: g.limits.JSONDepth,
	}}
	r, err := bundle.Verify(g.ctx, bytes.NewReader(text), int64(len(text)), name, opt)
	switch {
	case err != nil:
		return err
	case r.Verdict != bundle.Valid || r.Kind != bundle.KindBundle:
		return g.invalid(r, name)
	}
	g.events += r.Events
	if err := within(g.events, hard.Records, g.limits.Records, "events of all bundles"); err != nil {
		return err
	}
	if g.start == "" || later(g.start, r.Run.Start) {
		g.start = r.Run.Start
	}
	if g.end == "" || later(r.Run.End, g.end) {
		g.end = r.Run.End
	}
	sum := r.Manifest.Files[bundle.EventsName].SHA256
	opt.Each = func(e *evidence.Result) error { return g.event(in, name, sum, e) }
	_, err = bundle.Verify(g.ctx, bytes.NewReader(text), int64(len(text)), name, opt)
	return err
}

func (g *actionReader) invalid(r *bundle.Report, name string) error {
	why := bundle.ErrNotBundle.Error()
	if len(r.Findings) > 0 {
		why = r.Findings[0].Message + " [" + r.Code + "]"
	}
	switch {
	case r.Class == "Limits" && *g.limits == hard:
		return refuse(ruleHard, "", "%s: %s", name, why)
	case r.Class == "Limits":
		return refuse(ruleSelected, "", "%s: %s", name, why)
	}
	return refuse(ruleShape, "", "%s: %s", name, why)
}

// decode counts the decompressed bytes.
func (g *actionReader) decode(text []byte, name string) error {
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return refuse(ruleShape, "", "%s: %s", name, err)
	}
	z.Multistream(false)
	n, err := io.Copy(io.Discard, io.LimitReader(z, hard.DecodedBytesTotal-g.decoded+1))
	g.decoded += n
	if err := within(g.decoded, hard.DecodedBytesTotal, g.limits.DecodedBytesTotal, "decoded bytes of all bundles"); err != nil {
		return err
	}
	if err != nil {
		return refuse(ruleShape, "", "%s: %s", name, err)
	}
	return nil
}

func (g *actionReader) event(in *packed, name, eventsSum string, e *evidence.Result) error {
	for member := range e.Event.Root().Children() {
		payload := member.Attribute() == evidence.AttrData
		for v := range member.All() {
			if err := g.limits.text(len(v.NameBytes(nil)), len(v.TextBytes(nil)), payload, name); err != nil {
				return err
			}
		}
	}
	kind, _ := e.Event.Get(evidence.AttrType).Text()
	surface, known := surfaceOf[kind]
	switch {
	case !known:
		return refuse(ruleShape, "", "%s: line %d: events of the type %q are not allowed in a package", name, e.Line, kind)
	case surface == "":
		return nil
	}
	run, _ := e.Event.Get(evidence.AttrRunID).Text()
	seq, _ := e.Event.Get(evidence.AttrSequence).Int()
	a := action{at: reference{in.ID, in.SHA256, locator(run, uint64(seq))}, surface: surface, good: hasForm(kind, e.Event)}
	result := canonical(map[string]any{
		"operation": bundleFormat, "source": a.at,
		"value": map[string]any{"event": json.RawMessage(e.Event.Root().AppendCanonical(nil)), "events_sha256": eventsSum},
	})
	a.sum = digest.Of(result)
	if g.keep {
		if g.kept += int64(len(result)); g.kept > hard.AssessmentBytes {
			return within(g.kept, hard.AssessmentBytes, hard.AssessmentBytes, "bytes of the assessment")
		}
		a.result = result
	}
	g.actions = append(g.actions, a)
	return nil
}

// hasForm reports whether an action's data has the form of its type.
func hasForm(kind string, e *evidence.Event) bool {
	data := e.Get(evidence.AttrData)
	hits := isCount(math.MaxUint64)(data.Get("hits"))
	switch kind {
	case "assay.tool.decision":
		return isDecision(data)
	case "assay.sandbox.fs":
		return hits && required(data, isText, "op", "path", "backend")
	case "assay.sandbox.exec":
		return hits && required(data, isText, "argv0")
	}
	named := data.Get(map[string]string{"assay.fs.access": "file", "assay.net.connect": "host", "assay.process.exec": "cmd"}[kind])
	about, _ := e.Get(evidence.AttrSubject).Text()
	return hits && about != "" && (!named.Exists() || isText(named))
}

// sources are the inputs that can have actions of a surface.
func (v *inventory) sources(surface string) []string {
	list := []string{}
	for _, in := range v.Inputs {
		if slices.Contains(in.Surfaces, surface) {
			list = append(list, in.ID)
		}
	}
	return list
}
