package oatfcmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/model"
	"github.com/cupel-dev/cupel/oatf/outline"
)

// verdictJSON is an element of "verdicts".
type verdictJSON struct {
	Document    string            `json:"document"`
	Revision    oatf.Revision     `json:"revision,omitempty"` // absent for a document that cannot be read
	Input       string            `json:"input,omitempty"`    // with --each: the capture
	AttackID    *string           `json:"attack_id"`
	Result      eval.AttackResult `json:"result"`
	AttackName  string            `json:"attack_name,omitempty"`
	Severity    string            `json:"severity,omitempty"` // that the author gave the attack
	Mappings    []finding.Taxon   `json:"mappings,omitempty"` // to entries of other frameworks
	MaxTier     string            `json:"max_tier,omitempty"`
	Timestamp   *time.Time        `json:"timestamp,omitempty"`
	Source      string            `json:"source,omitempty"`
	Indicators  []indicatorJSON   `json:"indicator_verdicts"`
	Summary     summaryJSON       `json:"evaluation_summary"`
	Delivery    *deliveryJSON     `json:"delivery,omitempty"` // absent for a document that sends nothing
	Diagnostics []diagnosticJSON  `json:"diagnostics,omitempty"`
	Error       string            `json:"error,omitempty"` // why the document has no verdict
	*app.Digest                   // of the document
}

// deliveryJSON reports whether the document's payload reached the agent.
type deliveryJSON struct {
	Status eval.DeliveryStatus `json:"status"` // "delivered", "not_delivered" or "unknown"
	Input  string              `json:"input,omitempty"`
	Line   int                 `json:"line,omitempty"`
	What   string              `json:"what"`
}

type summaryJSON struct {
	Matched    int `json:"matched"`
	NotMatched int `json:"not_matched"`
	Error      int `json:"error"`
	Skipped    int `json:"skipped"`
}

// indicatorJSON is an element of "indicator_verdicts".
type indicatorJSON struct {
	ID          string               `json:"indicator_id"`
	Result      eval.IndicatorResult `json:"result"`
	Description string               `json:"description,omitempty"`
	Severity    string               `json:"severity,omitempty"` // of the indicator, else of the attack
	Looks       string               `json:"looks,omitempty"`    // for what, in words
	Evidence    string               `json:"evidence"`
	*placeJSON
	Blind     bool             `json:"blind,omitempty"` // the target is not a path of any payload
	Score     *float64         `json:"score,omitempty"`
	ErrorKind string           `json:"error_kind,omitempty"`
	Timestamp *time.Time       `json:"timestamp,omitempty"`
	Source    string           `json:"source,omitempty"`
	Context   []contextMessage `json:"context,omitempty"`   // the messages around a match
	Selection *selectionJSON   `json:"selection,omitempty"` // with --explain-selection
}

type placeJSON struct {
	Input    string `json:"input,omitempty"`
	Index    int    `json:"message_index"`
	Line     int    `json:"line,omitempty"`
	Method   string `json:"method,omitempty"`
	Path     string `json:"path"`
	Operator string `json:"operator,omitempty"`
}

type diagnosticJSON struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Path     string `json:"path,omitempty"`
	Message  string `json:"message"`
}

type verdictCounts struct {
	Verdicts     int `json:"verdicts"`
	Exploited    int `json:"exploited"`
	Partial      int `json:"partial"`
	NotExploited int `json:"not_exploited"`
	Error        int `json:"error"`
	NotApplied   int `json:"not_applicable,omitempty"` // no message of a protocol of the document
	Accepted     int `json:"accepted,omitempty"`       // of exploited and partial: a baseline has all that matched
	Invalid      int `json:"invalid_documents"`        // they have no verdict
	Captures     int `json:"captures"`
	Messages     int `json:"messages"`
	BadLines     int `json:"bad_lines"`
	Unanswered   int `json:"unanswered_requests"`
	Uncorrelated int `json:"uncorrelated_responses"`
	Evicted      int `json:"evicted_requests"`
	Passed       int `json:"passed_over,omitempty"` // files
}

