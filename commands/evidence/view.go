package evidencecmd

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/say"
)

// The number of events on a verification's page. Events with findings come first.
const (
	viewedEvents = 2_000
	viewedFaulty = 1_500   // of them, events with findings
	viewedInput  = 2 << 10 // bytes of one event
	viewedInputs = 4 << 20 // of all of them
)

var errStreamFollowed = errors.New("the stream was still being written; verify it again to check its content")

// eventsViewer creates the page view of verified evidence. It rereads the input.
type eventsViewer struct {
	ctx        context.Context
	again      *input.Reopener
	limits     evidence.Limits
	compatible int
	policy     *privacy.Policy
	compares   bool  // hashes are compared
	refused    error // why there is nothing to see
}

// errSeen ends the reading once everything to show was read.
var errSeen = errors.New("enough was seen")

// of returns a function that creates the view of an input. verdict is the report of its verification, or nil.
func (s *eventsViewer) of(kind bundle.Kind, events int64, verdict *bundle.Report, findings []finding.Finding) func() (page.View, error) {
	if s != nil && s.refused != nil {
		return func() (page.View, error) { return nil, s.refused }
	}
	if s == nil || events == 0 && (verdict == nil || verdict.Manifest == nil) {
		return nil
	}
	return func() (page.View, error) {
		view := &eventsBuilder{
			eventsViewer: s, kind: kind, view: &page.Events{File: s.again.In.Name, Total: events}, room: viewedInputs,
			redactor: privacy.NewRedactor(s.policy), hasher: evidence.NewHasher(evidence.Options{Limits: s.limits, Check: true, Explain: true, MaxFindings: 1}),
		}
		if kind == bundle.KindBundle {
			view.view.File, view.view.Manifest = bundle.EventsName, bundle.ManifestName
			view.rests(verdict)
		}
		view.wanted(findings)
		return view.view, view.read()
	}
}

type eventsBuilder struct {
	*eventsViewer
	kind     bundle.Kind
	view     *page.Events
	faulty   map[int]finding.Severity // lines with findings
	last     int                      // of these
	others   int                      // how many more events are shown
	room     int                      // bytes of text
	seen     int64
	redactor *privacy.Redactor
	hasher   *evidence.Hasher
}

func (v *eventsBuilder) wanted(findings []finding.Finding) {
	v.faulty = map[int]finding.Severity{}
	for i := range findings {
		f := &findings[i]
		if inside := f.Inside(); inside != "" && inside != v.view.File || f.Line == 0 {
			continue
		}
		if worst, known := v.faulty[f.Line]; known || len(v.faulty) < viewedFaulty {
			v.faulty[f.Line] = max(worst, f.Severity)
			v.last = max(v.last, f.Line)
		}
	}
	v.others = viewedEvents - len(v.faulty)
	if v.view.Total > viewedEvents {
		v.view.Left = "only the events with findings and the first others are shown"
	}
}

func (v *eventsBuilder) read() error {
	r, err := v.again.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	opt := evidence.Options{Limits: v.limits, Check: true, MaxFindings: 1}
	_, err = bundle.Events(v.ctx, r, v.again.Size(r), v.again.In.Name, v.compatible, opt, v.event)
	if err != nil && !errors.Is(err, errSeen) {
		return err
	}
	v.skip(v.view.Total - v.seen)
	return nil
}

// skip adds a placeholder for hidden events.
func (v *eventsBuilder) skip(number int64) {
	rows := v.view.Rows
	switch {
	case number <= 0:
	case len(rows) > 0 && rows[len(rows)-1].Skipped > 0:
		rows[len(rows)-1].Skipped += number
	default:
		v.view.Rows = append(rows, page.EventRow{Skipped: number})
	}
}

func (v *eventsBuilder) event(r *evidence.Result) error {
	worst, faulty := v.faulty[r.Line]
	if r.Alone {
		for _, s := range v.faulty {
			worst, faulty = max(worst, s), true
		}
	}
	switch {
	case v.seen == v.view.Total, v.others == 0 && r.Line > v.last:
		return errSeen
	case !faulty && v.others == 0:
		v.seen++
		v.skip(1)
		return nil
	case !faulty:
		v.others--
	}
	v.seen++
	row, err := v.row(r)
	if err != nil {
		return err
	}
	if faulty {
		row.Mark = max(row.Mark, map[finding.Severity]page.Mark{finding.Error: page.Bad, finding.Warning: page.Caution}[worst])
	}
	v.view.Rows = append(v.view.Rows, row)
	return nil
}

