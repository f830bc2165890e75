package bundle

import (
	"iter"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
)

// written are the attributes in canonical order with the default of optional ones, "" to omit them.
var written = [...]struct {
	attribute evidence.Attribute
	otherwise string
}{
	{evidence.AttrContentHash, ""},
	{evidence.AttrDigestProfile, ""},
	{evidence.AttrGit, `"unknown"`},
	{evidence.AttrPII, "false"},
	{evidence.AttrPolicyID, ""},
	{evidence.AttrProducer, ""},
	{evidence.AttrProducerVersion, ""},
	{evidence.AttrRunID, ""},
	{evidence.AttrSecrets, "false"},
	{evidence.AttrSemanticDigest, ""},
	{evidence.AttrSequence, ""},
	{evidence.AttrData, ""},
	{evidence.AttrContentType, ""},
	{evidence.AttrID, ""},
	{evidence.AttrSource, ""},
	{evidence.AttrSpecVersion, ""},
	{evidence.AttrSubject, ""},
	{evidence.AttrTime, ""},
	{evidence.AttrTraceParent, ""},
	{evidence.AttrTraceState, ""},
	{evidence.AttrType, ""},
}

// lines writes events as a bundle contains them: canonical JSON with the computed content hash, normalized time,
// defaults, and without null members.
type lines struct {
	canonical   *evidence.Canonicalizer
	dropUnknown bool
	others      []other // the members of the current event that the contract does not name
	members     int     // written of the current event
	text        []byte  // of several events; earlier slices stay valid
}

type other struct {
	name  string
	value evidence.Value
}

const slab = 128 << 10

func newLines(dropUnknown bool) *lines {
	return &lines{canonical: evidence.NewCanonicalizer(), dropUnknown: dropUnknown}
}

// line returns a valid event as a line with its line feed.
func (l *lines) line(r *evidence.Result, view *envelope.View) []byte {
	if room := 2*len(r.Text()) + 512; cap(l.text)-len(l.text) < room {
		l.text = make([]byte, 0, max(slab, room))
	}
	start := len(l.text)
	l.members = 0
	l.list(r.Event)
	others := l.others
	for _, w := range &written {
		name := w.attribute.String()
		for len(others) > 0 && evidence.CompareNames(others[0].name, name) < 0 {
			l.member(others[0].value)
			others = others[1:]
		}
		l.attribute(r, view, w.attribute, w.otherwise)
	}
	for _, o := range others {
		l.member(o.value)
	}
	l.text = append(l.text, '}', '\n')
	return l.text[start:len(l.text):len(l.text)]
}

// list collects the members that the contract does not define, in their order.
func (l *lines) list(e *evidence.Event) {
	l.others = l.others[:0]
	if l.dropUnknown {
		return
	}
	for member := range unknown(e) {
		l.others = append(l.others, other{member.Name(), member})
	}
	slices.SortFunc(l.others, func(a, b other) int { return evidence.CompareNames(a.name, b.name) })
}

// unknown yields an event's members that the contract does not define.
func unknown(e *evidence.Event) iter.Seq[evidence.Value] {
	return func(yield func(evidence.Value) bool) {
		for member := range e.Root().Children() {
			if member.Attribute() == evidence.AttrOther && !yield(member) {
				return
			}
		}
	}
}

func (l *lines) attribute(r *evidence.Result, view *envelope.View, a evidence.Attribute, otherwise string) {
	value := r.Event.Get(a)
	switch {
	case a == evidence.AttrContentHash:
		l.name(a)
		l.text = append(r.Sum.AppendText(append(l.text, '"')), '"')
	case a == evidence.AttrTime:
		l.name(a)
		l.text = append(view.Time.AppendText(append(l.text, '"')), '"')
	case !value.Missing(), a == evidence.AttrData: // data can be null
		l.member(value)
	case otherwise != "":
		l.name(a)
		l.text = append(l.text, otherwise...)
	}
}

// name starts a member of the contract.
func (l *lines) name(a evidence.Attribute) {
	l.text = append(append(append(l.text, l.separator(), '"'), a.String()...), '"', ':')
}

func (l *lines) member(value evidence.Value) {
	l.text = l.canonical.AppendMember(l.text, l.separator(), value)
}

// separator returns the character before the next member.
func (l *lines) separator() byte {
	l.members++
	if l.members == 1 {
		return '{'
	}
	return ','
}