func (n *verdictCounts) add(v eval.AttackVerdict, accepted bool) {
	n.Verdicts++
	switch v.Result {
	case eval.Exploited:
		n.Exploited++
	case eval.Partial:
		n.Partial++
	case eval.NotExploited:
		n.NotExploited++
	case eval.NotApplicable:
		n.NotApplied++
	default:
		n.Error++
	}
	if accepted {
		n.Accepted++
	}
}

// finish reports the verdicts on all documents. capture is the capture they are about, "" for all.
func (j *evalRun) finish(capture string) error {
	j.ended()
	applied := false
	for i, v := range j.batch.Finish() {
		applied = applied || v.Result != eval.NotApplicable
		if err := j.verdict(j.documents[i], v, capture); err != nil {
			return err
		}
	}
	if applied {
		return nil
	}
	names := "the captures have"
	if len(j.captures) == 1 {
		names = fmt.Sprintf("%q has", j.captures[0])
	}
	return j.out.Fail(&cmdline.Hinted{Err: fmt.Errorf("%s no message of a protocol of the documents", names), Hint: "--explain-selection shows which messages each indicator looks at"})
}

// verdict reports the verdict on one document: findings first, then the answer.
func (j *evalRun) verdict(d *judgedDocument, v eval.AttackVerdict, capture string) error {
	findings, open := j.findings(d, v)
	for _, f := range findings {
		if err := j.out.Finding(f); err != nil {
			return err
		}
	}
	complied := v.Result == eval.Exploited || v.Result == eval.Partial
	if complied && open {
		j.out.No()
	}
	j.counts.add(v, complied && !open)
	selections := j.selections(d)
	a := report.Answer{
		List: "verdicts", Value: j.verdictJSON(d, v, capture, selections), Subject: d.name, Group: capture, Findings: findings,
		Outcome: verdictOutcome(v, complied && !open), Scope: verdictScope(v), Facts: append(attackFacts(d.attack, complied), selectionFacts(selections, v)...),
		View: j.messagesView(d, v), Remarks: starred(v, j.opt.Hide != nil),
	}
	if capture != "" {
		a.Scope = append([]string{capture}, a.Scope...)
	}
	because := j.baseless(v)
	if because == "" {
		return j.out.Answer(a)
	}
	why := fmt.Sprintf("no verdict on %q", d.name)
	full := fmt.Errorf("%s: %s", why, because)
	if v.Result == eval.AttackError { // the findings say why
		full = &cmdline.InFindings{Err: full, What: why}
	}
	return errors.Join(j.out.Fail(full), j.out.Answer(a))
}

// starred returns how to see the secrets that the evidence of a verdict has stars for.
func starred(v eval.AttackVerdict, hidden bool) []string {
	if hidden && slices.ContainsFunc(v.IndicatorVerdicts, func(x eval.IndicatorVerdict) bool {
		return x.Result == eval.Matched && strings.Contains(x.Evidence, secrets.Stars)
	}) {
		return []string{"secrets in messages are shown as " + secrets.Stars + "; --show-secrets shows them"}
	}
	return nil
}

// baseless returns why a verdict is not usable, or "" if it is or that was reported.
func (j *evalRun) baseless(v eval.AttackVerdict) string {
	switch {
	case v.Result == eval.AttackError && !j.spoiled:
		return noVerdict(v)
	case v.Baseless():
		return "the indicators can never match: " + noVerdict(v)
	case v.Result == eval.NotExploited && j.guessed != "":
		return guessedAt(j.guessed)
	case j.demand && v.Delivery != nil && v.Delivery.Status == eval.NotDelivered:
		return "the payload did not reach the agent: " + v.Delivery.What
	}
	return ""
}

// guessedAt returns the reason for an unknown result: it is a guess that the capture contains payloads.
func guessedAt(name string) string {
	return fmt.Sprintf("%q has no known envelopes; cupel read its records as payloads because they look like them; confirm that with --trace-format plain", name)
}