func (v *eventsBuilder) row(r *evidence.Result) (page.EventRow, error) {
	row := page.EventRow{Line: r.Line, EndLine: r.Line, Bytes: len(r.Text())}
	if r.Alone {
		row.EndLine += strings.Count(string(r.Text()), "\n")
	}
	own, err := v.hasher.Hash(r.Text())
	if err != nil {
		return row, err
	}
	row.Hash, row.Word = v.outcome(&own)
	row.Mark = row.Hash
	if own.Match == evidence.Different && v.compares {
		row.Computed = own.ContentHash()
		if row.Recorded = cmdline.Clipped(string(own.Recorded)); !finding.Harmless(row.Recorded) {
			row.Recorded = "no content hash" // it can be anything
		}
	}
	if own.Event == nil || r.Long {
		row.Refused = "the line is not a JSON event, so cupel cannot find private values in it"
		return row, nil
	}
	parts, private, err := v.redactor.Parts(own.Event)
	if err != nil {
		row.Refused = "the event has a secret that redaction cannot remove"
		return row, nil
	}
	v.names(&row, own.Event)
	row.Cleared = !private
	v.text(&row, &own, parts)
	return row, nil
}

// outcome returns the result for an event's content hash.
func (v *eventsBuilder) outcome(r *evidence.Result) (page.Mark, string) {
	switch {
	case !r.Hashed:
		return page.Bad, "no content hash"
	case !v.compares:
		return page.Plain, "not verified"
	case r.Match == evidence.Same:
		return page.Good, "hash matches"
	case r.Match == evidence.Different:
		return page.Bad, "hash differs"
	}
	return page.Plain, "no hash recorded"
}

// names sets an event's identifying members, which every privacy class allows.
func (v *eventsBuilder) names(row *page.EventRow, e *evidence.Event) {
	text := func(a evidence.Attribute) string {
		s, _ := e.Get(a).Text()
		return cmdline.Clipped(s)
	}
	row.ID, row.Type, row.Time = text(evidence.AttrID), text(evidence.AttrType), text(evidence.AttrTime)
	if n, err := strconv.ParseUint(string(e.Get(evidence.AttrSequence).Raw()), 10, 64); err == nil {
		row.Number = strconv.FormatUint(n, 10)
	}
}

// text adds the text of an event in pieces, up to the size limit.
func (v *eventsBuilder) text(row *page.EventRow, r *evidence.Result, parts iter.Seq[privacy.Part]) {
	p := splitter{row: row, text: string(r.Event.Text()), room: min(viewedInput, v.room)}
	if r.Explanation != nil {
		for _, m := range r.Explanation.Covered {
			p.covered = append(p.covered, [2]int{m.Start, m.End})
		}
	}
	for part := range parts {
		start, end := part.At.Span()
		p.to(start)
		row.Counts[part.Class]++
		class := page.Public + page.EventClass(part.Class)
		if row.Cleared || part.Shared() {
			p.value(end, class)
		} else {
			p.withhold(end, class, part.Rule)
		}
	}
	p.to(len(p.text))
	v.room -= p.shown
	row.Cut = len(p.text) - p.done
	v.recipe(row, r)
}

// recipe sets the command that computes the hash: from the text if all of it is shown, otherwise from the input.
func (v *eventsBuilder) recipe(row *page.EventRow, r *evidence.Result) {
	if !r.Hashed {
		return
	}
	if row.Cleared && row.Cut == 0 {
		row.Recipe = recipeOf(r.Explanation)
	}
	name := v.again.In.Name
	if row.Recipe != "" || name == "-" || say.Visible(name) != name || v.again.Kept != nil {
		return
	}
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	name = "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	const hash = "cupel evidence hash --explain "
	line := fmt.Sprintf("sed -n '%dp'", row.Line)
	switch {
	case v.kind == bundle.KindBundle:
		row.Recipe = "tar -xzOf " + name + " " + bundle.EventsName + " | " + line + " | " + hash + "-"
	case v.kind == bundle.KindEvent:
		row.Recipe = hash + name
	case !v.again.Packed:
		row.Recipe = line + " " + name + " | " + hash + "-"
	}
}

