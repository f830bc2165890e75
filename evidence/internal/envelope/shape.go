package envelope

import (
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/say"
)

// form is a member's required form.
type form uint8

const (
	requiredText form = iota
	optionalText      // a string, null or absent
	assumedText       // … and required of a reader that follows the reference implementation
	assumedFlag       // true or false; null, absent and required in the same way
	requiredTime
	requiredSequence
	requiredValue // any JSON value
)

// members are the contract's members in the order of their faults.
var members = [...]struct {
	attribute evidence.Attribute
	form      form
}{
	{evidence.AttrSpecVersion, requiredText},
	{evidence.AttrType, requiredText},
	{evidence.AttrSource, requiredText},
	{evidence.AttrID, requiredText},
	{evidence.AttrTime, requiredTime},
	{evidence.AttrContentType, requiredText},
	{evidence.AttrSubject, optionalText},
	{evidence.AttrTraceParent, optionalText},
	{evidence.AttrTraceState, optionalText},
	{evidence.AttrRunID, requiredText},
	{evidence.AttrSequence, requiredSequence},
	{evidence.AttrProducer, requiredText},
	{evidence.AttrProducerVersion, requiredText},
	{evidence.AttrGit, assumedText},
	{evidence.AttrPolicyID, optionalText},
	{evidence.AttrPII, assumedFlag},
	{evidence.AttrSecrets, assumedFlag},
	{evidence.AttrContentHash, optionalText},
	{evidence.AttrSemanticDigest, optionalText},
	{evidence.AttrDigestProfile, optionalText},
	{evidence.AttrData, requiredValue},
}

// wanted describes the forms.
var wanted = [...]string{
	requiredText: "a string", optionalText: "a string or null", assumedText: "a string", assumedFlag: "true or false",
	requiredTime: "a string, an RFC 3339 timestamp", requiredSequence: "an integer from 0", requiredValue: "any JSON value",
}

// shape checks the members' presence and types.
func (c *Checker) shape() {
	for i := range members {
		a, form := members[i].attribute, members[i].form
		value := c.result.Event.Get(a)
		switch missing := value.Missing() && form != requiredValue || !value.Exists(); {
		case missing && c.mayMiss(form):
		case missing:
			c.at(a, StepShape, InvalidJSON, "member.missing", "member "+a.String()+" is "+absence(value)+", expected "+wanted[form])
		case !form.fits(value.Kind()):
			c.at(a, StepShape, InvalidJSON, "member.type",
				"member "+a.String()+" is "+say.Article(value.Kind().String())+", expected "+wanted[form])
		case form == requiredTime:
			c.readTime(value)
		case form == requiredSequence:
			c.readSequence(value)
		}
	}
}

// mayMiss reports whether a member can be absent or null.
func (c *Checker) mayMiss(f form) bool {
	return f == optionalText || (f == assumedText || f == assumedFlag) && !c.opt.UpstreamCompatible
}

// fits reports whether a non-null value's kind fits the form.
func (f form) fits(k evidence.Kind) bool {
	switch f {
	case requiredValue:
		return true
	case requiredSequence:
		return k == evidence.KindNumber
	case assumedFlag:
		return k == evidence.KindBool
	}
	return k == evidence.KindString
}

func (c *Checker) readTime(value evidence.Value) {
	if c.view.Time, c.departs, c.view.Timed = ParseTime(value.TextBytes(nil)); !c.view.Timed {
		c.at(evidence.AttrTime, StepShape, InvalidJSON, "time.syntax",
			"member time is "+preview(value.Raw())+", expected an RFC 3339 timestamp such as 2026-01-02T03:04:05Z")
	}
}

// readSequence reads a number that must be written in digits only: not -0, 0.0 or 1e0.
func (c *Checker) readSequence(value evidence.Value) {
	raw := value.Raw()
	n, err := strconv.ParseUint(string(raw), 10, 64)
	if err != nil {
		c.at(evidence.AttrSequence, StepShape, InvalidJSON, "seq.syntax",
			"member assayseq is "+preview(raw)+", expected an integer from 0, in digits alone")
		return
	}
	c.view.Sequence, c.view.Sequenced = n, true
}

func absence(v evidence.Value) string {
	if v.Exists() {
		return "null"
	}
	return "missing"
}
