package payload

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/evidence/payload/internal/registry"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
)

// Options configures a Checker. The zero value uses the package's own engine.
type Options struct {
	// Engine selects the engine for the JSON Schema rules: this package, the library in package reference, or both,
	// which must agree.
	Engine evidence.Engine

	Strict bool // report members that ADR-006 does not name

	// Verified leaves a missing datacontenttype to the concurrent verification.
	Verified bool
}

// Checker checks single events. It is not safe for concurrent use.
type Checker struct {
	opt      Options
	envelope *envelope.Checker

	event   *evidence.Event
	said    []finding.Finding
	facts   RunFacts
	scratch []byte

	values    [maxMembers]evidence.Value // of the shape's members
	faulty    uint32                     // of them, those that break a rule which a schema can say
	canonical []byte                     // the data as the second engine reads them
}

// NewChecker returns a checker.
func NewChecker(opt Options) *Checker {
	return &Checker{opt: opt, envelope: envelope.NewChecker(envelope.Options{}), scratch: make([]byte, 0, 128)}
}

// Event appends an event's findings to dst: on envelope, data and their relations. It appends nothing if the result
// has no Event. Findings have positions and a JSON pointer (RFC 6901) as Path, and do not contain possibly private
// values. Without findings it does not allocate. It returns an error if the engines disagree or the second one is
// missing.
func (c *Checker) Event(dst []finding.Finding, r *evidence.Result) ([]finding.Finding, error) {
	c.event, c.said, c.facts, c.faulty = r.Event, dst, RunFacts{}, 0
	if r.Event == nil {
		return dst, nil
	}
	view := c.checkEnvelope(r)
	s := shapeOf(view.Type)
	c.facts.read(r.Event, &view, s)
	if s == nil {
		c.registered(view.Type)
		return c.said, nil
	}
	err := c.data(s)
	return c.said, err
}

// Facts returns data of the last event for a [Run]. It can refer to the event's text.
func (c *Checker) Facts() RunFacts { return c.facts }

// data checks the data of an event whose type has a shape.
func (c *Checker) data(s *shape) error {
	data := c.event.Get(evidence.AttrData)
	switch data.Kind() {
	case evidence.KindAbsent:
		return nil // the envelope's fault
	case evidence.KindObject:
		c.gather(s, data)
		c.members(s, data)
		switch s {
		case &decisionShape:
			c.decision()
		case &filterShape:
			c.lengths()
		case &finishedShape:
			c.facts.count(&c.values)
		}
	default:
		c.refuse(wholeData, dataType, data, "the data are "+say.Article(data.Kind().String())+", expected an object")
	}
	return c.secondOpinion(s, data)
}

func (c *Checker) gather(s *shape, data evidence.Value) {
	clear(c.values[:])
	next, named := 0, 0
	for v := range data.Children() {
		if i := s.index(v.NameBytes(c.scratch), next); i >= 0 {
			c.values[i], next = v, i+1
			named++
		}
	}
	if c.opt.Strict && named < data.Len() {
		c.additive(s, data)
	}
}

// additive lists unknown members in one finding.
func (c *Checker) additive(s *shape, data evidence.Value) {
	list := nameList{}
	for v := range data.Children() {
		if s.index(v.NameBytes(c.scratch), 0) < 0 {
			list.add(v)
		}
	}
	c.at(dataAdditive, list.first, "members that ADR-006 does not name: "+list.String())
}

func (c *Checker) members(s *shape, data evidence.Value) {
	for i := range s.members {
		m, v := &s.members[i], c.values[i]
		if v.Missing() {
			if m.required {
				c.miss(s, i, data)
			}
			continue
		}
		if bad := m.form.misfit(v); bad.Exists() {
			c.misfit(s, i, bad)
		} else if !m.accepts(v, c.scratch) {
			c.unlike(m, i, v)
		}
	}
}

func (c *Checker) miss(s *shape, i int, data evidence.Value) {
	m, v, absence := &s.members[i], c.values[i], "null"
	if !v.Exists() {
		v, absence = data, "missing"
	}
	if f := c.refuse(1<<i, s.missing, v, "member "+m.name+" is "+absence+", expected "+wanted[m.form]); f != nil {
		f.Path = "/data/" + m.name
		f.Notes = append(f.Notes, s.olderNotes(data)...)
	}
}

