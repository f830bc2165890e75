package report

import (
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/decided"
)

type (
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifRule struct {
		ID               string       `json:"id"`
		Name             string       `json:"name"`
		ShortDescription sarifMessage `json:"shortDescription"`
		FullDescription  sarifMessage `json:"fullDescription"`
		Help             sarifHelp    `json:"help"`
		HelpURI          string       `json:"helpUri"`
		Configuration    sarifLevel   `json:"defaultConfiguration"`
		Relationships    []sarifKin   `json:"relationships,omitempty"`
		Properties       *sarifSpec   `json:"properties,omitempty"`
	}
	sarifSpec struct {
		Revision string   `json:"revision,omitempty"`          // of the specification; ids can exist in several
		Severity string   `json:"security-severity,omitempty"` // from 0.0 to 10.0, as GitHub reads it
		Tags     []string `json:"tags,omitempty"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
		Taxonomies     []sarifPart `json:"supportedTaxonomies,omitempty"`
	}
	sarifResult struct {
		RuleID     string          `json:"ruleId"`
		RuleIndex  *int            `json:"ruleIndex,omitempty"`
		Level      string          `json:"level"`
		Message    sarifMessage    `json:"message"`
		Locations  []sarifLocation `json:"locations,omitempty"`
		Prints     sarifPrints     `json:"partialFingerprints"`
		Fixes      []sarifFix      `json:"fixes,omitempty"`
		Properties *sarifMore      `json:"properties,omitempty"`

		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"` // "external": by another file than the one with the finding
		Justification string `json:"justification"`
	}
	sarifPrints struct { // fingerprints across runs: under cupel's name and GitHub's
		Own    string `json:"cupel/v1"`
		GitHub string `json:"primaryLocationLineHash"`
	}
	sarifMore struct {
		Expected string   `json:"expected,omitempty"`
		Found    string   `json:"found,omitempty"`
		CausedBy string   `json:"causedBy,omitempty"`
		Notes    []string `json:"notes,omitempty"`
		Revision string   `json:"revision,omitempty"`
		Part     string   `json:"part,omitempty"` // part of the file; the message contains it
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
	}
	sarifFix struct {
		Description sarifMessage  `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifBytes    `json:"deletedRegion"`
		Inserted *sarifContent `json:"insertedContent,omitempty"`
	}
	sarifContent struct { // the content twice: byte regions require bytes, readers want text
		Text   string `json:"text"`
		Binary []byte `json:"binary"`
	}
	sarifBytes struct { // length 0 is the position before the byte
		Offset int `json:"byteOffset"`
		Length int `json:"byteLength"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
		Properties    *sarifDecided       `json:"properties,omitempty"`
	}
	sarifDecided struct {
		DecidedWith []decided.File `json:"decidedWith"`
	}
	sarifNotification struct {
		Level   string       `json:"level"`
		Message sarifMessage `json:"message"`
	}
)

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	homepage    = "https://github.com/cupel-dev/cupel"
)

// sarif writes a SARIF 2.1.0 log with one run. It streams the results, followed by the rules that they name.
type sarif struct {
	*sink
	version  string
	known    []finding.Rule
	index    ruleIndex        // of known
	used     map[sarifKey]int // the index of a rule in the run's rules
	taxa     sarifTaxonomies
	rules    []sarifRule // in the order in which they were used
	prints   fingerprints
	results  int
	failures []string
}

func newSARIF(w io.Writer, run Run, _ Options) Writer {
	s := &sarif{sink: &sink{w: w}, version: run.Version, known: run.KnownRules(), used: map[sarifKey]int{}, rules: []sarifRule{}}
	s.index = indexRules(s.known)
	s.text("{\n\"$schema\": ")
	s.json(sarifSchema)
	s.text(",\n\"version\": \"2.1.0\",\n\"runs\": [{\n\"columnKind\": \"utf16CodeUnits\",\n\"results\": [")
	return s
}

// sarifKey identifies a rule of a run: the index of a known rule, and the rule below it.
type sarifKey struct {
	rule       int
	sub, title string
}

// rule returns the index of a finding's rule in the rules of the run, or nil if the command has no such rule.
func (s *sarif) rule(f finding.Finding) (id string, index *int) {
	i, ok := s.index.of(f.Rule, f.Revision())
	if !ok {
		return f.Rule, nil
	}
	sub := f.SubRule()
	key := sarifKey{i, sub.ID, sub.Title}
	at, ok := s.used[key]
	if !ok {
		at = len(s.rules)
		s.used[key] = at
		d := s.descriptor(s.known[i])
		if sub.ID != "" {
			s.below(&d, sub)
		}
		s.rules = append(s.rules, d)
	}
	return s.rules[at].ID, &at
}

func (s *sarif) descriptor(r finding.Rule) sarifRule {
	d := sarifRule{
		ID: r.ID, Name: sarifName(r.Title), ShortDescription: sarifMessage{r.Title}, FullDescription: sarifMessage{r.Rationale},
		Help:          sarifHelp{r.Clause + "; `" + s.index.command(r.ID, r.Revision) + "` for details", markdownOf(r)},
		HelpURI:       buildinfo.RulePage(r.ID),
		Configuration: sarifLevel{sarifLevelOf[r.Severity]},
	}
	if r.Revision != "" {
		d.Properties = &sarifSpec{Revision: r.Revision}
	}
	return d
}

