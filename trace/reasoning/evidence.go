package reasoning

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/cupel-dev/cupel/internal/digest"
)

// evidenceState remembers the evidence that was registered: at most 32 bytes for
// each id, however long the paths are, plus the paths of the most recent ones.
type evidenceState struct {
	byID      map[uint64]uint32 // key of the id → its number in extents
	extents   []extent
	templates map[string]uint32 // paths, with the id taken out → number in forms
	forms     []string
	odd       map[uint32]string // paths that follow no template, by evidence number
	recent    []recent          // the last maxSearched, and those of the block
	before    int               // how many of recent are not the block's
	damaged   map[uint32]string // what is wrong with a file, as "rule@line", by evidence number; at most maxNames
	total     int

	files    []fileTask
	supports []supportTask
	budget   atomic.Int64 // bytes of file content that the block may still keep
}

// extent is where supports of one evidence may lie in its file, and where that file
// is: 16 bytes. With the key and the number in the map an id takes 28.
type extent struct {
	from, to uint48
	form     uint32
}

// uint48 is an offset in a file, up to 256 TiB.
type uint48 [6]byte

func newUint48(n int64) (u uint48) {
	for i := range u {
		u[i] = byte(n >> (8 * i))
	}
	return u
}

func (u uint48) int64() (n int64) {
	for i, b := range u {
		n |= int64(b) << (8 * i)
	}
	return n
}

// The forms that are no template.
const (
	unusable  = ^uint32(0) // there are no bytes to check against; said already
	ownPath   = unusable - 1
	maxForms  = 1_000 // templates; beyond them a path is kept in full
	idMark    = "\x00"
	keepBytes = 8 << 20  // file content that is kept for the claims of the same block
	keepFile  = 64 << 10 // of one file
)

// recent is an evidence that a support without a reference may mean.
type recent struct {
	number uint32
	id     string
	path   string
}

// maxSearched is how many of the latest evidence files are searched for the bytes of a
// support that names none.
const maxSearched = 1_024

// fileTask is one evidence file to read and hash.
type fileTask struct {
	e      *event
	number uint32
	path   string

	read     bool
	damaged  bool // it has another hash than its event says
	size     int64
	sum      digest.Sum
	data     []byte // the content, when it is small
	findings []Finding
	err      error
}

// registerEvidence takes an evidence event: its id is new, its hashes are spelled
// right, its path is safe. The file itself is read at the end of the block.
func (c *Checker) registerEvidence(e *event) {
	state := &c.evidence
	state.total++
	c.checkHashFormat(e, location{c.path("evidence.sha256"), -1}, e.sha256)
	c.checkHashFormat(e, location{c.path("evidence.chunk_id"), -1}, e.chunk)
	if !e.span.sound() {
		c.malformedSpan(e, c.path("evidence.span"), e.span)
	}
	clean, why := cleanPath(e.path.String())
	if why != "" {
		c.fault(e, "path.unsafe", c.path("evidence.content_path"), e.path.at, fmt.Sprintf("unsafe content_path %q: %s", preview(e.path.bytes), why))
	}
	key := c.key(e.id.bytes)
	if _, ok := state.byID[key]; ok {
		c.fault(e, "ref.evidence_duplicate", c.path("evidence.id"), e.id.at, fmt.Sprintf("evidence %q is registered a second time", preview(e.id.bytes)))
		return
	}
	c.came(&c.links.cited.evidence, key, "ref.evidence_later", "evidence %q is registered after the claim that cites it")
	number := uint32(len(state.extents))
	state.byID[key] = number
	state.extents = append(state.extents, extent{form: unusable})
	if why == "" && c.opt.Evidence != nil {
		state.files = append(state.files, fileTask{e: e, number: number, path: clean})
	}
}

func (c *Checker) malformedSpan(e *event, path string, s span) {
	c.fault(e, "span.malformed", path, s.at, fmt.Sprintf("span [%d,%d] is no range of bytes", s.from, s.to),
		compared("0 <= start < end", fmt.Sprintf("[%d,%d]", s.from, s.to)))
}

// checkHashFormat demands 64 lower-case hexadecimal digits.
func (c *Checker) checkHashFormat(e *event, at location, t text) {
	if !digest.IsHex(t.bytes) {
		c.fault(e, "hash.format", at.String(), t.at, fmt.Sprintf("%q is no SHA-256", preview(t.bytes)),
			compared("64 lower-case hexadecimal digits", preview(t.bytes)))
	}
}

// form returns the template of a path, and keeps the path itself when there is none.
func (s *evidenceState) form(number uint32, path, id string) uint32 {
	template, found := cutID(path, id)
	if n, ok := s.templates[template]; ok && found {
		return n
	}
	if !found || len(s.forms) >= maxForms {
		if s.odd == nil {
			s.odd = map[uint32]string{}
		}
		s.odd[number] = path
		return ownPath
	}
	n := uint32(len(s.forms))
	s.forms = append(s.forms, template)
	s.templates[template] = n
	return n
}

// pathOf returns the path of an evidence by its number and id.
func (s *evidenceState) pathOf(number uint32, id string) string {
	switch form := s.extents[number].form; form {
	case ownPath:
		return s.odd[number]
	default:
		return putID(s.forms[form], id)
	}
}

