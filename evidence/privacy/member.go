package privacy

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/secrets"
)

// forbidden reports whether a name forbids a value: that of the member, of the enclosing array, or in an adjacent
// member, as in {"name":"API_TOKEN","value":"…"}.
func (r *Redactor) forbidden(c *container, name []byte, m *member, v evidence.Value) (what found, forbidden bool) {
	p := r.policy
	switch {
	case p.profile == ProfileUpstream:
		return what, false
	case p.settings.Rules == RulesADR006:
		return found{Forbidden, RuleName, Removed}, c.named && p.forbids(name)
	case !c.named:
		name = c.name
	}
	if len(name) == 0 || p.allows(name) {
		return what, false
	}
	set, rule := r.texts.rulesOf(), ""
	switch v.Kind() {
	case evidence.KindString:
		if m != nil && !m.value && r.plain(m) {
			return what, false
		}
		text := r.texts.of(v)
		if rule, forbidden = set.Member(name, text); !forbidden && m != nil && m.value {
			rule, forbidden = r.beside(c, text)
		}
		if !forbidden && m != nil && set.Telephone(name, text) {
			rule, forbidden = "phone", true
		}
	case evidence.KindNumber:
		if rule, forbidden = set.Number(name, v.Raw()); !forbidden {
			rule, forbidden = r.number(v.Raw())
		}
	}
	return found{Forbidden, rule, Removed}, forbidden
}

// plain reports whether the name of a member says nothing about its value.
func (r *Redactor) plain(m *member) bool {
	if !m.known {
		m.known, m.plain = true, r.texts.rulesOf().Plain(m.name)
	}
	return m.plain
}

// leastNumber is the minimum number of digits of a number to be checked, that of a payment card.
const leastNumber = 13

// number searches a number for personal data.
func (r *Redactor) number(raw []byte) (rule string, hit bool) {
	if len(raw) < leastNumber {
		return "", false
	}
	for _, h := range r.texts.scan().Scan(raw) {
		if h.Class == secrets.Personal && h.Start == 0 && h.End == len(raw) {
			return h.Rule, true
		}
	}
	return "", false
}

// valueName reports whether a member's value can be named by an adjacent member.
func valueName(name []byte) bool {
	switch len(name) {
	case 1, 3, 5:
		return bytes.EqualFold(name, []byte("value")) || bytes.EqualFold(name, []byte("val")) || bytes.EqualFold(name, []byte("v"))
	}
	return false
}

// besideNames are members that contain the name of an adjacent value.
var besideNames = [...]string{"name", "key", "header", "field", "variable", "k", "n", "Name", "Key"}

// beside searches adjacent members for a value's name.
func (r *Redactor) beside(c *container, text []byte) (rule string, forbidden bool) {
	for _, member := range besideNames {
		name := c.of.Get(member)
		if name.Kind() != evidence.KindString {
			continue
		}
		var scratch [64]byte
		if n := name.TextBytes(scratch[:0]); !r.policy.allows(n) {
			return r.policy.set().Member(n, text)
		}
	}
	return "", false
}

// inherited returns the name that applies to the texts of an array, or nil.
func (r *Redactor) inherited(outer *container, v evidence.Value) []byte {
	if !outer.named {
		return outer.name
	}
	if name := v.NameBytes(nil); r.policy.set().Inherits(name) {
		return name
	}
	return nil
}

// allows reports whether the policy allows a name that it would otherwise forbid.
func (p *Policy) allows(name []byte) bool {
	return len(p.allowed) > 0 && slices.Contains(p.allowed, plainName(string(name)))
}

// leastName is the minimum length of a member name with a digit to be checked, unless it has a slash, an at sign or
// an operator.
const leastName = 16

// worthLook reports whether a name can contain a secret, personal data or a path.
func worthLook(name []byte) bool {
	digit := false
	for _, c := range name {
		switch c {
		case '/', '@', '\\', '=', ':', ' ':
			return true
		}
		digit = digit || c >= '0' && c <= '9'
	}
	return digit && len(name) >= leastName
}

// memberName checks the name of a member. remove means that it contains a secret or personal data. done means that
// the value need not be checked. Home folders in names are replaced.
func (r *Redactor) memberName(c *container, v evidence.Value, raw []byte, handling Handling) (remove, done bool) {
	switch {
	case r.policy.profile == ProfileUpstream, r.policy.settings.Rules == RulesADR006, handling == Keeps, handling == Scrubs,
		len(r.way) == 1 && v.Attribute() != evidence.AttrOther:
		return false, false
	}
	hits := r.texts.scan().Scan(raw)
	if len(hits) == 0 {
		return false, false
	}
	for i := range hits {
		if hits[i].Class > secrets.Home {
			return r.drop(v, found{Forbidden, hits[i].Rule, Removed}, handling), true
		}
	}
	what := found{Sensitive, hits[0].Rule, Generalized}
	after, _ := r.texts.scan().Redact(raw, nil, nil)
	r.rename(c, v, what, after, handling)
	return false, false
}

// rename replaces a member's name. It appends a number if the new name is taken.
func (r *Redactor) rename(c *container, v evidence.Value, what found, name []byte, handling Handling) {
	unique := name
	for n := 2; c.taken(v, unique); n++ {
		unique = append(slices.Clip(slices.Clone(name)), " ("+strconv.Itoa(n)+")"...)
	}
	begin := len(r.written)
	r.written = jcs.AppendText(r.written, unique)
	after := r.written[begin:len(r.written):len(r.written)]
	from, to := v.NameSpan()
	r.changes = append(r.changes, Change{
		Pointer: r.pointer(), At: v, Class: what.class, Rule: what.rule, Action: what.action,
		Before: r.event.Text()[from:to], After: after, Name: true, Reported: handling == Reports,
	})
	c.renamed = append(c.renamed, after)
	if handling != Reports {
		r.patches = append(r.patches, patch{from, to, after})
	}
}

// taken reports whether another member has a name or was renamed to it.
func (c *container) taken(v evidence.Value, name []byte) bool {
	if !c.of.Exists() {
		return false
	}
	quoted := jcs.AppendText(nil, name)
	for _, given := range c.renamed {
		if bytes.Equal(given, quoted) {
			return true
		}
	}
	for child := range c.of.Children() {
		if child != v && bytes.Equal(child.NameBytes(nil), name) {
			return true
		}
	}
	return false
}
