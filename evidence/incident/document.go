package incident

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"time"

	"github.com/cupel-dev/cupel/evidence/internal/shape"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

const (
	inventorySchema  = "assay.incident.inventory.v1"
	assessmentSchema = "assay.incident.assessment.v1"
	bundleFormat     = "assay-bundle-v1"
)

// The allowed words of enumerations.
var (
	surfaceNames = []string{"tool_call", "filesystem", "network", "process", "transcript_join"}
	bundleNames  = surfaceNames[:4]
	formats      = []string{
		bundleFormat, "assay-health-json", "assay-coverage-json", "incident-context-v1", "incident-results-v1",
		"ed25519-public-key-pem", "proxy-decision-ndjson", "runner-kernel-ndjson-v0", "runner-kernel-ndjson-v1",
		"policy-bytes", "dsse-attestation", "attestation-report", "inspector-protocol-793d103",
	}
	contextKinds = []string{
		"original_digests", "chain_gaps", "custody", "producer_invocation", "clock", "actor", "correlation",
		"policy_activation", "recoverability", "resource_effects", "context_provenance", "denominator",
		"missing_evidence", "withholding_derivatives", "retention", "offline_verification", "signature_basis",
		"schema_versions", "windows",
	}
	dispositions = []string{
		examined, "not_applicable", "disabled_by_policy", "unsupported_input", "resource_exhausted", failed,
		"unavailable", "out_of_scope", withheld,
	}
	hardStops    = []string{failed, "resource_exhausted", "unavailable"}
	observations = []string{"unknown", "limited", "adequate"}
	nonClaims    = []string{"no_activity_completeness", "no_provider_outcome", "no_automatic_trust"}
)

const (
	examined = "examined"
	failed   = "failed"
	withheld = "withheld"
)

type inventory struct {
	Schema     string                `json:"schema"`
	Assessment string                `json:"assessment_sha256"`
	Inputs     []packed              `json:"inputs"`
	Context    map[string]disclosure `json:"context"`
	NonClaims  []string              `json:"non_claims"`
}

type packed struct {
	ID       string    `json:"id"`
	SHA256   string    `json:"sha256"`
	Bytes    int64     `json:"bytes"`
	Format   string    `json:"format"`
	Surfaces []string  `json:"surfaces"`
	Binding  *struct{} `json:"binding"`
}

type disclosure struct {
	Value  *string     `json:"value"`
	Reason string      `json:"reason"`
	Refs   []reference `json:"refs"`
}

type reference struct {
	InputID string `json:"input_id"`
	SHA256  string `json:"sha256"`
	Locator string `json:"locator"`
}

type assessment struct {
	Schema   string          `json:"schema"`
	Context  string          `json:"verification_context_sha256"`
	Units    []unit          `json:"units"`
	Surfaces []surface       `json:"surfaces"`
	Coverage json.RawMessage `json:"cap1"`
	Joins    []struct{}      `json:"joins"`
	Claims   []struct{}      `json:"claims"`
	Resolved []reference     `json:"resolved_results"`
}

type unit struct {
	ID          string    `json:"id"`
	Source      reference `json:"source"`
	Surface     string    `json:"surface"`
	Disposition string    `json:"disposition"`
	Result      *result   `json:"result"`
	Withheld    *string   `json:"withheld_digest"`
}

type result struct {
	Mode  string          `json:"mode"`
	Value json.RawMessage `json:"value"`
}

type surface struct {
	Name        string          `json:"name"`
	Sources     []string        `json:"source_inputs"`
	Observation string          `json:"observation"`
	Basis       []reference     `json:"basis_refs"`
	Window      json.RawMessage `json:"window"`
}

// canonical is a value in canonical JSON (RFC 8785).
func canonical(v any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic("incident: " + err.Error()) // all values can be encoded
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text.Bytes())
	if err != nil {
		panic("incident: " + err.Error())
	}
	return jcs.NewWriter(nil).Append(nil, doc.Root())
}

// document encodes a value as a document of a package.
func document(v any) []byte { return append(canonical(v), '\n') }

type reader struct {
	*shape.Reader
	rule rule
}

func newReader(r rule, what string) *reader {
	return &reader{&shape.Reader{Rule: &rules[r], What: what}, r}
}

func (r *reader) refusal() error {
	if r.Fault == nil {
		return nil
	}
	return refuse(r.rule, r.Fault.Path, "%s", r.Fault.Message)
}

// closed requires exactly the named members.
func (r *reader) closed(n strictjson.Node, names ...string) {
	r.only(n, names...)
	for _, name := range names {
		if !n.Get(name).Exists() {
			r.Refuse(n, name, "a member of this name")
		}
	}
}

