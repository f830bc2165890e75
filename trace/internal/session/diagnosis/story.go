package diagnosis

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// damage returns the graph's damage in text order.
func (g *graph) damage() []stream.Damage {
	t := damageFinder{graph: g, used: make([]bool, len(g.gaps))}
	t.forks()
	strands := t.strands()
	t.sessions(strands)
	for _, s := range strands {
		t.strand(s)
	}
	t.extras()
	t.broken()
	t.lost()
	slices.SortStableFunc(t.list, func(a, b stream.Damage) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	return t.list
}

type damageFinder struct {
	*graph
	used []bool // gaps that explain missing events
	list []stream.Damage
}

func (t *damageFinder) line(i int32) int64 { return int64(t.nodes[i].line) }

// add adds a damage. Neighbors in the chain can have another order in the text.
func (t *damageFinder) add(d stream.Damage) {
	d.From, d.To = min(d.From, d.To), max(d.From, d.To)
	t.list = append(t.list, d)
}

// forks reports events with the same predecessor. A branch of one event was inserted.
func (t *damageFinder) forks() {
	for i := range t.nodes {
		if first := t.child[i]; first < 0 || t.next[first] < 0 {
			continue
		}
		way := t.main(int32(i))
		counts := []int64{0}
		from, to := t.line(way), int64(0)
		for c := range t.after(int32(i)) {
			if c == way {
				continue
			}
			n, first, last := t.size(c)
			if n == 1 {
				t.extra[c] = inserted
				continue
			}
			counts = append(counts, int64(n))
			from, to = min(from, t.line(first)), max(to, t.line(last))
			t.mark(c, branch)
		}
		if len(counts) > 1 {
			n, _, last := t.size(way)
			counts[0], to = int64(n), max(to, t.line(last))
		}
		t.child[i], t.next[way] = way, -1
		if len(counts) > 1 {
			t.add(stream.Damage{
				Kind: stream.DamageFork, From: from, To: to, Count: int64(len(counts)), Branches: counts,
				Note: fmt.Sprintf("%d branches go on from the event on line %d: two writers, or a restart that wrote events again", len(counts), t.line(int32(i))),
				Help: "find out which writer is right, and keep the events of one branch",
			})
		}
	}
}

// mark marks an event and all its successors.
func (t *damageFinder) mark(i int32, as extra) {
	for list := []int32{i}; len(list) > 0; {
		at := list[len(list)-1]
		list = slices.AppendSeq(list[:len(list)-1], t.after(at))
		t.extra[at] = as
	}
}

// strand is the fragments of one session.
type strand struct {
	fragments   []fragment
	first, last int32 // by place
	session     uint32
	size        int
}

func (s *strand) take(f fragment) {
	s.fragments = append(s.fragments, f)
	s.size += len(f)
	s.first, s.last = min(s.first, slices.Min(f)), max(s.last, slices.Max(f))
}

// strands groups the fragments by session: one group for each event that starts a chain.
func (t *damageFinder) strands() []*strand {
	var roots, orphans []fragment
	for i := range t.nodes {
		if t.parent[i] >= 0 || t.extra[i] != needed {
			continue
		}
		if f := t.follow(int32(i)); t.nodes[i].genesis {
			roots = append(roots, f)
		} else {
			orphans = append(orphans, f)
		}
	}
	if len(roots) == 0 {
		roots = append(roots, nil)
	}
	var list []*strand
	for _, f := range roots {
		s := &strand{first: int32(len(t.nodes)), last: -1}
		if f != nil {
			s.session = t.nodes[f[0]].session
			s.take(f)
		}
		list = append(list, s)
	}
	for _, f := range orphans {
		t.home(list, f).take(f)
	}
	return slices.DeleteFunc(list, func(s *strand) bool { return s.size == 0 })
}

// home returns the strand of a fragment: that of its session, or else the preceding one.
func (t *damageFinder) home(list []*strand, f fragment) *strand {
	best := list[0]
	for _, s := range list[1:] {
		if !t.spend() {
			break
		}
		a, b := t.nodes[f[0]].session == s.session, t.nodes[f[0]].session == best.session
		if a && !b || a == b && s.first < f[0] && s.first > best.first {
			best = s
		}
	}
	return best
}

func (t *damageFinder) sessions(list []*strand) {
	if len(list) < 2 {
		return
	}
	slices.SortFunc(list, func(a, b *strand) int { return cmp.Compare(a.first, b.first) })
	ids, mixed := map[uint32]bool{}, false
	for i, s := range list {
		ids[s.session] = true
		mixed = mixed || i > 0 && s.first < list[i-1].last
	}
	by, help := "session_id", "verify each session by itself: --by session_id"
	if len(ids) < len(list) {
		by, help = "", "the chains have the same session id, so --by cannot separate them"
	}
	if mixed {
		last := slices.MaxFunc(list, func(a, b *strand) int { return cmp.Compare(a.last, b.last) }).last
		t.add(stream.Damage{
			Kind: stream.DamageInterleaved, From: t.line(list[0].first), To: t.line(last), Count: int64(len(list)), By: by,
			Note: fmt.Sprintf("%d chains are interleaved in one log, each with its own beginning", len(list)), Help: help,
		})
		return
	}
	for i, s := range list[1:] {
		at := t.line(s.first)
		note := fmt.Sprintf("a new session begins on line %d, after the end of another", at)
		if end := list[i].last; !t.nodes[end].end {
			note = fmt.Sprintf("a new session begins on line %d; the one before it has no end, as after a crash and a restart", at)
		}
		if by == "" {
			help = fmt.Sprintf("split the log before line %d: both parts have the same session id, so --by cannot separate them", at)
		}
		t.add(stream.Damage{Kind: stream.DamageNewSession, From: at, To: t.line(s.last), Count: int64(s.size), By: by, Note: note, Help: help})
	}
}

func (t *damageFinder) strand(s *strand) {
	for _, f := range s.fragments {
		if t.putIn(f) {
			t.markFragment(f)
		}
	}
	list := slices.DeleteFunc(s.fragments, func(f fragment) bool { return t.extra[f[0]] != needed })
	list = t.arrange(list)
	var expected []int32
	for i, f := range list {
		if i == 0 {
			t.beginning(f)
		} else {
			t.junction(list[i-1], f)
		}
		expected = append(expected, f...)
	}
	t.order(expected)
}

func (t *damageFinder) markFragment(f fragment) {
	for _, i := range f {
		t.extra[i] = inserted
	}
}

// putIn reports whether a fragment without numbers and beginning is between two linked events.
func (t *damageFinder) putIn(f fragment) bool {
	if t.nodes[f[0]].numbered || t.nodes[f[0]].genesis || t.nodes[f[0]].broken || int(f[len(f)-1]-f[0]) != len(f)-1 {
		return false
	}
	before, after := t.neighbour(f[0], -1), t.neighbour(f[len(f)-1], 1)
	return before >= 0 && after >= 0 && t.parent[after] == before
}

// arrange sorts fragments by number, or else by position. A fragment with numbers that others have was inserted.
func (t *damageFinder) arrange(list []fragment) (out []fragment) {
	if len(list) == 0 || !t.nodes[list[0][0]].numbered {
		slices.SortFunc(list, func(a, b fragment) int { return cmp.Compare(a[0], b[0]) })
		return list
	}
	slices.SortStableFunc(list, func(a, b fragment) int { return cmp.Or(cmp.Compare(t.base(a), t.base(b)), cmp.Compare(a[0], b[0])) })
	for _, f := range list {
		if n := len(out); n > 0 {
			before := out[n-1]
			if t.base(f) < t.base(before)+int64(len(before)) {
				if len(f) <= len(before) {
					t.markFragment(f)
					continue
				}
				t.markFragment(before)
				out = out[:n-1]
			}
		}
		out = append(out, f)
	}
	return out
}

// beginning reports missing events before the first.
func (t *damageFinder) beginning(f fragment) {
	n := t.nodes[f[0]]
	if n.genesis || n.broken {
		return
	}
	missing := int64(0)
	if n.numbered {
		missing = t.base(f) - int64(t.first)
	}
	lost, all := t.lostBetween(-1, n.rank)
	if missing -= lost; all || missing <= 0 && (lost > 0 || n.numbered) {
		return
	}
	t.add(stream.Damage{Kind: stream.DamageRemoved, From: 0, To: t.line(f[0]), Count: missing})
}

// junction reports missing events between fragments, or an edited and rehashed one.
func (t *damageFinder) junction(a, b fragment) {
	last, next := a[len(a)-1], b[0]
	x, y := t.nodes[last], t.nodes[next]
	lost, all := t.lostBetween(x.rank, y.rank)
	if x.numbered && y.numbered {
		missing := t.base(b) - (t.base(a) + int64(len(a)))
		switch {
		case missing > 0 && !all && missing > lost:
			t.add(stream.Damage{Kind: stream.DamageRemoved, From: t.line(last), To: t.line(next), Count: missing - lost})
		case missing == 0 && !x.broken && !y.broken:
			t.renewed(last, next)
		}
		return
	}
	if lost == 0 && !all && !x.broken && !y.broken {
		t.add(stream.Damage{
			Kind: stream.DamageRemoved, From: t.line(last), To: t.line(next),
			Note: "events were removed here, or one was edited and hashed again: without event numbers, nothing shows which",
		})
	}
}

// renewed reports an edited and rehashed event. Two such places around an event mean that event.
func (t *damageFinder) renewed(last, next int32) {
	if n := len(t.list); n > 0 && t.list[n-1].Kind == stream.DamageEdited && t.list[n-1].To == t.line(last) {
		t.list[n-1].To = max(t.list[n-1].To, t.line(next))
		return
	}
	t.add(stream.Damage{
		Kind: stream.DamageEdited, From: t.line(last), To: t.line(next), Count: 1,
		Note: "the event was edited and hashed again, or replaced: its hash matches, but not the one in the next event",
	})
}

// lostBetween counts lost events between two ranks. all means that the number is unknown.
func (t *damageFinder) lostBetween(from, to int32) (lost int64, all bool) {
	at, _ := slices.BinarySearchFunc(t.gaps, from, func(g gap, rank int32) int { return cmp.Compare(g.rank, rank) })
	for i, gap := range t.gaps[at:] {
		if gap.rank > to || !t.spend() {
			break
		}
		if i += at; !t.used[i] && gap.lost > 0 {
			t.used[i] = true
			lost += int64(gap.lost)
			all = all || gap.more
		}
	}
	return lost, all
}

// order compares the events of a chain with their order in the text.
func (t *damageFinder) order(expected []int32) {
	if slices.IsSorted(expected) {
		return
	}
	place, text := t.depth, expected // which are not needed any more
	for i, at := range expected {
		place[at] = int32(i)
	}
	slices.Sort(text)
	for from, reach, i := 0, 0, 0; i < len(text); i++ {
		if reach = max(reach, int(place[text[i]])); reach > i {
			continue
		}
		if i > from {
			kind := stream.DamageReordered
			if i == from+1 {
				kind = stream.DamageSwapped
			}
			t.add(stream.Damage{
				Kind: kind, From: t.line(text[from]), To: t.line(text[i]), Count: int64(i - from + 1),
				Note: say.Counted(int64(i-from+1), "event") + " are in another order than they were written in",
			})
		}
		from = i + 1
	}
}

// extras reports runs of events outside of every chain.
func (t *damageFinder) extras() {
	for i := 0; i < len(t.nodes); i++ {
		as := t.extra[i]
		if as != repeated && as != inserted {
			continue
		}
		from := i
		for i+1 < len(t.nodes) && t.extra[i+1] == as {
			i++
		}
		d := stream.Damage{Kind: stream.DamageInserted, From: t.line(int32(from)), To: t.line(int32(i)), Count: int64(i - from + 1)}
		if as == repeated {
			d.Kind = stream.DamageRepeated
		}
		t.add(d)
	}
}

// broken reports runs of events with wrong hashes.
func (t *damageFinder) broken() {
	for i := 0; i < len(t.nodes); i++ {
		if !t.nodes[i].broken || t.extra[i] == inserted || t.extra[i] == repeated {
			continue
		}
		from := i
		for i+1 < len(t.nodes) && t.nodes[i+1].broken && t.extra[i+1] == needed && t.nodes[i+1].rank == t.nodes[i].rank+1 {
			i++
		}
		t.add(stream.Damage{Kind: stream.DamageEdited, From: t.line(int32(from)), To: t.line(int32(i)), Count: int64(i - from + 1)})
	}
}

// lost reports places without an event.
func (t *damageFinder) lost() {
	sizes := map[int32]int{}
	for _, gap := range t.gaps {
		if gap.size > 0 {
			sizes[gap.size]++
		}
	}
	cut := map[int32]int{} // places in the list of lines that were cut at one length
	for i, gap := range t.gaps {
		if n := sizes[gap.size]; gap.size > 0 && n > 2 {
			if at, told := cut[gap.size]; told {
				t.list[at].To = int64(gap.to)
				continue
			}
			cut[gap.size] = len(t.list)
			t.add(stream.Damage{
				Kind: stream.DamageTorn, From: int64(gap.from), To: int64(gap.to), Count: int64(n), Lost: int64(n), Name: "lines cut at one length",
				Note: fmt.Sprintf("%d lines end inside their records, all after %d characters: a log driver or a syslog cut them", n, gap.size),
				Help: "raise the driver's limit of a line, or write the log to a file",
			})
			continue
		}
		d := stream.Damage{Kind: gap.kind, From: int64(gap.from), To: int64(gap.to), Count: int64(gap.count), Name: gap.name, Note: gap.note, Help: gap.help}
		switch {
		case d.Kind == stream.DamageForeign && d.Count > 1:
			d.Note = fmt.Sprintf("%d lines that are not events", d.Count)
		case d.Kind == stream.DamageForeign && t.intact(gap.rank):
			d.Note += "; the chain around it is intact"
		case d.Kind == stream.DamageTorn && gap.lost > 0 && !t.used[i] && t.intact(gap.rank):
			d.Note += "; the chain around it is intact, so nothing is lost"
		case d.Kind == stream.DamageTorn:
			d.Lost = int64(gap.lost)
		}
		t.add(d)
	}
}