func (c *Checker) misfit(s *shape, i int, bad evidence.Value) {
	m := &s.members[i]
	what := "member " + m.name + " is "
	if bad != c.values[i] {
		what = "member " + m.name + " holds "
	}
	kind := say.Article(bad.Kind().String())
	if bad.Kind() == evidence.KindNumber && strings.Contains(wanted[m.form], "integer") {
		kind = "another number"
	}
	c.refuse(1<<i, s.wrong, bad, what+kind+", expected "+wanted[m.form])
}

// unlike reports a value of the right type that the member cannot have.
func (c *Checker) unlike(m *member, i int, v evidence.Value) {
	message, expected, found := "", "", ""
	switch m.form {
	case word:
		message = "member " + m.name + " has a value that ADR-006 does not allow"
		expected, found = quotedList(m.words), shown(v)
	case digested:
		message = "member " + m.name + " is not a SHA-256 digest"
		expected, found = digest.Form, shown(v)
	case depth:
		message = "member " + m.name + " is not an integer from 1 to 4294967295"
	default:
		message = "member " + m.name + " is blank"
	}
	if f := c.refuse(1<<i, m.other, v, message); f != nil {
		f.Expected, f.Found = expected, found
	}
}

// lengths compares counters of a filter with the lists that they count.
func (c *Checker) lengths() {
	counters := c.values[filterShape.place("counters")]
	for _, name := range [...]string{"dropped", "passed"} {
		list, counter := c.values[filterShape.place(name+"_keys")], counters.Get(name)
		if n, ok := integer(counter); ok && list.Kind() == evidence.KindArray && n != float64(list.Len()) {
			f := c.at(countersDiffer, counter, "counter "+name+" does not match the number of "+name+"_keys")
			f.Expected, f.Found = strconv.Itoa(list.Len()), strconv.FormatFloat(n, 'f', -1, 64)
		}
	}
}

// mostViolations limits the schema violations reported per event.
const mostViolations = 20

// registered checks an event's data against its type's registered schema. The types of ADR-006 §3
// have separate rules.
func (c *Checker) registered(eventType []byte) {
	s := registry.Lookup(eventType)
	if s == nil {
		return
	}
	c.facts.eventType = nil // a rule knows it
	data := c.event.Get(evidence.AttrData)
	if !data.Exists() {
		return // the envelope's fault
	}
	broken := s.Check(data.Raw())
	for i, v := range broken {
		if i == mostViolations {
			c.at(dataUnlike, data, fmt.Sprintf("the data break their schema in %d more places", len(broken)-i))
			break
		}
		value, name := data, "the data"
		for _, token := range v.Path {
			value, name = child(value, token), "member "+token
		}
		if _, committed := value.Commitment(); committed {
			continue // the committed value can be of any kind
		}
		c.at(dataUnlike, value, name+" "+v.Message)
	}
	if len(broken) == 0 {
		c.mandate(string(eventType), data)
	}
}

// mandate compares the id of a mandate, or of its use, with the digest of its content.
func (c *Checker) mandate(eventType string, data evidence.Value) {
	var id evidence.Value
	var content map[string]any
	switch eventType {
	case "assay.mandate.v1":
		id, content = data.Get("mandate_id"), membersWithout(data, "mandate_id", "signature")
	case "assay.mandate.used.v1":
		id, content = data.Get("use_id"), map[string]any{}
		for _, name := range []string{"mandate_id", "tool_call_id", "use_count"} {
			content[name] = json.RawMessage(data.Get(name).Raw())
		}
	default:
		return
	}
	if commits(data) {
		return // it is the digest of the values
	}
	own, ok := digestOf(content)
	recorded, _ := digest.Parse(id.TextBytes(c.scratch))
	if ok && own != recorded {
		f := c.at(mandateID, id, "the id is not the digest of the named content")
		f.Expected, f.Found = own.String(), recorded.String()
	}
}

func commits(data evidence.Value) bool {
	for v := range data.All() {
		if _, ok := v.Commitment(); ok {
			return true
		}
	}
	return false
}
