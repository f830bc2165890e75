package ruleset

import (
	"bytes"
	"slices"
)

// Trace remembers how a rule's machine went over a text: two runs that are in the same state at the same place go
// on alike, so the later one need not read what the earlier one has read. It is of one text at a time.
type Trace struct {
	Found int // end of the last secret: none that ends before is looked for
	Work  int // bytes that were read, again and again, of all texts

	marks []mark // a few for each stretch of the text, in a ring
	runs  [keptRuns]past
	first uint32 // run over this text
	next  uint32

	leaps []leaped // by chain

	far  []mark // a few for each block of the text, of long runs
	long []past // the long runs
	root root   // of the last run
	ids  uint32 // number of runs

	near    nearby
	line    lined
	last    tried
	word    int // the word around the end of the last match, to extend it
	wordEnd int
	count   counted
	proof   refused
	listed  refused
	lists   []listed
}

// mark says that a run was in a state at a place.
type mark struct {
	at    int32
	run   uint32
	state uint16
}

// past is how far a run came.
type past struct {
	run   uint32
	state uint16
	at    int32
	last  int32 // end of its last match; unknown: none
	root  root
}

// root says that a run is like another one from a place on. Of a run that met none, that is itself.
type root struct {
	id uint32
	at int32
}

const (
	stretch  = 32  // bytes between marks
	places   = 256 // of marks, more than a run can pass
	ways     = 2   // marks of a place
	keptRuns = 64  // runs whose ends are known
	joins    = 4   // earlier runs that a run can continue

	block   = 1024                 // bytes between marks of long runs
	leastIn = places * stretch / 2 // bytes after which a run is long
)

// Reset forgets the text.
func (t *Trace) Reset() {
	if t.next > 1<<31 {
		clear(t.marks)
		t.next = 0
	}
	t.next++
	t.first = t.next
	t.Found = 0
	t.far, t.long = t.far[:0], t.long[:0]
	clear(t.leaps)
	t.lists = t.lists[:0]
	t.near, t.line.known = nearby{}, t.line.known[:0]
	t.last, t.count.to, t.proof, t.listed, t.wordEnd = tried{}, unknown, refused{}, refused{}, 0
}

// journey is one run.
type journey struct {
	trace *Trace
	run   uint32 // its number; 0: it has left no mark
	past  [joins]uint32
	n     int    // of the runs that it continues
	far   past   // how far it came
	met   bool   // it is like another run
	start int    // where it begins
	place int    // the stretch in which it is
	long  uint32 // its number as a long run; 0: it is not one
}

// come notes how far the run came.
func (j *journey) come(at int, state uint16, last int) {
	j.far.at, j.far.state, j.far.last = int32(at), state, int32(last)
}

// cross is called where the run comes into a stretch. It returns the run that was there in the same state and came no farther than
// the limit; where there was none, it leaves a mark.
func (j *journey) cross(at, limit int, state uint16) *past {
	t := j.trace
	if at/block != j.place*stretch/block && limit-j.start > leastIn {
		if p := j.crossFar(at, limit, state); p != nil {
			return p
		}
	}
	if t.marks == nil {
		t.marks = make([]mark, places*ways)
	}
	here := t.marks[at/stretch%places*ways:][:ways]
	for _, m := range here {
		if m.run < t.first || int(m.at) != at || m.state != state {
			continue
		}
		if p := &t.runs[m.run%keptRuns]; p.run == m.run && int(p.at) > at && int(p.at) <= limit {
			if j.n < joins {
				j.past[j.n] = m.run
				j.n++
			}
			j.meet(at, p)
			return p
		}
	}
	if j.run == 0 {
		t.next++
		j.run = t.next
	}
	copy(here[1:], here)
	here[0] = mark{int32(at), j.run, state}
	return nil
}

// meet notes that the run is like another one from here on.
func (j *journey) meet(at int, p *past) {
	if !j.met {
		j.met, j.far.root = true, root{p.root.id, max(int32(at), p.root.at)}
	}
}

