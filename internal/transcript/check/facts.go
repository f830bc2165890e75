package check

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
)

// none is the ordinal of a record without one.
const none = -1

// fact is the data of a record that the rules need. Its texts refer to the record's block.
type fact struct {
	line        int
	offset      int64
	typ         string
	flags       transcript.Flags
	role        transcript.Role
	linkLine    int    // of the parent's name
	id, parent  uint64 // keys; 0 for none
	session     uint64
	agent       uint64
	hash        uint64 // of the whole record
	idText      []byte
	parentText  []byte
	sessionText []byte
	folder      []byte // where the agent worked
	ms          int64  // 0: no time
	ordinal     int64
	parts       []part
	faults      []transcript.Fault
	sample      transcript.Sample
	rewindText  []byte
	cost, costs float64 // OpenCode: of a message, and of its steps
	replaces    []fact  // a list of records that replaces all before it
	hasReplaces bool
	refs        []ref
}

// part is a call, a result or an attachment.
type part struct {
	kind     transcript.PartKind
	id       uint64
	own      uint64
	hash     uint64
	line     int
	text     []byte
	ownT     []byte
	session  uint64
	sessionT []byte
	name     string
	open, echo, server, noPair, cut, empty,
	failed bool
}

// ref is a reference to a subagent's trajectory in the same document.
type ref struct {
	id   uint64
	text []byte
	line int
}

func raw(n strictjson.Node) []byte { return n.TextBytes(nil) }

// fact makes the fact of a record whose place is set.
func (w *worker) fact(list string, root strictjson.Node) fact {
	r := &w.record
	transcript.Read(w.opt.Kind.Format, list, root, r)
	f := fact{
		line: r.Line, offset: r.Offset, typ: w.intern(r.Type), flags: r.Flags, role: r.Role,
		id: transcript.Key(r.ID), parent: transcript.Key(r.Parent), session: transcript.Key(r.Session), agent: transcript.Key(r.Agent),
		idText: raw(r.ID), parentText: raw(r.Parent), sessionText: raw(r.Session), folder: raw(r.Folder), ordinal: none,
		sample: transcript.SampleOf(r), rewindText: raw(r.Rewind),
	}
	if w.opt.Calls && r.Model.Exists() {
		f.sample.Model = w.intern(textOf(r.Model))
	}
	f.linkLine = r.Line
	if w.opt.Kind.Document {
		f.linkLine = r.LineOf(r.Parent)
	}
	if r.Has(transcript.Chained) {
		f.hash = transcript.KeyOf(root.Raw())
	}
	if n, ok := r.Ordinal.Int(); ok {
		f.ordinal = n
	}
	if f.flags&transcript.NoTime == 0 {
		f.ms, _ = transcript.Millis(r.Time)
	}
	if len(r.Faults) > 0 {
		f.faults = append([]transcript.Fault(nil), r.Faults...)
	}
	w.parts(r, &f)
	if w.opt.Kind.Format == transcript.OpenCode {
		w.costs(r, &f)
	}
	if w.opt.Kind.Format == transcript.ATIF {
		f.refs = w.refs(root, r)
	}
	if r.Messages.Exists() {
		w.messages(r, &f)
	}
	return f
}

// messages reads the records that a checkpoint holds.
func (w *worker) messages(r *transcript.Record, f *fact) {
	f.hasReplaces = true
	messages, place := r.Messages, r.Place
	for m := range messages.Children() {
		start, end := m.Span()
		w.record.Place = transcript.Place{Line: place.LineAt(start), Offset: place.Offset + int64(start), Text: place.Text}
		_ = end
		f.replaces = append(f.replaces, w.fact("", m))
	}
}

func (w *worker) parts(r *transcript.Record, f *fact) {
	n := 0
	for i := range r.Parts {
		if wanted(&r.Parts[i]) {
			n++
		}
	}
	if n == 0 {
		return
	}
	if cap(w.slab)-len(w.slab) < n {
		w.slab = make([]part, 0, max(256, 2*cap(w.slab), n))
	}
	from := len(w.slab)
	line, at := r.Line, 0
	for i := range r.Parts {
		p := &r.Parts[i]
		if !wanted(p) {
			continue
		}
		if start, _ := p.Node.Span(); w.opt.Kind.Document && start >= at {
			for _, c := range r.Text[at:min(start, len(r.Text))] {
				if c == '\n' {
					line++
				}
			}
			at = start
		}
		q := part{
			kind: p.Kind, id: transcript.Key(p.ID), own: transcript.Key(p.Own), line: line, text: raw(p.ID), ownT: raw(p.Own), session: transcript.Key(p.Session), sessionT: raw(p.Session),
			open: p.Open, echo: p.Echo, server: p.Server, noPair: p.NoPair, cut: p.Cut, empty: p.Empty, failed: p.Error.Exists(),
		}
		switch p.Kind {
		case transcript.Call:
			q.name = p.As
			if p.Name.Exists() {
				q.name = w.intern(textOf(p.Name))
			}
			q.hash = transcript.KeyOf(p.Node.Raw())
		case transcript.Result:
			q.hash = transcript.KeyOf(p.Value.Raw())
		default:
			if q.own != 0 {
				q.hash = transcript.KeyOf(p.Node.Raw())
			}
		}
		w.slab = append(w.slab, q)
	}
	f.parts = w.slab[from:len(w.slab):len(w.slab)]
}

func wanted(p *transcript.Part) bool {
	return p.Kind == transcript.Call || p.Kind == transcript.Result || p.Kind == transcript.Media || p.Own.Exists()
}

// costs compares a message's cost with its steps.
func (w *worker) costs(r *transcript.Record, f *fact) {
	steps := 0
	for i := range r.Parts {
		if r.Parts[i].Kind == transcript.Finish {
			f.costs += r.Parts[i].Usage.Cost
			steps++
		}
	}
	if steps > 0 && r.Root.Last("info").Last("cost").Exists() {
		f.cost = r.Sum.Cost
	} else {
		f.cost = f.costs
	}
}

// refs are the references of a step to trajectories in the same document.
func (w *worker) refs(root strictjson.Node, r *transcript.Record) (list []ref) {
	results := root.Last("observation").Last("results")
	if !results.Is(strictjson.Array) {
		return nil
	}
	for res := range results.Children() {
		refs := res.Last("subagent_trajectory_ref")
		if !refs.Is(strictjson.Array) {
			continue
		}
		for one := range refs.Children() {
			id := one.Last("trajectory_id")
			if id.Is(strictjson.String) && one.Last("trajectory_path").Missing() {
				list = append(list, ref{transcript.Key(id), append([]byte(nil), raw(id)...), r.LineOf(one)})
			}
		}
	}
	return list
}

func textOf(n strictjson.Node) string { s, _ := n.Text(); return s }

// intern returns one string for equal texts.
func (w *worker) intern(s string) string {
	if known, ok := w.types[s]; ok {
		return known
	}
	if len(w.types) < 1000 {
		w.types[s] = s
	}
	return s
}