// noVerdict returns why a verdict is an error.
func noVerdict(v eval.AttackVerdict) string {
	for _, i := range v.IndicatorVerdicts {
		if i.Result == eval.Error {
			return i.IndicatorID + ": " + i.Evidence
		}
	}
	for _, d := range v.Diagnostics {
		if d.Severity == model.DiagnosticError {
			return d.Message
		}
	}
	return "nothing was evaluated"
}

// verdictOutcome returns the outcome of a verdict. accepted means that a baseline contains all matches.
func verdictOutcome(v eval.AttackVerdict, accepted bool) report.Outcome {
	o := report.Outcome{Word: string(v.Result), Weight: report.Good}
	switch {
	case v.Result == eval.AttackError || v.Baseless():
		o.Weight = report.Unanswered
	case v.Result == eval.NotApplicable:
		o.Word, o.Weight = "not applicable", report.Caution
	case v.Result == eval.NotExploited && v.EvaluationSummary.Skipped+len(v.Diagnostics) == 0:
	case v.Result == eval.NotExploited, accepted:
		o.Weight = report.Caution
	default:
		o.Weight, o.Reason = report.Bad, o.Word+": "+strings.Join(matchedIDs(v), ", ")+" matched"
	}
	return o
}

func matchedIDs(v eval.AttackVerdict) (ids []string) {
	for _, i := range v.IndicatorVerdicts {
		if i.Result == eval.Matched {
			ids = append(ids, i.IndicatorID)
		}
	}
	return ids
}

// verdictScope returns the counts of a verdict's indicators in the specification's words.
func verdictScope(v eval.AttackVerdict) (scope []string) {
	n := v.EvaluationSummary
	for _, c := range []struct {
		number int
		result eval.IndicatorResult
	}{{n.Matched, eval.Matched}, {n.NotMatched, eval.NotMatched}, {n.Error, eval.Error}, {n.Skipped, eval.Skipped}} {
		scope = append(scope, fmt.Sprintf("%d %s", c.number, c.result))
	}
	if v.MaxTier != "" {
		scope = append(scope, "highest tier "+v.MaxTier)
	}
	if d := v.Delivery; d != nil {
		scope = append(scope, "payload "+deliveryWords[d.Status])
	}
	return scope
}

// deliveryWords describe delivery statuses in text output.
var deliveryWords = map[eval.DeliveryStatus]string{
	eval.Delivered: "delivered", eval.NotDelivered: "not delivered", eval.DeliveryUnknown: "delivery unknown",
}

// findings returns a verdict's findings: diagnostics at the document; matches, failures and skips at the capture.
// open means that a match is not accepted.
func (j *evalRun) findings(d *judgedDocument, v eval.AttackVerdict) (list []finding.Finding, open bool) {
	explained := map[string]bool{}
	for _, g := range v.Diagnostics {
		explained[g.Path] = true
		f, at := eval.DiagnosticFinding(g), d.position(g.Path)
		f.File, f.Line, f.Column = d.name, at.Line, at.Column
		list = append(list, f)
	}
	for i := range v.IndicatorVerdicts {
		x := &v.IndicatorVerdicts[i]
		f, some := x.Finding(d.name, &d.attack.Indicators[i])
		if about, is := f.Detail.(eval.Detail); is {
			f.Detail = described(d.attack, &d.attack.Indicators[i], j.context.around(x), x, about)
		}
		if !some || x.Result == eval.Skipped && explained[indicatorPath(i)] {
			continue
		}
		if x.Err != nil && errors.Is(x.Err.Cause, eval.ErrSteps) {
			f.Help = say.RaiseHint("--max-steps")
		}
		if at := x.Place; at != nil {
			f.File, f.Line, f.Path = j.captures[at.Input], at.Line, at.Path
		} else {
			f.File, f.Line, f.Column, f.Path = d.name, d.places[i].Line, d.places[i].Column, indicatorPath(i)
		}
		open = open || x.Result == eval.Matched && !j.out.Accepted(f)
		list = append(list, f)
	}
	return list, open
}

