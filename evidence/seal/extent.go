package seal

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/shape"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Extent is the number of events per type in a bundle, and the producer's stated observations.
// Revision 1.1 added it to attestations.
type Extent struct {
	Types    map[string]int64 `json:"retained_events_by_type"` // events by their type
	Observed Observed         `json:"observed"`
}

// Observed is a run's stated total of observations. It is unproven, and the producer can have kept only a part.
type Observed struct {
	Basis  string           `json:"basis"`                 // BasisReported or BasisNotStated
	Source string           `json:"source_type,omitempty"` // the type of the summary event
	Counts map[string]int64 `json:"counts,omitempty"`      // of files, network, processes and sandbox_degradations
}

// The bases of observations.
const (
	BasisReported  = "producer_reported" // a summary event of the run says it
	BasisNotStated = "not_stated"        // no event says it
)

// countNames are the names of observed counts in order of comparison.
var countNames = []string{"files", "network", "processes", "sandbox_degradations"}

// summaries are the event types that summarize a run, with the members of their data. The first one in a run
// counts.
var summaries = []struct {
	kind   string
	counts map[string]string
}{
	{"assay.profile.finished", map[string]string{
		"files": "files_count", "network": "network_count", "processes": "processes_count", "sandbox_degradations": "sandbox_degradation_count",
	}},
	{"assay.sandbox.summary", map[string]string{
		"files": "fs_count", "processes": "exec_count", "sandbox_degradations": "degradation_count",
	}},
}

// The limits of an extent: types of events, and the bytes of all their names.
const (
	maxTypes     = 10_000
	maxTypeBytes = 1 << 20
	maxCount     = 1<<53 - 1
)

type ExtentCounter struct {
	types map[string]int64
	bytes int
	found [2]map[string]int64 // the counts of the summaries
	err   error
}

// Add adds the next event, whose Event must be set.
func (c *ExtentCounter) Add(r *evidence.Result) {
	if c.err != nil || r.Event == nil {
		return
	}
	kind, _ := r.Event.Get(evidence.AttrType).Text()
	if c.types == nil {
		c.types = map[string]int64{}
	}
	if _, known := c.types[kind]; !known {
		if c.bytes += len(kind); len(c.types) >= maxTypes || c.bytes > maxTypeBytes {
			c.err = fmt.Errorf("the events have more than %d types, or the type names more than %d bytes", maxTypes, maxTypeBytes)
			return
		}
	}
	c.types[kind]++
	for i := range summaries {
		if summaries[i].kind == kind {
			c.summary(i, r.Event.Get(evidence.AttrData))
		}
	}
}

func (c *ExtentCounter) summary(i int, data evidence.Value) {
	if c.found[i] != nil {
		c.err = fmt.Errorf("the run has more than one event %s", summaries[i].kind)
		return
	}
	c.found[i] = map[string]int64{}
	for _, name := range countNames {
		member, ok := summaries[i].counts[name]
		if !ok {
			continue
		}
		value := data.Get(member)
		n, ok := value.Int()
		if !ok || n < 0 || n > maxCount || value.Raw()[0] == '-' {
			c.err = fmt.Errorf("member %s of the event %s is not a number from 0 to %d", member, summaries[i].kind, int64(maxCount))
			return
		}
		c.found[i][name] = n
	}
}

// Extent returns the extent of the added events, or why there is none.
func (c *ExtentCounter) Extent() (*Extent, error) {
	if c.err != nil {
		return nil, c.err
	}
	if len(c.types) == 0 {
		return nil, errors.New("no events were counted")
	}
	e := &Extent{Types: maps.Clone(c.types), Observed: Observed{Basis: BasisNotStated}}
	for i := range summaries {
		if c.found[i] != nil {
			e.Observed = Observed{BasisReported, summaries[i].kind, c.found[i]}
			break
		}
	}
	return e, nil
}

func readExtent(r *shape.Reader, predicate strictjson.Node) *Extent {
	if predicate.Get("extent").Missing() {
		return nil
	}
	node := r.Object(predicate, "extent")
	e := &Extent{Types: map[string]int64{}}
	types := r.Object(node, "retained_events_by_type")
	bytes := 0
	for n := range types.Children() {
		bytes += len(n.Key())
		e.Types[n.Key()] = boundedCount(r, types, n.Key())
	}
	if types.Len() > maxTypes || bytes > maxTypeBytes {
		r.Refuse(node, "retained_events_by_type", fmt.Sprintf("at most %d types with names of %d bytes together", maxTypes, maxTypeBytes))
	}
	e.Observed = readObserved(r, r.Object(node, "observed"))
	r.Only(node, "retained_events_by_type", "observed")
	return e
}

func readObserved(r *shape.Reader, node strictjson.Node) (o Observed) {
	names := []string{"basis", "source_type", "counts"}
	defer func() { r.Only(node, names...) }()
	if o.Basis = r.Text(node, "basis"); o.Basis == BasisNotStated {
		for _, name := range names[1:] {
			if node.Get(name).Exists() {
				r.Refuse(node, name, "none, where the basis is "+BasisNotStated)
			}
		}
		return o
	}
	r.Fixed(node, "basis", BasisReported)
	o.Source = r.Text(node, "source_type")
	i := slices.IndexFunc(summaries, func(s struct {
		kind   string
		counts map[string]string
	},
	) bool {
		return s.kind == o.Source
	})
	if i < 0 {
		r.Refuse(node, "source_type", summaries[0].kind+" or "+summaries[1].kind)
		return o
	}
	counts := r.Object(node, "counts")
	o.Counts = map[string]int64{}
	for _, name := range countNames {
		if _, known := summaries[i].counts[name]; known {
			o.Counts[name] = boundedCount(r, counts, name)
		} else if counts.Get(name).Exists() {
			r.Refuse(counts, name, "no count, because "+o.Source+" does not count it")
		}
	}
	r.Only(counts, countNames...)
	return o
}

// boundedCount returns a required count that every JSON reader can represent.
func boundedCount(r *shape.Reader, parent strictjson.Node, name string) int64 {
	n := r.Count(parent, name)
	if n > maxCount {
		r.Refuse(parent, name, fmt.Sprintf("a number of at most %d", int64(maxCount)))
	}
	return n
}
