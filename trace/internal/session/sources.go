package session

import (
	"sync/atomic"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/siphash"
)

// citedCounts count the events of all workers by their citations.
type citedCounts struct {
	cited, uncited, values atomic.Int64
	unread                 atomic.Int64 // events with citations that were not compared
}

func (c *citedCounts) outcome() *cite.Counts {
	return &cite.Counts{Events: c.cited.Load(), Uncited: c.uncited.Load(), Values: c.values.Load()}
}

// notCovered says that citations were not compared.
func (c *citedCounts) notCovered() []string { return cite.NotCompared(c.unread.Load()) }

// citingReader counts the events whose citations are not compared.
type citingReader struct{ counts *citedCounts }

func (r citingReader) read(rec *record, _ *event) {
	if cite.Cites(rec.nodes[payloadMember]) {
		r.counts.unread.Add(1)
	}
}

// sourceReader compares events with the bytes that they cite.
type sourceReader struct {
	comparer cite.Comparer
	counts   *citedCounts
	keys     siphash.Key

	rec   *record
	event *event
}

func newSourceReader(sources cite.Sources, counts *citedCounts, keys siphash.Key) *sourceReader {
	r := &sourceReader{counts: counts, keys: keys}
	r.comparer.Sources, r.comparer.Report = sources, r.fault
	return r
}

func (r *sourceReader) read(rec *record, e *event) {
	r.rec, r.event, r.comparer.Counts = rec, e, cite.Counts{}
	name, _ := rec.nodes[typeName].Text()
	if err := r.comparer.Event(name, rec.nodes[payloadMember]); err != nil {
		rec.fail(err)
	}
	r.counts.cited.Add(r.comparer.Events)
	r.counts.uncited.Add(r.comparer.Uncited)
	r.counts.values.Add(r.comparer.Values)
}

// sourceRules are the rules of the comparison.
var sourceRules = [...]rule{
	cite.Missing: ruleSourceMissing, cite.Digest: ruleSourceDigest, cite.Range: ruleSourceRange,
	cite.Bytes: ruleSourceBytes, cite.Value: ruleSourceValue, cite.Uncited: ruleSourceUncited,
}

func (r *sourceReader) fault(d *cite.Difference) {
	id := sourceRules[d.Fault]
	if d.File != nil { // reported once for all events that cite it
		about := noteSubject{id, nil, r.keys.Sum64(append(d.File.Sum[:], d.File.Path...))}
		r.rec.out.notes = append(r.rec.out.notes, note{
			noteSubject: about, event: r.rec.event, name: keySpanOf(d.At), at: spanOf(d.At),
			source: &sourceNote{d.Path, d.Message, d.Expected, d.Found, d.Help},
		})
		return
	}
	p := payloadFault{rule: id, node: d.At}
	if r.rec.full(finding.Error, p.at()) {
		return
	}
	f := rules[id].New(d.Message)
	if f.Path, f.Index = "payload", r.event.index(); d.Path != "" {
		f.Path += "." + d.Path
	}
	r.rec.add(f, p.at())
}
