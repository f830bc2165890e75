package trajectory

import (
	"fmt"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Compared is the part of a step that has to be equal in both runs.
type Compared int

// The parts of a step. Each includes those before it.
const (
	Names   Compared = iota // type and name
	Args                    // … and arguments
	Results                 // … and result, and whether the step failed; also input and output of the traces
)

// Options configures a comparison. The zero value compares types and names of all steps.
type Options struct {
	Compare Compared
	Calls   bool // only calls of tools, retrievals and agents
}

// Kind is the kind of a difference.
type Kind string

// The kinds of differences.
const (
	Removed Kind = "removed" // the first run alone has the step
	Added   Kind = "added"   // the second run alone has it
	Changed Kind = "changed" // both have a step with this type and name, but with other contents
)

// Difference is a step, or the input or output, in which two runs differ.
type Difference struct {
	Kind Kind   `json:"kind"`
	Part string `json:"part"` // input, step or output
	A    *Step  `json:"a"`    // the step in the first run; nil: not there
	B    *Step  `json:"b"`

	Changes []Change `json:"changes,omitempty"`
	Omitted int      `json:"changes_omitted,omitempty"` // changes beyond MaxChanges
}

// Change is a value that differs.
type Change struct {
	Pointer string  `json:"pointer"` // JSON pointer (RFC 6901) within the step, input or output; a very long one is cut
	A       *string `json:"a"`       // the beginning of the JSON value; nil: not there
	B       *string `json:"b"`
}

// MaxChanges limits the listed changes of a difference. The others are counted.
const MaxChanges = 100

const (
	shownValue   = 80  // bytes of a value
	shownPointer = 400 // bytes of a pointer
)

// Comparison is the result of comparing two runs.
type Comparison struct {
	StepsA, StepsB int // compared steps
	Same           int // steps that are equal

	// Differences are in the order of the runs: input, steps, output. The steps need the fewest differences that
	// turn the first run into the second.
	Differences []Difference

	// Coarse means that the runs differ in too many steps to find the fewest differences. The steps between the
	// first and the last difference are all listed as removed and added.
	Coarse bool
}

// First returns the first difference between steps, else the first difference, or nil.
func (c *Comparison) First() *Difference {
	for i := range c.Differences {
		if c.Differences[i].Part == partStep {
			return &c.Differences[i]
		}
	}
	if len(c.Differences) > 0 {
		return &c.Differences[0]
	}
	return nil
}

// Count returns the number of differences of a kind.
func (c *Comparison) Count(kind Kind) (n int) {
	for i := range c.Differences {
		if c.Differences[i].Kind == kind {
			n++
		}
	}
	return n
}

const (
	partInput  = "input"
	partStep   = "step"
	partOutput = "output"
)

// TraceError is the error for an invalid trace.
type TraceError struct {
	Second bool // it is the second trace
	Err    error
}

func (e *TraceError) Error() string { return e.Err.Error() }

func (e *TraceError) Unwrap() error { return e.Err }

// Compare compares two traces of the protocol. Times and other metadata of steps do not count, and numbers are
// compared by value. The error is a *TraceError.
func Compare(engine *attest.Engine, a, b attest.TraceText, opt Options) (*Comparison, error) {
	x, err := read(engine, a, opt)
	if err != nil {
		return nil, &TraceError{Err: err}
	}
	y, err := read(engine, b, opt)
	if err != nil {
		return nil, &TraceError{Second: true, Err: err}
	}
	c := &Comparison{StepsA: len(x.steps), StepsB: len(y.steps)}
	whole := opt.Compare == Results && !opt.Calls
	if whole {
		c.part(partInput, x, y)
	}
	c.steps(x.steps, y.steps, opt.Compare)
	if whole {
		c.part(partOutput, x, y)
	}
	return c, nil
}

// part compares the inputs or outputs of two traces.
func (c *Comparison) part(name string, x, y *run) {
	d := Difference{Kind: Changed, Part: name}
	d.differ("", x.doc.Root().Last(name), y.doc.Root().Last(name))
	if len(d.Changes) > 0 {
		c.Differences = append(c.Differences, d)
	}
}

// steps lists the differences between the steps of two runs.
func (c *Comparison) steps(a, b []Step, compare Compared) {
	script, coarse := align(a, b)
	c.Coarse = coarse
	i, k := 0, 0
	for _, e := range script {
		switch e {
		case keep:
			c.Same++
			i, k = i+1, k+1
		case change:
			d := Difference{Kind: Changed, Part: partStep, A: &a[i], B: &b[k]}
			d.contents(compare)
			c.Differences = append(c.Differences, d)
			i, k = i+1, k+1
		case remove:
			c.Differences = append(c.Differences, Difference{Kind: Removed, Part: partStep, A: &a[i]})
			i++
		case add:
			c.Differences = append(c.Differences, Difference{Kind: Added, Part: partStep, B: &b[k]})
			k++
		}
	}
}

// contents lists the changes between two steps with the same type and name.
func (d *Difference) contents(compare Compared) {
	d.differ("/args", d.A.args, d.B.args)
	if compare < Results {
		return
	}
	d.differ("/result", d.A.result, d.B.result)
	if d.A.failed != d.B.failed {
		d.Changes = append(d.Changes, Change{Pointer: "/metadata/error", A: outcome(d.A), B: outcome(d.B)})
	}
}

func outcome(s *Step) *string {
	text := fmt.Sprint(s.failed)
	return &text
}

// differ lists the values that differ in two values at a pointer.
func (d *Difference) differ(at string, a, b strictjson.Node) {
	if a.Missing() && b.Missing() {
		return
	}
	for x, y := range strictjson.Differences(a, b) {
		if x.Is(strictjson.Number) && y.Is(strictjson.Number) && string(decimal.AppendValue(nil, x.Raw())) == string(decimal.AppendValue(nil, y.Raw())) {
			continue
		}
		if len(d.Changes) >= MaxChanges {
			d.Omitted++
			continue
		}
		pointer, place, root := at, x, a
		if !x.Exists() {
			place, root = y, b
		}
		if root.Exists() && place.Exists() {
			pointer += place.PointerOf(shownPointer)[len(root.PointerOf(shownPointer)):]
		}
		d.Changes = append(d.Changes, Change{say.Preview(pointer, shownPointer), shown(x), shown(y)})
	}
}

func shown(n strictjson.Node) *string {
	if !n.Exists() {
		return nil
	}
	text := say.Preview(string(n.Raw()), shownValue)
	return &text
}
