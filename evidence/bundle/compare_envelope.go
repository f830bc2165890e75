package bundle

import (
	"bytes"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/internal/siphash"
)

// compareAttributes are the compared attributes. Number, id and recorded hash are not compared, because they follow
// from position and content. The last one is all unknown attributes.
var compareAttributes = [...]evidence.Attribute{
	evidence.AttrRunID, evidence.AttrTime, evidence.AttrSource,
	evidence.AttrProducer, evidence.AttrProducerVersion, evidence.AttrGit,
	evidence.AttrTraceParent, evidence.AttrTraceState, evidence.AttrPolicyID, evidence.AttrPII, evidence.AttrSecrets,
	evidence.AttrSemanticDigest, evidence.AttrDigestProfile, evidence.AttrOther,
}

// envelopeSums are 64-bit hashes of the values of compareAttributes, 0 if absent.
type envelopeSums [len(compareAttributes)]uint64

// differing returns the attributes in which two events differ. One of them can be nil.
func differing(a, b *record) (names []string) {
	for i := 0; a != nil && b != nil && i < len(compareAttributes); i++ {
		if a.envelope[i] != b.envelope[i] {
			names = append(names, compareAttributes[i].String())
		}
	}
	return names
}

// digester hashes envelopes, regardless of how values are written.
type digester struct {
	key  siphash.Key // random per comparison, to prevent crafted collisions
	text []byte
}

// noText separates hashed texts, because it is not valid UTF-8.
const noText = 0xff

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
	sums[len(sums)-1] = d.others(r)
	return sums
}

// value returns the hash of an attribute. A missing attribute has the hash of its default.
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

// others returns the hash of the attributes that the contract does not define, independent of their order.
func (d *digester) others(r *evidence.Result) (sum uint64) {
	verbatim := slices.ContainsFunc(r.Findings, func(f evidence.Finding) bool { return f.Rule == numberOutsideHash })
	for member := range unknown(r.Event) {
		if member.Missing() {
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
