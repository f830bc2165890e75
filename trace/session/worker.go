package session

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/stream"
)

// The codes of what a single line tells about its envelope.
const (
	codeEnvelopeUnknown    = "envelope.unknown"
	codeFieldMissing       = "field.missing"
	codeFieldType          = "field.type"
	codeFieldUnknown       = "field.unknown"
	codeTypeUnknown        = "event.type_unknown"
	codeVersionUnsupported = "version.unsupported"
	codeHashPayload        = "hash.payload"
	codeHashEvent          = "hash.event"
	codeLogDrop            = "log_drop"
	codeLogDropCount       = "log_drop.count_invalid"
)

// worker reads single events: shape, canonical bytes, hashes, payload rules.
type worker struct {
	checker *Checker
	env     *envelope
	hashes  hasher
	payload payloadChecker
	batch   *batch
	said    map[said]bool // the notes that are made once
	order   []member      // the members of the last event, in its order

	line    source.Line // under work
	doc     *strictjson.Document
	fault   string // the code of the last shape fault
	nodes   [memberCount]strictjson.Node
	covered []strictjson.Node // the members that the event's hash covers
}

// said is a note that was made: the rule, and the member that it is about.
type said struct {
	rule  string
	table *table
	name  string
}

// batch is one block's events and findings on their way to be put in order.
type batch struct {
	events   []event
	findings *stream.Findings
	broken   int // findings that touch integrity
	err      error
}

func (c *Checker) newBatch() *batch {
	if b, ok := c.batches.Get().(*batch); ok {
		return b
	}
	return &batch{findings: stream.NewFindings(c.limits.Findings)}
}

// Worker returns a reader of single events.
func (c *Checker) Worker() stream.Worker {
	w := &worker{checker: c, env: c.env, said: map[said]bool{}, batch: c.newBatch()}
	w.hashes = newHasher(c.profiles, c.opt.Engine)
	w.payload = payloadChecker{report: w.payloadFault, note: w.wanted, writer: jcs.NewWriter(nil)}
	return w
}

// Unreadable leaves a hole in the chain.
func (w *worker) Unreadable(l source.Line) {
	w.batch.events = append(w.batch.events, event{line: l, lost: true, cut: !l.Terminated, own: stream.LineJSON})
}

// Flush hands the block's events over to be put in order.
func (w *worker) Flush() func() error {
	b := w.batch
	w.batch = w.checker.newBatch()
	return func() error { return w.checker.putInOrder(b) }
}

// Line reads one event.
func (w *worker) Line(l source.Line, doc *strictjson.Document) {
	w.line, w.doc = l, doc
	w.batch.events = append(w.batch.events, event{line: l})
	e := &w.batch.events[len(w.batch.events)-1]
	if !w.collect(doc.Root(), e) {
		e.lost, e.misfit, e.own = true, true, w.fault
		return
	}
	w.fill(e)
	if w.env.chained {
		w.verifyHashes(e)
	}
	w.details(e)
	if w.env.tables && !w.checker.opt.IntegrityOnly {
		w.payload.check(e.kind, w.nodes[payloadMember])
		w.tool(e)
	}
}

// collect finds the envelope's members and checks that each is there and of its type.
// Producers write them in the same order line after line, so the member at a place is
// usually the last event's there.
func (w *worker) collect(root strictjson.Node, e *event) (good bool) {
	w.nodes = [memberCount]strictjson.Node{}
	w.covered = w.covered[:0]
	good = true
	var seen uint32
	i := 0
	for n := range root.Children() {
		m := noMember
		if i < len(w.order) && w.order[i] != noMember && n.KeyIs(memberNames[w.order[i]]) {
			m = w.order[i]
		} else if m = w.memberOf(n); i < 2*int(memberCount) {
			w.order = append(w.order[:min(i, len(w.order))], m)
		}
		i++
		if m != eventHash && m != signature {
			w.covered = append(w.covered, n)
		}
		if m == noMember || w.env.shapes[m] == stranger {
			w.unknown(n, m)
			continue
		}
		w.nodes[m] = n
		if n.Is(strictjson.Null) && w.env.shapes[m] != aLink {
			continue // counts as absent
		}
		seen |= 1 << m
		if !fits(n.Kind(), w.env.shapes[m]) {
			good = w.wrongType(m, w.env.shapes[m])
			continue
		}
		if !n.Is(strictjson.Null) {
			start, end := n.Span()
			e.spans[m] = span{int32(start), int32(end)}
		}
	}
	for missing := w.env.required &^ seen; missing != 0; missing &= missing - 1 {
		good = w.missing(member(bits.TrailingZeros32(missing)))
	}
	return good
}