// sarifName converts a title to a readable identifier (clause 3.49.7): "an event is missing" becomes
// AnEventIsMissing.
func sarifName(title string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		first, size := utf8.DecodeRuneInString(word)
		b.WriteRune(unicode.ToUpper(first))
		b.WriteString(word[size:])
	}
	return b.String()
}

// markdownOf returns the explanation of a rule without its examples, because some trigger secret scanners.
func markdownOf(r finding.Rule) string {
	var b strings.Builder
	r.Bad, r.Good = "", ""
	ExplainMarkdown(&b, r)
	fmt.Fprintf(&b, "\n[Examples](%s)\n", buildinfo.RulePage(r.ID))
	return b.String()
}

var sarifLevelOf = [...]string{finding.Info: "note", finding.Warning: "warning", finding.Error: "error"}

func (s *sarif) Finding(f finding.Finding) error { return s.result(f, nil) }

// suppressed writes a suppressed finding (clause 3.27.23).
func (s *sarif) suppressed(f finding.Finding, why string) error {
	return s.result(f, []sarifSuppression{{"external", why}})
}

func (s *sarif) result(f finding.Finding, suppressions []sarifSuppression) error {
	id, index := s.rule(f)
	result := sarifResult{RuleID: id, RuleIndex: index, Level: sarifLevelOf[f.Severity], Message: sarifMessage{comparison(inPart(f), asItIs)}}
	if f.File != "" {
		result.Locations = []sarifLocation{location(f)}
		result.Fixes = fixes(f)
	}
	if f.Expected+f.Found+f.CausedBy+f.Revision()+f.Part() != "" || len(f.Notes) > 0 {
		result.Properties = &sarifMore{f.Expected, f.Found, f.CausedBy, f.Notes, f.Revision(), f.Part()}
	}
	known := s.prints.of(f)
	result.Prints, result.Suppressions = sarifPrints{known, known}, suppressions
	if s.results > 0 {
		s.text(",")
	}
	s.results++
	s.text("\n")
	s.json(result)
	return s.err
}

// asItIs does not escape, because JSON encoding does.
func asItIs(text string) string { return text }

func location(f finding.Finding) sarifLocation {
	at := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{fileURI(f.File)}}}
	if f.Path != "" {
		at.Logical = []sarifLogical{{f.Path}}
	}
	if f.Line > 0 {
		at.Physical.Region = &sarifRegion{
			StartLine: f.Line, StartColumn: utf16Column(f.Column, f.Source.Astral[0]),
			EndLine: f.EndLine, EndColumn: utf16Column(f.EndColumn, f.Source.Astral[1]),
		}
	}
	return at
}

// fixes returns the edits of the finding as byte regions, which do not depend on line ends.
func fixes(f finding.Finding) []sarifFix {
	if f.Fix == nil || len(f.Fix.Edits) == 0 {
		return nil
	}
	change := sarifChange{Artifact: sarifArtifact{fileURI(f.File)}}
	for _, e := range f.Fix.Edits {
		r := sarifReplacement{Deleted: sarifBytes{e.Start, e.End - e.Start}}
		if e.Text != "" {
			r.Inserted = &sarifContent{e.Text, []byte(e.Text)}
		}
		change.Replacements = append(change.Replacements, r)
	}
	return []sarifFix{{sarifMessage{f.Fix.Title}, []sarifChange{change}}}
}

// utf16Column converts a column in code points to UTF-16 code units. astral is the number of earlier code points
// that take two.
func utf16Column(column, astral int) int {
	if column == 0 {
		return 0
	}
	return column + astral
}

func fileURI(path string) string {
	if strings.HasPrefix(path, "/") {
		return (&url.URL{Scheme: "file", Path: path}).String()
	}
	return (&url.URL{Path: path}).String()
}

func (s *sarif) Answer(a Answer) error {
	if a.Annotation != nil {
		return s.Finding(*a.Annotation)
	}
	return s.err
}

func (s *sarif) Fail(message string) error {
	s.failures = append(s.failures, message)
	return s.err
}

func (s *sarif) Close(sum Summary) error {
	run := sarifInvocation{Successful: len(s.failures) == 0}
	if len(sum.DecidedWith) > 0 {
		run.Properties = &sarifDecided{sum.DecidedWith}
	}
	for _, message := range s.failures {
		run.Notifications = append(run.Notifications, sarifNotification{"error", sarifMessage{message}})
	}
	s.text("\n],\n\"tool\": {\"driver\": ")
	s.json(sarifDriver{Name: "cupel", Version: s.version, InformationURI: homepage, Rules: s.rules, Taxonomies: s.taxa.parts()})
	s.text("},\n\"invocations\": [")
	s.json(run)
	s.text("]")
	if len(s.taxa.list) > 0 {
		s.text(",\n\"taxonomies\": ")
		s.json(s.taxa.list)
	}
	s.text("\n}]\n}\n")
	return s.err
}
