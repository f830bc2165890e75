package redact

import (
	"errors"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/internal/shape"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// ReadReport parses a report written by [Writer] and passes its events to each. The returned report does not
// contain them, to save memory. Unknown members are ignored. The finding is the first fault, or nil. The error is
// r's or each's.
func ReadReport(r io.Reader, each func(*Event) error) (*Report, *finding.Finding, error) {
	d := newDocument(r, &rules[ruleReport], notReport)
	line := 0
	for {
		n, ok := d.element()
		if !ok {
			break
		}
		e := readEvent(&d.Reader, n, &line)
		if d.Fault != nil {
			break
		}
		if err := each(&e); err != nil {
			return nil, nil, err
		}
	}
	root, ok := d.end()
	if !ok {
		return nil, d.Fault, d.failed
	}
	d.Fixed(root, "schema", Schema)
	report := &Report{Schema: Schema, Input: d.Text(root, "input"), InputVerified: d.Flag(root, "input_verified")}
	policy := d.Object(root, "policy")
	report.Policy = Policy{Profile: d.Text(policy, "profile"), File: d.Optional(policy, "file"), Digest: d.Sum(policy, "digest").String()}
	report.Kind = bundle.Kind(d.Text(root, "kind"))
	report.OutputSHA256 = d.Sum(root, "output_sha256").String()
	report.RunRoot, report.BundleID = d.digest(root, "run_root"), d.digest(root, "bundle_id")
	s := d.Object(root, "summary")
	report.Summary = Summary{
		Events: d.Count(s, "events"), Changed: d.Count(s, "changed"), Dropped: d.Count(s, "dropped"), Replaced: d.Count(s, "replaced"),
		Generalized: d.Count(s, "generalized"), Cut: d.Count(s, "cut"), Reported: d.Count(s, "reported"),
	}
	return report, d.Fault, nil
}

const notReport = "the document is not a redaction report"

func readEvent(d *shape.Reader, n strictjson.Node, line *int) Event {
	e := Event{Line: readLine(d, n, line), ID: d.Optional(n, "id"), ContentHash: d.Optional(n, "content_hash")}
	if !n.Get("seq").Missing() {
		seq := d.Count(n, "seq")
		e.Seq = &seq
	}
	for c := range d.Elements(n, "changes") {
		e.Changes = append(e.Changes, Change{
			Pointer: d.Text(c, "pointer"), Class: d.Text(c, "class"), Rule: d.Text(c, "rule"), Action: d.Text(c, "action"),
			Reported: !c.Get("reported").Missing() && d.Flag(c, "reported"), Commitment: d.Optional(c, "commitment"),
		})
	}
	return e
}

// readLine reads an event's line number, which must increase.
func readLine(d *shape.Reader, n strictjson.Node, before *int) int {
	line := d.Count(n, "line")
	if line <= int64(*before) || line > maxLine {
		d.Refuse(n, "line", fmt.Sprintf("a line number after %d, that of the event before", *before))
		return *before
	}
	*before = int(line)
	return *before
}

const maxLine = 1<<53 - 1

// document reads a JSON object with a list of events in pieces.
type document struct {
	shape.Reader
	pieces  *pieces
	scanner *strictjson.Scanner
	number  int   // of elements that were read
	failed  error // of the reader
}

func newDocument(r io.Reader, rule *finding.Rule, what string) *document {
	return &document{
		Reader: shape.Reader{Rule: rule, What: what}, pieces: newPieces(r),
		scanner: strictjson.NewScanner(strictjson.Limits{TextBytes: maxElement, Depth: 80, Values: maxValues}),
	}
}

// element returns the next element of the list. ok is false after the last one and after a fault.
func (d *document) element() (n strictjson.Node, ok bool) {
	if d.failed != nil || d.Fault != nil {
		return n, false
	}
	text, ok, err := d.pieces.next()
	if d.stop(err) || !ok {
		return n, false
	}
	d.Base = fmt.Sprintf("/%s/%d", eventsName, d.number)
	d.number++
	n = d.scan(text)
	return n, d.Fault == nil
}

// end returns the rest of the document, the object without the elements of its list. ok is false after a fault.
func (d *document) end() (root strictjson.Node, ok bool) {
	if d.failed != nil || d.Fault != nil {
		return root, false
	}
	d.Base = ""
	root = d.scan(d.pieces.rest)
	if list := root.Get(eventsName); d.Fault == nil && (!list.Is(strictjson.Array) || list.Len() > 0) {
		d.Refuse(root, eventsName, "an array, its name spelled without escapes")
	}
	return root, d.Fault == nil
}

// scan parses a piece, which must be an object.
func (d *document) scan(text []byte) (n strictjson.Node) {
	doc, err := d.scanner.Scan(text)
	if err != nil {
		d.Fault = shape.Fault(d.Rule, d.Base, d.What+": "+err.Error())
		return n
	}
	return d.Root(doc)
}

func (d *document) stop(err error) bool {
	var wrong malformed
	switch {
	case err == nil:
		return false
	case errors.As(err, &wrong):
		d.Fault = shape.Fault(d.Rule, "", d.What+": "+wrong.Error())
	default:
		d.failed = err
	}
	return true
}

// digest returns an optional digest in text form.
func (d *document) digest(parent strictjson.Node, name string) string {
	text := d.Optional(parent, name)
	if _, ok := digest.Parse([]byte(text)); !ok && text != "" {
		d.Refuse(parent, name, digest.Form)
	}
	return text
}