// runTasks reads the evidence files of a block and then checks what its claims cite.
func (c *Checker) runTasks() error {
	state := &c.evidence
	defer state.clearTasks()
	state.budget.Store(keepBytes)
	state.before = len(state.recent)
	c.parallel(len(state.files), func(i int) { c.readEvidence(&state.files[i]) })
	for i := range state.files {
		t := &state.files[i]
		if t.err != nil {
			return t.err
		}
		c.addAll(t.findings)
		if !t.read {
			continue
		}
		if t.damaged && len(state.damaged) < maxNames {
			state.damaged[t.number] = fmt.Sprintf("hash.evidence@%d", t.e.line.Number)
		}
		id := t.e.id.String()
		state.extents[t.number].form = state.form(t.number, t.path, id)
		state.recent = append(state.recent, recent{t.number, id, t.path})
		if c.opt.Evidence == c.opt.Run {
			c.manifest.saw(c.key([]byte(t.path)), t.sum)
		}
	}
	c.parallel(len(state.supports), func(i int) { c.readSupport(&state.supports[i]) })
	for i := range state.supports {
		if err := state.supports[i].err; err != nil {
			return err
		}
		c.addAll(state.supports[i].findings)
	}
	if n := len(state.recent); n > maxSearched {
		state.recent = append(state.recent[:0], state.recent[n-maxSearched:]...)
	}
	return c.ctx.Err()
}

func (s *evidenceState) clearTasks() {
	clear(s.files)
	clear(s.supports)
	s.files, s.supports = s.files[:0], s.supports[:0]
}

func (c *Checker) addAll(list []Finding) {
	for _, f := range list {
		c.findings.Add(f)
	}
}

// taskOf returns what the current block has read of an evidence; nil when it was
// registered in an earlier one.
func (s *evidenceState) taskOf(number uint32) *fileTask {
	if len(s.files) == 0 || number < s.files[0].number {
		return nil
	}
	// Numbers rise along the files; most blocks have no gap.
	for i := min(int(number-s.files[0].number), len(s.files)-1); i >= 0; i-- {
		if s.files[i].number == number {
			return &s.files[i]
		}
	}
	return nil
}

// readEvidence hashes one file and finds out where supports may lie in it. It runs
// beside others of its block.
func (c *Checker) readEvidence(t *fileTask) {
	f, size, fault, err := openEvidence(c.opt.Evidence, t.path)
	switch {
	case err != nil:
		t.err = fmt.Errorf("cannot read evidence %q: %w", t.path, err)
		return
	case fault != nil:
		t.findings = append(t.findings, c.eventFinding(t.e, fault.rule, c.path("evidence.content_path"), t.e.path.at, fault.message))
		return
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	if t.size, t.sum, t.data, err = c.hashFile(f, size); err != nil {
		t.err = fmt.Errorf("cannot read evidence %q: %w", t.path, err)
		return
	}
	t.read = true
	c.checkFile(t)
}

// hashFile reads a file to its end. Small content is returned as well, as long as
// the block's budget lasts.
func (c *Checker) hashFile(r io.Reader, size int64) (n int64, sum digest.Sum, data []byte, err error) {
	if size > keepFile || c.evidence.budget.Add(-size) < 0 {
		n, err = hashAll(&sum, r)
		return n, sum, nil, err
	}
	data = make([]byte, size+1) // one more, to see the end at once
	k, err := io.ReadFull(r, data)
	switch err {
	case io.EOF, io.ErrUnexpectedEOF:
		return int64(k), digest.Of(data[:k]), data[:k], nil
	case nil: // the file has grown since it was measured
		n, err = hashAll(&sum, io.MultiReader(bytes.NewReader(data), r))
	}
	return n, sum, nil, err
}

// checkFile compares a file with its event and settles where supports may lie: in a
// file that holds just the cited chunk, anywhere; in one that holds the whole document,
// within the chunk's span; in a damaged one, anywhere.
func (c *Checker) checkFile(t *fileTask) {
	e := t.e
	recorded, wellFormed := digest.ParseHex(e.sha256.bytes)
	holds := wellFormed && recorded.Equal(t.sum)
	t.damaged = wellFormed && !holds
	if t.damaged {
		f := c.eventFinding(e, "hash.evidence", c.path("evidence.sha256"), e.sha256.at, fmt.Sprintf("evidence file %q has another SHA-256", preview([]byte(t.path))))
		f.Expected, f.Found = recorded.Hex(), t.sum.Hex()
		if f.Notes = c.explainFile(t, recorded); f.Notes == nil && e.span.sound() && e.span.to-e.span.from != t.size {
			f.Notes = []string{fmt.Sprintf("the file has %d bytes, the evidence's span %d", t.size, e.span.to-e.span.from)}
		}
		t.findings = append(t.findings, f)
	}
	from, to := int64(0), t.size
	switch s := e.span; {
	case !s.sound(), s.to-s.from == t.size:
	case s.to <= t.size:
		from, to = s.from, s.to
	case holds:
		f := c.eventFinding(e, "span.evidence_mismatch", c.path("evidence.span"), s.at, fmt.Sprintf("span [%d,%d] fits no file of %d bytes", s.from, s.to, t.size))
		f.Expected, f.Found = fmt.Sprintf("a span of %d bytes, or one that ends within them", t.size), fmt.Sprintf("[%d,%d]", s.from, s.to)
		t.findings = append(t.findings, f)
	}
	c.evidence.extents[t.number].from, c.evidence.extents[t.number].to = newUint48(from), newUint48(to)
}