// fits says whether a value is of the type that the envelope wants.
func fits(k strictjson.Kind, s shape) bool {
	switch s {
	case aText, maybeText:
		return k == strictjson.String
	case aLink:
		return k == strictjson.String || k == strictjson.Null
	case aUint, maybeUint:
		return k == strictjson.Number
	case anObject:
		return k == strictjson.Object
	}
	return true
}

func (w *worker) memberOf(n strictjson.Node) member {
	for m := range memberCount {
		if n.KeyIs(m.String()) {
			return m
		}
	}
	return noMember
}

// unknown notes a member outside the envelope, once per name. A hash inside a bare
// log means that the log is not what its first line said.
func (w *worker) unknown(n strictjson.Node, m member) {
	if !w.env.chained {
		if m == payloadHash || m == prevEventHash || m == eventHash || m == prevHash {
			start, end := n.KeySpan()
			w.reject(codeEnvelopeUnknown, start, end, m.String(), fmt.Sprintf("%s in a log that began without hashes", m))
		}
		return
	}
	start, end := n.KeySpan()
	if w.once(said{rule: codeFieldUnknown, name: string(w.doc.Source[start+1 : end-1])}) {
		key := n.Key()
		w.add(finding.Info, codeFieldUnknown, start, end, clip(key), fmt.Sprintf("member %q is not part of the envelope", clip(key)))
	}
}

// once says whether something is said for the first time, as long as the list of
// what was said stays small.
func (w *worker) once(what said) bool {
	const most = 1000
	if w.said[what] || len(w.said) >= most {
		return false
	}
	w.said[what] = true
	return true
}

var shapeNames = [...]string{maybeText: "a string", maybeUint: "an unsigned integer", aText: "a string", aLink: "a string or null", aUint: "an unsigned integer", anObject: "an object"}

func (w *worker) missing(m member) bool {
	f := finding.Finding{Rule: codeFieldMissing, Path: m.String(), Message: fmt.Sprintf("mandatory member %q is missing", m)}
	start, end := w.doc.Root().Span()
	end = min(end, start+1)
	if n := w.nodes[m]; n.Exists() {
		start, end = n.Span()
		f.Message = fmt.Sprintf("mandatory member %q is null", m)
		if m == eventHash {
			f.Help = "an event without its hash is a proposal: verify the log after it was sealed"
		}
	}
	source.Point(&f, w.line, start, end)
	w.fault = f.Rule
	w.batch.findings.Reject(f)
	return false
}

func (w *worker) wrongType(m member, s shape) bool {
	n := w.nodes[m]
	start, end := n.Span()
	f := finding.Finding{Rule: codeFieldType, Path: m.String(), Expected: shapeNames[s], Found: stream.Article(n.Kind())}
	f.Message = fmt.Sprintf("%s is %s, expected %s", m, f.Found, f.Expected)
	if text, ok := n.Text(); ok && m == payloadMember && strings.HasPrefix(text, "{") {
		f.Help = "the payload is JSON inside a string: write it as an object"
	}
	source.Point(&f, w.line, start, end)
	w.fault = f.Rule
	w.batch.findings.Reject(f)
	return false
}

// fill reads the members that the order of events needs.
func (w *worker) fill(e *event) {
	w.fillNumber(e)
	e.prev, e.hash = linkOf(w.nodes[w.linkMember()]), linkOf(w.nodes[eventHash])
	if w.env.versions {
		w.fillVersion(e)
	}
	if w.env.inner {
		w.innerSession(e)
	}
	var scratch [64]byte
	e.kind = w.env.types[string(w.nodes[typeName].TextBytes(scratch[:0]))]
	if e.kind == 0 {
		name, _ := w.nodes[typeName].Text()
		start, end := w.nodes[typeName].Span()
		w.reject(codeTypeUnknown, start, end, typeName.String(), fmt.Sprintf("unknown event type %q", clip(name)))
	}
}

// linkMember is the member that names the event before; a bare log has none, and
// prev_hash is absent there.
func (w *worker) linkMember() member {
	if w.env.link == noMember {
		return prevHash
	}
	return w.env.link
}