func (j *evalRun) verdictJSON(d *judgedDocument, v eval.AttackVerdict, capture string, selections []selectionJSON) verdictJSON {
	element := verdictJSON{
		Document: d.name, Digest: j.read.Of(d.name), Revision: d.revision, Input: capture, AttackID: v.AttackID, Result: v.Result, MaxTier: v.MaxTier, Timestamp: v.Timestamp, Source: v.Source,
		Indicators: make([]indicatorJSON, len(v.IndicatorVerdicts)), Summary: summaryJSON(v.EvaluationSummary),
		Severity: severityOf(d.attack, outline.Indicator{}), Mappings: taxaOf(d.attack),
	}
	if d.attack.Name != nil {
		element.AttackName = *d.attack.Name
	}
	for i, x := range v.IndicatorVerdicts {
		shown := outline.IndicatorOf(&d.attack.Indicators[i])
		element.Indicators[i] = indicatorJSON{
			ID: x.IndicatorID, Description: shown.Description, Severity: severityOf(d.attack, shown), Looks: shown.Looks,
			Result: x.Result, Evidence: x.Evidence, Blind: x.Blind, Score: x.Score, Timestamp: x.Timestamp, Source: x.Source,
		}
		if at := x.Place; at != nil {
			element.Indicators[i].placeJSON = &placeJSON{j.captures[at.Input], at.MessageIndex, at.Line, at.Method, at.Path, at.Operator}
		}
		element.Indicators[i].Context = j.context.around(&x)
		if selections != nil {
			element.Indicators[i].Selection = &selections[i]
		}
		if x.Err != nil {
			element.Indicators[i].ErrorKind = string(x.Err.Kind)
		}
	}
	if d := v.Delivery; d != nil {
		element.Delivery = &deliveryJSON{Status: d.Status, What: d.What}
		if d.Place != nil {
			element.Delivery.Input, element.Delivery.Line = j.captures[d.Place.Input], d.Place.Line
		}
	}
	for _, g := range v.Diagnostics {
		element.Diagnostics = append(element.Diagnostics, diagnosticJSON{g.Code, string(g.Severity), g.Path, g.Message})
	}
	return element
}

func (n *verdictCounts) summary() report.Summary {
	s := report.Summary{Value: n, Weight: report.Good, Text: fmt.Sprintf("%s: %d %s, %d %s, %d %s, %d %s (%s in %s)", cmdline.Counted(n.Verdicts, "verdict"),
		n.Exploited, eval.Exploited, n.Partial, eval.Partial, n.NotExploited, eval.NotExploited, n.Error, eval.AttackError,
		cmdline.Counted(n.Messages, "message"), cmdline.Counted(n.Captures, "capture"))}
	switch { // the worst verdict of them, with nothing accepted
	case n.Accepted > 0:
	case n.Exploited > 0:
		s.Word = string(eval.Exploited)
	case n.Partial > 0:
		s.Word = string(eval.Partial)
	case n.NotExploited > 0:
		s.Word = strings.ReplaceAll(string(eval.NotExploited), "_", " ")
	}
	if s.Accepted = n.Accepted > 0; s.Accepted {
		s.Text += app.AcceptedToo(n.Accepted)
	}
	if n.NotApplied > 0 {
		s.Text += fmt.Sprintf("; %s not applicable", cmdline.Counted(n.NotApplied, "document"))
	}
	if n.Invalid > 0 {
		s.Text += "; " + cmdline.Counted(n.Invalid, "document") + " without a verdict"
	}
	if n.BadLines > 0 {
		s.Text += "; " + cmdline.Counted(n.BadLines, "line") + " not read"
	}
	if n.Exploited+n.Partial > n.Accepted || n.Error+n.Invalid > 0 {
		s.Weight = report.Bad
	}
	return s
}

// messagesView returns a function that creates a verdict's page view, the messages with matches.
func (j *evalRun) messagesView(d *judgedDocument, v eval.AttackVerdict) func() (page.View, error) {
	if j.log == nil {
		return nil
	}
	return func() (page.View, error) {
		s := &verdictView{evalRun: j, notes: map[int][]indicatorMatch{}, view: &page.Messages{Total: j.log.total}}
		for i := range v.IndicatorVerdicts {
			s.indicator(&v.IndicatorVerdicts[i], &d.attack.Indicators[i])
		}
		s.rows()
		return s.view, nil
	}
}
