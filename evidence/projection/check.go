package projection

import (
	"fmt"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/policypair"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/enum"
	"github.com/cupel-dev/cupel/internal/say"
)

// Verdict is the result of comparing a recorded digest.
type Verdict uint8

// The verdicts.
const (
	Unrecorded Verdict = iota // the event records none
	Same                      // it is the digest that it must be
	Different                 // it is another one
	Unknown                   // there is nothing to compare it with
)

var verdictNames = [...]string{"unrecorded", "same", "different", "unknown"}

// String returns the name of the verdict.
func (v Verdict) String() string { return enum.Name(verdictNames[:], v) }

// MarshalText returns the verdict's name, or an error.
func (v Verdict) MarshalText() ([]byte, error) { return enum.Text(verdictNames[:], v) }

// UnmarshalText sets the verdict to the one with the name text.
func (v *Verdict) UnmarshalText(text []byte) error {
	return enum.Read("verdict", verdictNames[:], v, text)
}

// Comparison is the result of comparing the digest in an event. Texts are shortened.
type Comparison struct {
	Verdict  Verdict
	Tool     string // that the event is about, "" when it names none
	Recorded string // recorded value
	Expected string // expected value, "" if unknown
	Finding  *finding.Finding
}

// recordedBytes limits the recorded value in a Comparison. A digest fits.
const recordedBytes = 100

func recorded(v evidence.Value) string {
	if text, ok := v.Text(); ok {
		return say.Preview(text, recordedBytes)
	}
	return say.Preview(v.Raw(), recordedBytes)
}

// compare checks that a member of an event is the expected digest.
func (c *Comparison) compare(e *evidence.Event, r rule, at evidence.Value, expected string, same bool, otherwise string) {
	c.Recorded, c.Expected = recorded(at), expected
	if same {
		c.Verdict, c.Finding = Same, nil
		return
	}
	c.Verdict = Different
	c.find(e, r, at, otherwise)
	c.Finding.Expected, c.Finding.Found = expected, c.Recorded
}

// is reports whether a member is exactly a digest.
func is(at evidence.Value, sum evidence.Sum) bool {
	text, ok := at.Text()
	return ok && text == sum.String()
}

func (c *Comparison) find(e *evidence.Event, r rule, at evidence.Value, message string) {
	f := rules[r].New(message)
	f.Path = at.Pointer()
	e.Locate(&f, at)
	c.Finding = &f
}

// Definitions are the definitions of tools that events are compared with.
type Definitions struct{ byName map[string][]Tool }

// Add adds tools. Several can have the same name, because a tool's definition can change.
func (d *Definitions) Add(tools []Tool) {
	if d.byName == nil {
		d.byName = map[string][]Tool{}
	}
	for _, t := range tools {
		d.byName[t.Name] = append(d.byName[t.Name], t)
	}
}

// Len is the number of names.
func (d *Definitions) Len() int { return len(d.byName) }

// Check compares an event's tool_definition_digest with the definitions of its tool, in projection [Definition].
func (d *Definitions) Check(e *evidence.Event) (c Comparison) {
	data := e.Get(evidence.AttrData)
	at := data.Get("tool_definition_digest")
	if at.Missing() {
		return c
	}
	c.Recorded = recorded(at)
	name, named := data.Get("tool").Text()
	c.Tool = say.Preview(name, say.Usual)
	tools := d.byName[name]
	switch canon, other := otherThan(data.Get("tool_definition_canonicalization"), Definition.ID()); {
	case !named:
		c.Verdict = Unknown
		c.find(e, ruleUnknown, at, "the event names no tool")
	case len(tools) == 0:
		c.Verdict = Unknown
		c.find(e, ruleUnknown, at, "no definition of the tool "+say.Quoted(name)+" is given")
	case other:
		c.compare(e, ruleMismatch, at, tools[0].Sum.String(), false, fmt.Sprintf("the digest is recorded for the projection %s, which this command does not compute", canon))
	default:
		c.definition(e, at, name, tools)
	}
	return c
}

// definition compares a digest with the definitions of one name.
func (c *Comparison) definition(e *evidence.Event, at evidence.Value, name string, tools []Tool) {
	for _, t := range tools {
		c.compare(e, ruleMismatch, at, t.Sum.String(), is(at, t.Sum), "digest mismatch for the definition of the tool "+say.Quoted(name)+"")
		if c.Verdict == Same {
			return
		}
	}
	if len(tools) > 1 {
		c.Finding.Notes = append(c.Finding.Notes, fmt.Sprintf("none of the %d given definitions of the tool has the recorded digest", len(tools)))
	}
	for _, t := range tools {
		if t.Alone != t.Sum && c.Recorded == t.Alone.String() {
			c.Finding.Notes = append(c.Finding.Notes, "the definition has the recorded digest if the server id is left out")
			return
		}
	}
}

// otherThan reports whether a member exists and differs.
func otherThan(v evidence.Value, want string) (text string, other bool) {
	text, ok := v.Text()
	if v.Missing() || ok && text == want {
		return "", false
	}
	return say.Quoted(recorded(v)), true
}

// CheckPolicy compares an event's policy digests: policy_snapshot_digest, a projection of policy_digest, must be
// equal.
func CheckPolicy(e *evidence.Event) (c Comparison) {
	data := e.Get(evidence.AttrData)
	c.Tool = toolOf(data)
	snapshot, policy := data.Get("policy_snapshot_digest"), data.Get("policy_digest")
	pair := policypair.Compare(snapshot, policy)
	switch pair {
	case policypair.Absent:
	case policypair.Unpaired:
		c.Verdict, c.Recorded = Unknown, recorded(snapshot)
		c.find(e, rulePolicyUnpaired, snapshot, "the event has no policy_digest to compare this digest with")
	default:
		c.compare(e, rulePolicyMismatch, snapshot, recorded(policy), pair == policypair.Same, "the snapshot digest differs from policy_digest")
	}
	return c
}

// CheckPolicyDigest compares the policy digest in an event's data with those of the given policies.
func CheckPolicyDigest(e *evidence.Event, policies []Policy) (c Comparison) {
	data := e.Get(evidence.AttrData)
	c.Tool = toolOf(data)
	at := data.Get("policy_snapshot_digest")
	if at.Missing() {
		at = data.Get("policy_digest")
	}
	if at.Missing() {
		return c
	}
	for _, p := range policies {
		c.compare(e, rulePolicyMismatch, at, p.Sum.String(), is(at, p.Sum), "no given policy has the recorded digest")
		if c.Verdict == Same {
			return c
		}
	}
	return c
}

func toolOf(data evidence.Value) string {
	name, _ := data.Get("tool").Text()
	return say.Preview(name, say.Usual)
}

// Check compares the semantic digest in an event with the computed one, if both have the same profile.
func (s *Semantic) Check(e *evidence.Event, profile string, sum evidence.Sum) (c Comparison) {
	at := e.Get(evidence.AttrSemanticDigest)
	if at.Missing() {
		return c
	}
	c.Recorded = recorded(at)
	if named := e.Get(evidence.AttrDigestProfile); ProfileOf(e) != profile || !named.Missing() && named.Kind() != evidence.KindString {
		c.Verdict = Unknown
		return c
	}
	c.compare(e, ruleSemantic, at, sum.String(), is(at, sum), "the semantic digest does not match the data")
	return c
}

// ProfileOf returns the canonicalization profile that an event names, or "".
func ProfileOf(e *evidence.Event) string {
	profile, _ := e.Get(evidence.AttrDigestProfile).Text()
	return profile
}