// fillNumber reads the sequence number. A bare log may use either name.
func (w *worker) fillNumber(e *event) {
	m := w.env.number
	e.first = w.env.first
	if !w.env.chained && w.nodes[m].Missing() {
		m, e.first = seqMember, 1
	}
	if m == noMember || w.nodes[m].Missing() {
		return
	}
	e.spans[sequenceNumber] = e.spans[m]
	n := w.nodes[m]
	var err error
	e.number, err = strconv.ParseUint(string(n.Raw()), 10, 64)
	if e.numbered = err == nil; !e.numbered {
		start, end := n.Span()
		w.reject(codeFieldType, start, end, m.String(), fmt.Sprintf("%s is %s, expected an integer from 0 to 18446744073709551615", m, clip(string(n.Raw()))))
	}
}

func (w *worker) fillVersion(e *event) {
	n := w.nodes[schemaVer]
	if n.Missing() {
		e.version = noVersion
		return
	}
	for i, v := range versions {
		if n.TextIs(v) {
			e.version = 1 << i
			return
		}
	}
	version, _ := n.Text()
	start, end := n.Span()
	w.reject(codeVersionUnsupported, start, end, schemaVer.String(), fmt.Sprintf("schema_ver %q is not supported, expected one of %s", clip(version), strings.Join(versions, ", ")))
}

// innerSession takes the session's id from the payload, where the envelope of 6
// members keeps it.
func (w *worker) innerSession(e *event) {
	if n := w.nodes[payloadMember].Get("session_id"); n.Is(strictjson.String) && !e.has(sessionID) {
		start, end := n.Span()
		e.spans[sessionID] = span{int32(start), int32(end)}
	}
}

// verifyHashes recomputes the event's hashes under the known canonicalizations.
func (w *worker) verifyHashes(e *event) {
	if !w.env.whole {
		profile, computed, err := w.hashes.match(linkOf(w.nodes[payloadHash]), w.nodes[payloadMember])
		w.judge(e, codeHashPayload, payloadHash, profile, computed, err)
		w.covered = w.covered[:0]
		for _, m := range signed {
			w.covered = append(w.covered, w.nodes[m])
		}
		if w.hashes.matchPlain(e.hash, w.covered) {
			e.profiles |= rfc8785Bit
			return
		}
	}
	profile, computed, err := w.hashes.matchObject(e.hash, w.covered)
	w.judge(e, codeHashEvent, eventHash, profile, computed, err)
}

// judge reports a hash that no canonicalization explains.
func (w *worker) judge(e *event, code string, m member, profile uint8, computed digest.Sum, err error) {
	if err != nil && w.batch.err == nil {
		w.batch.err = fmt.Errorf("line %d: %w", w.line.Number, err)
	}
	if profile != 0 {
		e.profiles |= profile
		return
	}
	e.own = code
	if w.batch.broken++; w.batch.findings.Full(finding.Error) {
		w.batch.findings.Count(finding.Error, 1)
		return
	}
	n := w.nodes[m]
	start, end := n.Span()
	f := finding.Finding{Rule: code, Severity: finding.Error, Path: m.String(), Index: e.index(),
		Message:  fmt.Sprintf("%s does not match under %s", m, w.checker.profileNames()),
		Expected: computed.Hex(), Found: clip(strings.Trim(string(n.Raw()), `"`))}
	source.Point(&f, w.line, start, end)
	w.batch.findings.Add(f)
}

// details keeps what the rules of rare events need.
func (w *worker) details(e *event) {
	payload := w.nodes[payloadMember]
	switch e.kind {
	case logDrop:
		w.logDrop(e, payload)
	case chainSeal, sessionStart, sessionEnd:
		e.detail = w.newDetail(payload)
	}
	if w.env.chained && e.has(signature) {
		if e.detail == nil {
			e.detail = &detail{}
		}
		e.detail.signed = w.signature()
	}
}

// signature verifies the Ed25519 signature over the hexadecimal digits of event_hash.
func (w *worker) signature() sigState {
	if w.checker.Key == nil {
		return sigUnchecked
	}
	text, _ := w.nodes[signature].Text()
	sig, err := base64.StdEncoding.DecodeString(text)
	hash, _ := w.nodes[eventHash].Text()
	if err != nil || !ed25519.Verify(w.checker.Key, []byte(hash), sig) {
		return sigInvalid
	}
	return sigValid
}