// only returns an error for members with other names.
func (r *reader) only(n strictjson.Node, names ...string) {
	if !n.Is(strictjson.Object) {
		r.Refuse(n, "", "an object")
	}
	r.Unknown = nil
	if r.Only(n, names...); len(r.Unknown) > 0 {
		r.Refuse(n, "", "no member but those of the format: "+r.Unknown[0])
	}
}

func (r *reader) texts(parent strictjson.Node, name string) []string {
	list := []string{}
	for n := range r.Elements(parent, name) {
		text, ok := n.Text()
		if !ok {
			r.Refuse(n, "", "a string")
		}
		list = append(list, text)
	}
	return list
}

func (r *reader) word(parent strictjson.Node, name string, words []string) string {
	text := r.Text(parent, name)
	if !contains(words, text) {
		r.Refuse(parent, name, "a word of the format")
	}
	return text
}

// id returns a member that must name an input.
func (r *reader) id(parent strictjson.Node, name string) string {
	text := r.Text(parent, name)
	if !isID(text) {
		r.Refuse(parent, name, "1 to 64 lower-case letters, digits, dots, underscores and hyphens")
	}
	return text
}

func isID(text string) bool {
	for i, b := range []byte(text) {
		letter := b >= 'a' && b <= 'z' || b >= '0' && b <= '9'
		if !letter && (i == 0 || b != '.' && b != '_' && b != '-') {
			return false
		}
	}
	return len(text) > 0 && len(text) <= 64
}

// instant returns a required time in UTC.
func (r *reader) instant(parent strictjson.Node, name string) string {
	text := r.Text(parent, name)
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || len(text) > len("2026-01-02T03:04:05.123456789Z") || text[len(text)-1] != 'Z' || at.Year() < 0 || bytes.ContainsRune([]byte(text), ',') {
		r.Refuse(parent, name, "a time in UTC, as 2026-01-02T03:04:05Z")
	}
	return text
}

func (r *reader) reference(n strictjson.Node) reference {
	r.closed(n, "input_id", "sha256", "locator")
	return reference{r.Text(n, "input_id"), r.Text(n, "sha256"), r.Text(n, "locator")}
}

func (r *reader) references(parent strictjson.Node, name string) []reference {
	list := []reference{}
	for n := range r.Elements(parent, name) {
		list = append(list, r.reference(n))
	}
	return list
}

// text checks the lengths of a value's name and text. payload means that others wrote the value.
func (l *limits) text(name, size int, payload bool, what string) error {
	most, chosen := hard.NonPayloadStringBytes, l.NonPayloadStringBytes
	if payload {
		most, chosen = hard.PayloadStringBytes, l.PayloadStringBytes
	}
	if err := within(int64(name), hard.JSONKeyBytes, l.JSONKeyBytes, "bytes of a name in "+what); err != nil {
		return err
	}
	return within(int64(size), most, chosen, "bytes of a string in "+what)
}

// payloads matches the pointers of payloads in documents.
var payloads = regexp.MustCompile(`^/(context/[^/]+/value|units/[0-9]+/result/value/value)(/|$)`)

// scan parses a document, which must be canonical JSON.
func scan(text []byte, what string, l *limits) (*strictjson.Document, error) {
	depth := min(hard.JSONDepth, l.JSONDepth)
	doc, err := strictjson.NewScanner(strictjson.Limits{Depth: int(depth)}).Scan(text)
	var fault *strictjson.Error
	switch {
	case errors.As(err, &fault) && fault.Code == strictjson.Depth:
		return nil, within(depth+1, hard.JSONDepth, l.JSONDepth, "levels of "+what)
	case err != nil:
		return nil, refuse(ruleShape, "", "%s is not JSON: %s", what, err)
	}
	for n := range doc.Root().All() {
		size := len(n.TextBytes(nil))
		payload := int64(size) > l.NonPayloadStringBytes && payloads.MatchString(n.Pointer())
		if err := l.text(len(n.KeyBytes(nil)), size, payload, what); err != nil {
			return nil, err
		}
	}
	if !bytes.Equal(append(jcs.NewWriter(nil).Append(nil, doc.Root()), '\n'), text) {
		return nil, refuse(ruleShape, "", "%s is not canonical JSON with one line feed after it", what)
	}
	return doc, nil
}

