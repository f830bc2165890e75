package bundle

import (
	"bytes"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/internal/siphash"
)

// hashKey is random per comparison, to prevent crafted collisions.
type hashKey = siphash.Key

// compareAttributes are the compared envelope attributes. Number, id and recorded hash follow from
// position and content. The last one means all unknown attributes.
var compareAttributes = [...]evidence.Attribute{
	evidence.AttrRunID, evidence.AttrTime, evidence.AttrSource,
	evidence.AttrProducer, evidence.AttrProducerVersion, evidence.AttrGit,
	evidence.AttrTraceParent, evidence.AttrTraceState, evidence.AttrPolicyID, evidence.AttrPII, evidence.AttrSecrets,
	evidence.AttrSemanticDigest, evidence.AttrDigestProfile, evidence.AttrOther,
}

// envelopeSums are 64-bit hashes of compareAttributes' values, 0 if absent. Envelopes are compared
// only by them.
type envelopeSums [len(compareAttributes)]uint64

// attributes is a set of compareAttributes.
type attributes uint16

func (s *envelopeSums) differing(t *envelopeSums) (set attributes) {
	for i := range s {
		if s[i] != t[i] {
			set |= 1 << i
		}
	}
	return set
}

func (set attributes) names() (list []string) {
	for i, a := range compareAttributes {
		if set&(1<<i) != 0 {
			list = append(list, a.String())
		}
	}
	return list
}

// digester makes hashes of envelopes: how a value is spelled never matters.
type digester struct {
	key  hashKey
	text []byte
}

// noText separates hashed texts: it is not valid UTF-8.
const noText = 0xff

// name is the hash of type and subject.
func (d *digester) name(v *envelope.View) uint64 {
	d.text = append(append(d.text[:0], v.Type...), noText)
	if v.Subject != nil {
		d.text = append(append(d.text, noText), v.Subject...)
	}
	return d.key.Sum64(d.text)
}

func (d *digester) envelope(r *evidence.Result, v *envelope.View) (sums envelopeSums) {
	for i, a := range compareAttributes[:len(compareAttributes)-1] {
		sums[i] = d.value(r.Event, a, v)
	}
	if d.hasOthers(r.Event) {
		sums[len(sums)-1] = d.others(r)
	}
	return sums
}

// value is the hash of an attribute. One that is absent is as one that has its default.
func (d *digester) value(e *evidence.Event, a evidence.Attribute, v *envelope.View) uint64 {
	value := e.Get(a)
	switch {
	case a == evidence.AttrTime && v.Timed:
		d.text = v.Time.AppendText(d.text[:0])
		return d.key.Sum64(d.text)
	case value.Missing(), a == evidence.AttrGit && string(v.Git) == "unknown":
		return 0
	case value.Kind() == evidence.KindString:
		return d.key.Sum64(value.TextBytes(nil))
	case (a == evidence.AttrPII || a == evidence.AttrSecrets) && string(value.Raw()) == "false":
		return 0
	}
	d.text = value.AppendCanonical(append(d.text[:0], noText))
	return d.key.Sum64(d.text)
}

// hasOthers reports whether an event has attributes that the contract does not name.
func (d *digester) hasOthers(e *evidence.Event) bool {
	named := 0
	for a := evidence.AttrOther + 1; a <= evidence.AttrDigestProfile; a++ {
		if e.Get(a).Exists() {
			named++
		}
	}
	return e.Root().Len() > named
}

// others is the hash of the attributes that the contract does not name, in any order.
func (d *digester) others(r *evidence.Result) (sum uint64) {
	verbatim := slices.ContainsFunc(r.Findings, func(f evidence.Finding) bool { return f.Rule == numberOutsideHash })
	for member := range r.Event.Root().Children() {
		if evidence.AttributeOf(member.Name()) != evidence.AttrOther || member.Missing() {
			continue
		}
		d.text = append(append(d.text[:0], member.Name()...), noText)
		if verbatim { // a number beyond a double has no canonical form
			d.text = append(d.text, bytes.TrimSpace(member.Raw())...)
		} else {
			d.text = member.AppendCanonical(d.text)
		}
		sum += d.key.Sum64(d.text)
	}
	return sum
}