// crossFar is called where the run comes into a block of the text, whose marks are of long runs and are kept.
func (j *journey) crossFar(at, limit int, state uint16) *past {
	t := j.trace
	i := at / block * ways
	if i < len(t.far) {
		for _, m := range t.far[i:][:ways] {
			if m.run == 0 || int(m.at) != at || m.state != state {
				continue
			}
			if p := &t.long[m.run-1]; int(p.at) > at && int(p.at) <= limit {
				j.meet(at, p)
				return p
			}
		}
	}
	if at-j.start < leastIn {
		return nil
	}
	if j.long == 0 {
		t.long = append(t.long, past{})
		j.long = uint32(len(t.long))
	}
	for len(t.far) < i+ways {
		t.far = append(t.far, mark{})
	}
	here := t.far[i:][:ways]
	copy(here[1:], here)
	here[0] = mark{int32(at), j.long, state}
	return nil
}

// end keeps how far the run came, for it and for the runs that it continues.
func (j *journey) end(steps int) {
	if j.trace == nil {
		return
	}
	j.trace.Work += steps
	j.trace.root = j.far.root
	if j.long != 0 {
		j.trace.long[j.long-1] = j.far
	}
	if j.run != 0 {
		j.far.run = j.run
		j.trace.runs[j.run%keptRuns] = j.far
	}
	for _, run := range j.past[:j.n] {
		if p := &j.trace.runs[run%keptRuns]; p.run == run && p.at <= j.far.at {
			if j.far.last >= p.at { // found after what it had read
				p.last = j.far.last
			}
			p.state, p.at = j.far.state, j.far.at
		}
	}
}

// nearby is how far a rule with a window has been tried, place by place.
type nearby struct {
	from, at int // no match starts between them
	match    bool
	end      int // of the match that starts at at
	rejected bool
}

// lined is what a line says of the secrets in it.
type lined struct {
	low, high      int      // the part of it that is looked at
	block          int      // of the matches for which that is so
	known, allowed []*allow // whose expressions were tried, and those that match
}

// lineExpresses reports whether an expression of a list matches in the line of a match. Of a long line it sees what is
// round the block of the match, which is the same for all that are in it.
func (t *Trace) lineExpresses(a *allow, text []byte, start, end int) bool {
	if t == nil {
		t = new(Trace)
	}
	l := &t.line
	if block := start / longest; l.block != block || start < l.low || end > l.high || len(l.known) == 0 {
		least, most := max(0, (block-1)*longest), min(len(text), (block+3)*longest)
		*l = lined{least, most, block, l.known[:0], l.allowed[:0]}
		if n := bytes.LastIndexByte(text[least:start], '\n'); n >= 0 {
			l.low += n + 1
		}
		if n := bytes.IndexByte(text[end:most], '\n'); n >= 0 {
			l.high = end + n
		}
		if bytes.IndexByte(text[start:end], '\n') >= 0 {
			l.block = unknown // of several lines: for this one alone
		}
	}
	if !slices.Contains(l.known, a) {
		l.known = append(l.known, a)
		if a.expresses(text, l.low, l.high, t) {
			l.allowed = append(l.allowed, a)
		}
	}
	return slices.Contains(l.allowed, a)
}

// entropy is [Entropy] of text[from:to].
func (t *Trace) entropy(text []byte, from, to int) float64 {
	if t == nil {
		return Entropy(text[from:to])
	}
	t.Work += max(0, min(to-from, to-t.count.to))
	return t.count.entropy(text, from, to)
}

// listed is a part of the text that has none of the texts of an allow-list.
type listed struct {
	allow    *allow
	from, to int
}

// free reports whether none of a list's texts is in text[from:to]. It reads no part of a secret again.
func (t *Trace) free(a *allow, text []byte, from, to int) bool {
	i := slices.IndexFunc(t.lists, func(l listed) bool { return l.allow == a })
	if i < 0 {
		i, t.lists = len(t.lists), append(t.lists, listed{allow: a})
	}
	l := &t.lists[i]
	if from < l.from || from >= l.to {
		l.from, l.to = from, from
	}
	if to > l.to {
		first := to
		low := max(l.from, l.to-a.most)
		t.Work += to - low
		a.search().Find(text[low:to], func(_, start int) bool {
			first = low + start
			return false
		})
		l.to = first
	}
	return to <= l.to
}
