package privacy

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/secrets"
)

// Redactor applies a policy to events and reuses memory. It does not allocate for events without findings. It is
// not safe for concurrent use.
type Redactor struct {
	policy *Policy
	event  *evidence.Event
	texts  texts
	wheres wheres

	way     []step
	said    []byte           // the pointer of the last value on the way that was asked for
	gone    []evidence.Value // attributes that are removed
	changes []Change
	patches []patch
	written []byte // what values become
	failure *SweepError
	given   map[int][]secrets.Hit // by a text's offset: findings that depend on neighbors
	array   arrayTexts
	left    func(text []byte) (rule string, hit bool) // finds secrets in texts that were changed
}

func NewRedactor(p *Policy) *Redactor {
	r := &Redactor{policy: p, wheres: newWheres(p)}
	r.texts.set, r.texts.tag = p.set, p.settings.tag()
	r.left = r.texts.sweep
	return r
}

// Event applies the policy to an event and appends the redacted event to dst. Only changed values are rewritten;
// without changes, out is dst. The recorded content hash is not updated. Changes are in text order, including
// reported ones, and valid until the next call. Values inside removed ones are not listed. If it returns a
// [SweepError], out and changes must not be used.
func (r *Redactor) Event(dst []byte, e *evidence.Event) (out []byte, changes []Change, err error) {
	r.event, r.failure = e, nil
	r.way, r.gone, r.changes = r.way[:0], r.gone[:0], r.changes[:0]
	r.patches, r.written = r.patches[:0], r.written[:0]
	clear(r.given)
	r.attributes()
	switch {
	case r.failure != nil:
		return dst, nil, r.failure
	case len(r.patches) == 0:
		return dst, r.changes, nil
	}
	return appendPatched(dst, e.Text(), r.patches), r.changes, nil
}

// Trim releases the memory of a large event.
func (r *Redactor) Trim() {
	if cap(r.changes)+cap(r.patches) > mostKept {
		r.changes, r.patches, r.written, r.given = nil, nil, nil, nil
	}
}

// mostKept is the number of changes and patches for which memory is kept.
const mostKept = 1 << 12

// attributes checks the members of the event.
func (r *Redactor) attributes() {
	root := r.event.Root()
	c := container{named: true, at: r.wheres.enter(r.texts.of(r.event.Get(evidence.AttrType)))}
	for member := range root.Children() {
		if looked(member.Attribute()) && r.child(&c, member) {
			r.gone = append(r.gone, member)
		}
	}
	if len(r.patches)+len(r.gone) > 0 {
		r.removeAttributes(root)
	}
}

// removeAttributes cuts out removed attributes and the semantic digest, which described the original event.
func (r *Redactor) removeAttributes(root evidence.Value) {
	cut, gone := newCutter(true), r.gone
	for member := range root.Children() {
		stale := isDigest(member)
		if stale {
			r.way = append(r.way, step{value: member})
			r.change(member, found{Public, RuleDigest, Removed}, nil, Drops)
			r.way = r.way[:0]
		}
		removed := len(gone) > 0 && gone[0] == member
		if removed {
			gone = gone[1:]
		}
		r.patches = cut.child(r.patches, member, stale || removed)
	}
	slices.SortFunc(r.patches, func(a, b patch) int { return cmp.Compare(a.start, b.start) })
	slices.SortFunc(r.changes, func(a, b Change) int {
		first, _ := a.At.Span()
		second, _ := b.At.Span()
		return cmp.Compare(first, second)
	})
}

func isDigest(v evidence.Value) bool {
	a := v.Attribute()
	return a == evidence.AttrSemanticDigest || a == evidence.AttrDigestProfile
}

// container is an object or array being checked.
type container struct {
	at       *where
	named    bool // it is an object
	elements *where
	position int            // of the next child
	of       evidence.Value // the container; absent for the event itself
	name     []byte         // whose values the texts of an array are
	renamed  [][]byte       // the names that members were given
}

// child checks a member or element and reports whether to remove it.
func (r *Redactor) child(c *container, v evidence.Value) (remove bool) {
	at := step{value: v, position: c.position, element: !c.named}
	c.position++
	var name []byte
	var m *member
	where := c.elements
	if c.named {
		name = v.NameBytes(r.texts.key[:0])
		m = r.wheres.member(c.at, name, at.position)
		where = m.at
	}
	kind := v.Kind()
	what, forbidden := r.forbidden(c, name, m, v)
	if kind < evidence.KindString && !forbidden && !r.policy.removes && (m == nil || !m.worth) {
		return false // numbers, booleans and null stay
	}
	r.way = append(r.way, at)
	patches, changes := len(r.patches), len(r.changes)
	done := false
	if c.named && !forbidden && m.worth {
		remove, done = r.memberName(c, v, name, where.handling)
	}
	if renamed := len(r.changes) > changes; !done {
		remove = r.value(c, v, where, m, what, forbidden)
		if remove && renamed { // the name goes with its value
			r.patches = r.patches[:patches]
			r.changes = slices.Delete(r.changes, changes, changes+1)
			c.renamed = c.renamed[:len(c.renamed)-1]
		}
	}
	r.way = r.way[:len(r.way)-1]
	return remove
}