// splitter splits the text of an event into pieces.
type splitter struct {
	row     *page.EventRow
	text    string
	covered [][2]int // bytes that the content hash covers
	done    int      // bytes that are shown, or said to be withheld
	shown   int
	room    int
}

// to adds the text between values up to an offset.
func (p *splitter) to(end int) { p.value(end, page.Unclassed) }

// value adds the text up to an offset, within the size limit.
func (p *splitter) value(end int, class page.EventClass) {
	for p.done < end && p.shown < p.room {
		next, covered := p.coverage(end)
		text := p.text[p.done:min(next, p.done+p.room-p.shown)]
		for !utf8.ValidString(text) { // cut inside a code point
			text = text[:len(text)-1]
		}
		if text == "" {
			p.shown = p.room
			return
		}
		p.row.Pieces = append(p.row.Pieces, page.EventPiece{Text: strings.Clone(text), Covered: covered, Class: class})
		p.done, p.shown = p.done+len(text), p.shown+len(text)
	}
}

// coverage returns the offset up to which bytes are covered, or not, like the next one.
func (p *splitter) coverage(end int) (next int, covered bool) {
	for _, c := range p.covered {
		switch {
		case c[0] <= p.done && p.done < c[1]:
			return min(end, c[1]), true
		case p.done < c[0]:
			end = min(end, c[0])
		}
	}
	return end, false
}

// withhold adds a placeholder for the text up to an offset.
func (p *splitter) withhold(end int, class page.EventClass, rule string) {
	if p.shown >= p.room {
		return
	}
	_, covered := p.coverage(end)
	p.row.Pieces = append(p.row.Pieces, page.EventPiece{Covered: covered, Class: class, Bytes: end - p.done, Rule: rule})
	p.done, p.shown = end, p.shown+len(rule)+1
}

func (v *eventsBuilder) rests(r *bundle.Report) {
	if r == nil || r.Manifest == nil {
		v.view.Rests = []page.EventRest{{What: "the manifest", Mark: page.Unanswered, Word: "not compared"}}
		return
	}
	m := r.Manifest
	add := func(what, recorded, found string) {
		row := page.EventRest{What: what, Recorded: cmdline.Clipped(recorded), Found: found, Mark: page.Bad, Word: "differs"}
		switch {
		case found == "":
			row.Mark, row.Word = page.Unanswered, "not compared"
		case strings.TrimPrefix(recorded, "sha256:") == strings.TrimPrefix(found, "sha256:"):
			row.Mark, row.Word = page.Good, "same"
		}
		v.view.Rests = append(v.view.Rests, row)
	}
	file := m.Files[bundle.EventsName]
	bytes, sum, events := "", "", ""
	if r.Packed != nil {
		bytes, sum, events = strconv.FormatUint(r.Packed.Bytes, 10), r.Packed.SHA256, strconv.FormatInt(r.Events, 10)
	}
	add("bytes of "+bundle.EventsName, strconv.FormatUint(file.Bytes, 10), bytes)
	add("SHA-256 of "+bundle.EventsName, file.SHA256, sum)
	add("number of events", strconv.FormatUint(m.EventCount, 10), events)
	add("run root: the content hashes in their order", m.RunRoot, r.RunRoot)
	add("bundle id", m.BundleID, r.BundleID)
	add("run id, of the first event", m.RunID, cmdline.Clipped(r.Run.ID))
	v.view.Rests = append(v.view.Rests,
		page.EventRest{What: "producer", Recorded: cmdline.Clipped(producerText(m.Producer)), Mark: page.Plain, Word: "not held", Found: "nothing holds it"},
		page.EventRest{What: "the rest of the bundle", Mark: page.Plain, Word: "not held", Recorded: "gzip and tar headers: times, owners, modes", Found: "nothing holds them"},
	)
}

func producerText(p bundle.Producer) string { return strings.TrimSpace(p.Name + " " + p.Version) }
