package reasoning

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// header is what a header line says.
type header struct {
	version int64 // 0 when it states none
	id      text
	planID  text
	before  []byte // the canonical trace up to its events …
	after   []byte // … and behind them
}

// headState is what the trace as a whole is read under.
type headState struct {
	anyRecord bool  // a record, or a line that may have been one, was read
	seen      bool  // there was a header
	version   int64 // 0 as long as nothing states it
}

// header reads a header line.
func (w *worker) header(rec *record, n strictjson.Node) {
	rec.role, rec.index = isHeader, len(w.batch.headers)
	out := w.object(n, location{"", -1}, headerMembers)
	h := header{id: textOf(out[6]), planID: textOf(out[8])}
	h.version = w.headerVersion(n, out[1], out[2])
	if algo := out[3]; algo.Is(strictjson.String) && !algo.TextIs("sha256") {
		f := point(w.line, "header.algo_unsupported", "fingerprint_algo", placeOf(algo), fmt.Sprintf("fingerprint algorithm %s is not supported", preview(algo.Raw())))
		f.Expected = "sha256"
		w.reject(f)
	}
	if canon, ok := out[4].Int(); ok && canon != 1 {
		f := point(w.line, "header.canon_unsupported", "canonicalization_version", placeOf(out[4]), fmt.Sprintf("canonicalization version %d is not supported", canon))
		f.Expected = "1"
		w.reject(f)
	}
	if w.c.hashID && h.id.bytes != nil {
		h.before, h.after = w.canonicalHeader(out)
	}
	w.batch.headers = append(w.batch.headers, h)
}

// headerVersion reads the version, which has two names.
func (w *worker) headerVersion(n, onDisk, inFormat strictjson.Node) int64 {
	a, okA := onDisk.Int()
	b, okB := inFormat.Int()
	switch {
	case okA && okB && a != b:
		w.reject(point(w.line, "header.version_conflict", "schema_version", placeOf(onDisk),
			fmt.Sprintf("schema_version is %d, trace_schema_version is %d", a, b)))
	case okA:
		return w.version(onDisk, "schema_version")
	case okB:
		return w.version(inFormat, "trace_schema_version")
	case w.c.wrapped && onDisk.Missing() && inFormat.Missing():
		f := point(w.line, "field.missing", "schema_version", opening(n), "mandatory member \"schema_version\" (or \"trace_schema_version\") is missing")
		f.Expected = w.c.versions()
		w.reject(f)
	}
	return 0
}

// version reads a stated version; 0 when it is no integer, which the table reports.
func (w *worker) version(n strictjson.Node, name string) int64 {
	v, ok := n.Int()
	if ok && !w.c.accepts(v) {
		f := point(w.line, "header.version_unsupported", name, placeOf(n), fmt.Sprintf("trace schema version %d is not supported", v))
		f.Expected, f.Found = w.c.versions(), fmt.Sprint(v)
		f.Help = "--schema-versions names the versions to accept"
		w.reject(f)
	}
	return v
}

func (c *Checker) versions() string {
	if len(c.opt.SchemaVersions) == 1 {
		return fmt.Sprint(c.opt.SchemaVersions[0])
	}
	return fmt.Sprintf("one of %v", c.opt.SchemaVersions)
}

// takeFirst looks at the first record that is no header: in the wrapped shape there
// must be one before it. A line that could not be read may have been the header.
func (c *Checker) takeFirst(r *record, e *event) {
	if !c.head.anyRecord && c.wrapped && e != nil {
		c.findings.Reject(point(r.line, "header.missing", "record", r.at, "the first line is not the trace header"))
	}
	c.head.anyRecord = true
}

// takeHeader takes a header line in its place.
func (c *Checker) takeHeader(r *record, h *header) {
	switch {
	case c.head.seen:
		c.findings.Reject(point(r.line, "header.duplicate", "record", r.at, "a second trace header"))
		return
	case c.head.anyRecord && !c.wrapped:
		c.findings.Reject(point(r.line, "header.missing", "", r.at, "the trace header must come before all events"))
	}
	c.head.seen, c.head.anyRecord = true, true
	c.stateVersion(r, h)
	c.checkPlanID(r, h)
	c.id.begin(r, h)
}

func (c *Checker) stateVersion(r *record, h *header) {
	if c.head.version != 0 && h.version != 0 && c.head.version != h.version {
		c.findings.Reject(point(r.line, "header.version_conflict", "schema_version", r.at,
			fmt.Sprintf("the header states version %d, an event before it %d", h.version, c.head.version)))
		return
	}
	if h.version != 0 {
		c.head.version = h.version
	}
}

// takeVersion compares the version that a flat event states with the trace's.
func (c *Checker) takeVersion(e *event) {
	switch {
	case e.version == 0:
	case c.head.version == 0:
		c.head.version = e.version
	case c.head.version != e.version:
		f := point(e.line, "header.version_conflict", "schema_version", e.verAt,
			fmt.Sprintf("the event states version %d, the trace before it %d", e.version, c.head.version))
		f.Index = &e.idx
		c.findings.Reject(f)
	}
}

// finishVersion settles a flat trace that never states its version.
func (c *Checker) finishVersion() {
	if c.wrapped || c.head.version != 0 {
		return
	}
	f := Finding{Rule: "version.assumed", Severity: severityOf("version.assumed"), Line: 1, Path: "trace_schema_version",
		Message: "the trace states no version: 1 is assumed"}
	if c.opt.Strict {
		f.Message = "the trace states no version, and --strict assumes none"
		c.findings.Reject(f)
		return
	}
	c.findings.Add(f)
}