func readInventory(doc *strictjson.Document) (*inventory, *reader) {
	r := newReader(ruleShape, inventoryName)
	root := r.Root(doc)
	r.closed(root, "schema", "assessment_sha256", "inputs", "context", "non_claims")
	v := &inventory{Schema: r.Text(root, "schema"), Assessment: r.Text(root, "assessment_sha256"), NonClaims: r.texts(root, "non_claims"), Context: map[string]disclosure{}}
	for n := range r.Elements(root, "inputs") {
		r.closed(n, "id", "sha256", "bytes", "format", "surfaces", "binding")
		in := packed{ID: r.Text(n, "id"), SHA256: r.Text(n, "sha256"), Bytes: r.Count(n, "bytes"), Format: r.Text(n, "format"), Surfaces: r.texts(n, "surfaces")}
		bound := in.Format == "dsse-attestation" || in.Format == "attestation-report"
		if bound == n.Get("binding").Missing() {
			r.Refuse(n, "binding", "null, except in attestations and reports on them")
		}
		v.Inputs = append(v.Inputs, in)
	}
	of := r.Object(root, "context")
	r.closed(of, contextKinds...)
	for n := range of.Children() {
		r.closed(n, "value", "reason", "refs")
		d := disclosure{Reason: r.word(n, "reason", []string{"stated", "not_available", "not_applicable"}), Refs: r.references(n, "refs")}
		text, is := n.Get("value").Text()
		if stated := d.Reason == "stated"; stated != is || !stated && !n.Get("value").Missing() || stated && len(d.Refs) == 0 {
			r.Refuse(n, "value", "a string with references where it is stated, and null elsewhere")
		}
		if is {
			d.Value = &text
		}
		v.Context[n.Key()] = d
	}
	return v, r
}

func readAssessment(doc *strictjson.Document) (*assessment, *reader) {
	r := newReader(ruleShape, assessmentName)
	root := r.Root(doc)
	r.closed(root, "schema", "verification_context_sha256", "units", "surfaces", "cap1", "joins", "claims", "resolved_results")
	v := &assessment{Schema: r.Text(root, "schema"), Context: r.Text(root, "verification_context_sha256"), Resolved: r.references(root, "resolved_results")}
	for n := range r.Elements(root, "units") {
		v.Units = append(v.Units, r.unit(n))
	}
	for n := range r.Elements(root, "surfaces") {
		r.closed(n, "name", "source_inputs", "observation", "basis_refs", "window")
		s := surface{Name: r.word(n, "name", surfaceNames), Sources: r.texts(n, "source_inputs"), Observation: r.word(n, "observation", observations), Basis: r.references(n, "basis_refs")}
		if w := n.Get("window"); !w.Missing() {
			r.closed(w, "start", "end", "clock_basis")
			r.Text(w, "clock_basis")
			if start, end := r.instant(w, "start"), r.instant(w, "end"); later(start, end) {
				r.Refuse(w, "end", "a time that is not before start")
			}
			s.Window = w.Raw()
		}
		v.Surfaces = append(v.Surfaces, s)
	}
	if n := root.Get("cap1"); !n.Missing() {
		v.Coverage = n.Raw()
	}
	for range r.Elements(root, "joins") {
		v.Joins = append(v.Joins, struct{}{})
	}
	for range r.Elements(root, "claims") {
		v.Claims = append(v.Claims, struct{}{})
	}
	return v, r
}

func (r *reader) unit(n strictjson.Node) unit {
	r.closed(n, "id", "source", "surface", "disposition", "result", "withheld_digest")
	u := unit{ID: r.Text(n, "id"), Source: r.reference(n.Get("source")), Surface: r.word(n, "surface", surfaceNames), Disposition: r.word(n, "disposition", dispositions)}
	if d := n.Get("withheld_digest"); !d.Missing() {
		text := r.Text(n, "withheld_digest")
		u.Withheld = &text
	}
	of := n.Get("result")
	if of.Missing() {
		return u
	}
	u.Result = &result{Mode: r.word(of, "mode", []string{"inline", "reference"})}
	if u.Result.Mode == "reference" {
		r.only(of, "mode", "target")
		r.reference(of.Get("target"))
		return u
	}
	r.only(of, "mode", "value")
	value := of.Get("value")
	r.closed(value, "operation", "source", "value")
	r.Text(value, "operation")
	r.reference(value.Get("source"))
	u.Result.Value = value.Raw()
	return u
}

func contains(list []string, text string) bool {
	for _, word := range list {
		if word == text {
			return true
		}
	}
	return false
}

func ascending[T any](list []T, key func(T) string) bool {
	for i := 1; i < len(list); i++ {
		if key(list[i-1]) >= key(list[i]) {
			return false
		}
	}
	return true
}

// idOf returns the id of the unit at a reference.
func idOf(at reference) string {
	sum := digest.Of(canonical([]string{at.InputID, at.SHA256, at.Locator}))
	return sum.Hex()
}

// locator names an event of a bundle.
func locator(run string, seq uint64) string {
	const digits = "0123456789ABCDEF"
	text := []byte("event:")
	for _, b := range []byte(run) {
		if b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || bytes.IndexByte([]byte("-._~"), b) >= 0 {
			text = append(text, b)
		} else {
			text = append(text, '%', digits[b>>4], digits[b&15])
		}
	}
	return string(strconv.AppendUint(append(text, ':'), seq, 10))
}
