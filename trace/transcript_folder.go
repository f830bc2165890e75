package trace

import (
	"cmp"
	"math"
	"slices"

	"github.com/cupel-dev/cupel/internal/transcript"
)

// UsageLedger sums the model calls of several transcripts. It counts each call once, because a resumed or forked
// session repeats the calls of another file. The order of additions does not matter. The zero value is empty.
type UsageLedger struct{ ledger transcript.Ledger }

// Add adds the calls of a transcript.
func (l *UsageLedger) Add(s *TranscriptSummary) {
	l.ledger.Add(&s.totals, s.calls)
	s.calls = nil
}

// FolderUsage is the usage of several transcripts.
type FolderUsage struct {
	ModelUsage
	Models []ModelUsage `json:"models"`                 // the most used first
	Unsure int          `json:"sessions_without_total"` // with calls that are not counted, or of a session that was not read
}

// ModelUsage is the usage of one model or of all models.
type ModelUsage struct {
	Model      string  `json:"model,omitempty"`
	Calls      int64   `json:"model_calls"`
	Total      int64   `json:"total_tokens"`
	Input      int64   `json:"input_tokens"`
	CacheRead  int64   `json:"cache_read_tokens"`
	CacheWrite int64   `json:"cache_write_tokens"`
	Output     int64   `json:"output_tokens"`
	Reasoning  int64   `json:"reasoning_tokens"`
	Cost       float64 `json:"cost_usd,omitempty"`
	EachFile   int64   `json:"tokens_if_each_file_counted"` // what adding up the files gives
	Repeated   int64   `json:"tokens_counted_twice"`        // the difference
}

func (u *ModelUsage) add(once, separate *transcript.Tally) {
	n := &once.Usage
	u.Calls += once.Calls
	u.Total += n.Total
	u.Input += n.Input
	u.CacheRead += n.CacheRead
	u.CacheWrite += n.CacheWrite
	u.Output += n.Output
	u.Reasoning += n.Reasoning
	u.Cost = math.Round((u.Cost+n.Cost)*1e9) / 1e9 // the order of summands would show in further digits
	u.EachFile += separate.Usage.Total
	u.Repeated = u.EachFile - u.Total
}

// Usage returns the usage of what was added.
func (l *UsageLedger) Usage() *FolderUsage {
	once, separate, unsure := l.ledger.Models()
	sum := &FolderUsage{Models: []ModelUsage{}, Unsure: unsure}
	for name, all := range separate {
		one, known := ModelUsage{Model: name}, once[name]
		one.add(&known, &all)
		sum.Models = append(sum.Models, one)
	}
	slices.SortFunc(sum.Models, func(a, b ModelUsage) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Model, b.Model))
	})
	for _, one := range sum.Models { // in their order: sums of costs depend on it
		known, all := once[one.Model], separate[one.Model]
		sum.ModelUsage.add(&known, &all)
	}
	return sum
}