// value checks a value; m is nil for an element of an array.
func (r *Redactor) value(c *container, v evidence.Value, at *where, m *member, what found, forbidden bool) bool {
	if _, committed := v.Commitment(); committed {
		return false // nothing can be learned from it
	}
	switch {
	case forbidden:
		return r.drop(v, what, at.handling)
	case at.handling == Removes:
		return r.drop(v, found{Forbidden, RuleClass, Removed}, at.handling)
	case v.Kind() == evidence.KindString:
		return r.textValue(v, at, m)
	case v.Kind() > evidence.KindString:
		r.children(c, v, at)
	}
	return false
}

// children checks the members or elements of a value.
func (r *Redactor) children(outer *container, v evidence.Value, at *where) {
	c := container{at: at, named: v.Kind() == evidence.KindObject, of: v}
	if !c.named {
		c.elements = r.wheres.elements(at)
	}
	if !c.named && r.policy.profile != ProfileUpstream && at.handling != Keeps {
		c.name = r.inherited(outer, v)
		r.joined(v)
	}
	cut := newCutter(c.named)
	for child := range v.Children() {
		removed := r.child(&c, child)
		r.patches = cut.child(r.patches, child, removed)
	}
}

func (r *Redactor) textValue(v evidence.Value, at *where, m *member) (remove bool) {
	before, handling := r.texts.of(v), at.handling
	offset, _ := v.Span()
	given := r.given[offset]
	alone := m != nil && len(given)+len(at.patterns) == 0
	if alone && len(before) > 0 && bytes.Equal(before, m.before) {
		return false
	}
	after, what := r.texts.judge(before, handling, given, at.patterns)
	switch what.action {
	case "":
		if alone && len(before) <= mostBytes {
			m.before = append(m.before[:0], before...)
		}
	case Removed:
		return r.drop(v, what, handling)
	default:
		r.replace(v, what, after, handling)
		if handling != Reports && handling != Scrubs {
			r.sweep(after)
		}
	}
	return false
}

// sweep searches a changed text for remaining secrets. Unchanged texts were already searched.
func (r *Redactor) sweep(text []byte) {
	if rule, hit := r.left(text); hit && r.failure == nil {
		r.failure = &SweepError{r.pointer(), rule}
	}
}

// drop removes a value and records the change. A value that must be kept is hidden instead.
func (r *Redactor) drop(v evidence.Value, what found, handling Handling) (remove bool) {
	if handling == Reports {
		r.change(v, what, nil, handling)
		return false
	}
	if r.texts.tag != nil && v.Kind() <= evidence.KindString && what.rule != RuleClass {
		what.action = Replaced
		if hidden := r.hidden(v); !bytes.HasPrefix(hidden, []byte(secrets.TagBegin)) {
			r.replace(v, what, []byte(r.texts.tag(what.rule, hidden)), handling)
		}
		return false
	}
	if len(r.way) == 1 {
		if hidden := hiddenText(v.Attribute()); hidden != "" {
			what.action = Replaced
			r.replace(v, what, []byte(hidden), handling)
			return false
		}
	}
	r.change(v, what, nil, handling)
	return true
}

// hidden returns the text for a tag to replace.
func (r *Redactor) hidden(v evidence.Value) []byte {
	if v.Kind() == evidence.KindString {
		return r.texts.of(v)
	}
	return v.Raw()
}

// hiddenText returns the replacement for a required attribute. That of source must be a URI.
func hiddenText(a evidence.Attribute) string {
	switch a {
	case evidence.AttrData, evidence.AttrSubject:
		return stars
	case evidence.AttrSource:
		return urn + stars
	}
	return ""
}

const urn = "urn:"

// replace replaces a value by a text, unless they are equal.
func (r *Redactor) replace(v evidence.Value, what found, text []byte, handling Handling) {
	if len(r.way) == 1 && v.Attribute() == evidence.AttrSource && bytes.IndexByte(text, ':') <= 0 {
		text = append([]byte(urn), text...) // it would be no URI any more
	}
	if v.Kind() == evidence.KindString && bytes.Equal(text, r.texts.of(v)) {
		return
	}
	begin := len(r.written)
	r.written = jcs.AppendText(r.written, text)
	after := r.written[begin:len(r.written):len(r.written)]
	r.change(v, what, after, handling)
	if handling != Reports {
		start, end := v.Span()
		r.patches = append(r.patches, patch{start, end, after})
	}
}

func (r *Redactor) change(v evidence.Value, what found, after []byte, handling Handling) {
	r.changes = append(r.changes, Change{
		Pointer: r.pointer(), At: v, Class: what.class, Rule: what.rule, Action: what.action,
		Before: v.Raw(), After: after, Reported: handling == Reports,
	})
}