// payloadKeys are the members of payloads that the envelope's own rules read.
var payloadKeys = []string{
	"final_event_hash", "final_hash", "ingestion_service_id", "seal_timestamp", "session_digest", "authority", "server_hmac",
	"sdk_public_key", "merkle_root",
}

func (w *worker) newDetail(payload strictjson.Node) *detail {
	d := &detail{keys: map[string]string{}}
	for _, key := range payloadKeys {
		if text, ok := payload.Get(key).Text(); ok {
			d.keys[key] = text
		}
	}
	if n := payload.Get("merkle_leaf_count"); n.Exists() {
		count, ok := n.Int()
		d.leaves, d.hasLeaves = uint64(count), true
		if !ok {
			d.leaves = 1 << 63 // no log has as many leaves: it cannot match
		}
	}
	d.mac = d.keys["server_hmac"]
	for _, m := range []member{hmacMember, sealHMAC} {
		if text, ok := w.nodes[m].Text(); ok {
			d.mac = text
		}
	}
	return d
}

func (w *worker) logDrop(e *event, payload strictjson.Node) {
	start, end := w.nodes[typeName].Span()
	w.add(finding.Info, codeLogDrop, start, end, typeName.String(), "the writer says that events were dropped here")
	for _, key := range []string{"dropped_events", "dropped_count", "count", "lost_count"} {
		if n := payload.Get(key); n.Is(strictjson.Number) {
			if negative, _, whole, _ := integral(n.Raw()); whole && !negative {
				return
			}
		}
	}
	start, end = w.nodes[payloadMember].Span()
	w.add(finding.Info, codeLogDropCount, start, min(end, start+1), payloadMember.String(), "LOG_DROP without a count of the dropped events")
}

// tool keeps a digest of a tool call's id and name.
func (w *worker) tool(e *event) {
	if e.kind != toolCall && e.kind != toolResult {
		return
	}
	payload := w.nodes[payloadMember]
	id, tool := payload.Get("tool_id"), payload.Get("tool_name")
	if !id.Is(strictjson.String) || !tool.Is(strictjson.String) {
		return
	}
	var a, b [64]byte
	e.hasTool, e.tool = true, newToolID(id.TextBytes(a[:0]), tool.TextBytes(b[:0]))
	start, end := id.Span()
	e.toolSpan = span{int32(start), int32(end)}
}

func (w *worker) reject(code string, start, end int, path, message string) {
	f := finding.Finding{Rule: code, Path: path, Message: message}
	source.Point(&f, w.line, start, end)
	w.batch.findings.Reject(f)
}

func (w *worker) add(s finding.Severity, code string, start, end int, path, message string) {
	if w.batch.findings.Full(s) {
		w.batch.findings.Count(s, 1)
		return
	}
	f := finding.Finding{Rule: code, Severity: s, Path: path, Message: message}
	source.Point(&f, w.line, start, end)
	w.batch.findings.Add(f)
}

// payloadFault turns a fault of the payload table into a finding.
func (w *worker) payloadFault(p payloadFault) {
	severity := finding.Error
	switch p.rule {
	case codePayloadUnknown:
		if !w.checker.opt.StrictPayload {
			severity = finding.Info
		}
	case codePayloadNullOptional, codeRedactionDiffers:
		severity = finding.Info
	}
	if w.batch.findings.Full(severity) {
		w.batch.findings.Count(severity, 1)
		return
	}
	start, end := p.node.Span()
	if p.key {
		start, end = p.node.KeySpan()
	} else if p.node.Is(strictjson.Object) || p.node.Is(strictjson.Array) {
		end = start + 1
	}
	f := finding.Finding{Rule: p.rule, Severity: severity, Path: p.path, Message: p.message, Expected: p.expected, Found: p.found}
	if e := &w.batch.events[len(w.batch.events)-1]; e.numbered {
		f.Index = e.index()
	}
	source.Point(&f, w.line, start, end)
	w.batch.findings.Add(f)
}

// wanted makes notes on payload members once for each member of each kind of object.
func (w *worker) wanted(rule string, t *table, name []byte) bool {
	if rule == codePayloadUnknown && w.checker.opt.StrictPayload {
		return true
	}
	return w.once(said{rule, t, string(name)})
}

// index is the event's own number for a finding.
func (e *event) index() *int64 {
	if !e.numbered || e.number > 1<<63-1 {
		return nil
	}
	n := int64(e.number)
	return &n
}
