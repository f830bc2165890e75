package transcript

import (
	"iter"
	"slices"
)

// Tally is the usage of counted calls.
type Tally struct {
	Calls int64
	Usage Usage
}

func (t *Tally) add(u Usage) {
	t.Calls++
	t.Usage = sum(t.Usage, u)
}

// Ledger counts the calls of several transcripts, each call once. The result does not depend on the
// order of additions.
type Ledger struct {
	answers  Answers
	branches []branch
	separate map[string]Tally // by model, with the calls of each file
	unsure   int
}

// branch is a session of a format without ids of responses. A fork begins with a copy of the usage of
// the session that it continues, so that its calls have the keys of that session's calls.
type branch struct {
	session, from uint64
	calls         []ModelCall
}

// Add adds the calls that count in a transcript.
func (l *Ledger) Add(t *Totals, calls iter.Seq[ModelCall]) {
	if l.separate == nil {
		l.separate = map[string]Tally{}
	}
	for call := range calls {
		tally := l.separate[call.Model]
		tally.add(call.Usage)
		l.separate[call.Model] = tally
		if t.session == 0 {
			l.answers.Add(&call)
		}
	}
	if t.Unknown != "" && t.forkedFrom == 0 {
		l.unsure++
	}
	if t.session != 0 {
		l.branches = append(l.branches, branch{t.session, t.forkedFrom, slices.Collect(calls)})
	}
}

// Models returns, by model, the calls of all transcripts, each one once, and the sum over the transcripts. unsure
// counts the transcripts that can have further calls, or calls of a session that was not added.
func (l *Ledger) Models() (once, separate map[string]Tally, unsure int) {
	l.join()
	once = map[string]Tally{}
	for call := range l.answers.All() {
		tally := once[call.Model]
		tally.add(call.Usage)
		once[call.Model] = tally
	}
	return once, l.separate, l.unsure
}

// join adds the calls of branches under the session that they all come from.
func (l *Ledger) join() {
	from := map[uint64]uint64{}
	for _, b := range l.branches {
		from[b.session] = max(from[b.session], b.from) // copies of a file can differ
	}
	for _, b := range l.branches {
		if _, known := from[b.from]; b.from != 0 && !known {
			l.unsure++
		}
		root := b.session
		for range l.branches {
			if from[root] == 0 {
				break
			}
			root = from[root]
		}
		for i := range b.calls {
			b.calls[i].Key = mix(root, b.calls[i].Key)
			l.answers.Add(&b.calls[i])
		}
	}
	l.branches = nil
}
