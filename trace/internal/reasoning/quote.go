package reasoning

import (
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/evidence"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
)

// Quotes reads the bytes cited by claims, for display. If their hash does not match, it searches for the original:
// a known kind of damage, or a text in a tool result. It must receive events in file order.
type Quotes struct {
	cited citations
	room  int   // bytes of what may still be remembered of pieces and texts
	work  int64 // remaining bytes to hash in searches
	texts map[digest.Sum]*resultText
	order []*resultText
}

type resultText struct {
	text []byte
	line int
}

// Limits of stored texts and of reads per file.
const (
	quoteRoom    = 16 << 20
	quoteWork    = 1 << 30
	spanTries    = 150       // bytes that are hashed for each byte of a span whose meaning is looked for
	maxSaid      = 256 << 10 // the longest text of a result
	maxOriginal  = 1 << 20   // largest file compared with its original
	maxQuoteText = 4 << 10   // bytes of a citation that are shown
	quoteContext = 200       // bytes that are shown before and after
)

// NewQuotes returns Quotes for a trace. files contains its evidence, or is nil.
func NewQuotes(files Files) *Quotes {
	return &Quotes{cited: citations{files: files, byID: map[string]*piece{}}, room: quoteRoom, work: quoteWork, texts: map[digest.Sum]*resultText{}}
}

// take takes n bytes from the budget if available.
func (q *Quotes) take(n int) bool {
	if n > q.room {
		return false
	}
	q.room -= n
	return true
}

// Register processes an event that registers evidence.
func (q *Quotes) Register(e *format.Event) {
	const overhead = 200
	if q.take(overhead + len(e.ID.Bytes) + len(e.Evidence.Path.Bytes)) {
		registered := *e
		registered.Evidence.URI = format.Text{}
		q.cited.register(&registered)
	}
}

// Returned stores a tool result, which can contain original evidence.
func (q *Quotes) Returned(line int, result strictjson.Node) {
	if !result.Exists() {
		return
	}
	for n := range result.All() {
		if !n.Is(strictjson.String) {
			continue
		}
		if start, end := n.Span(); end-start > maxSaid || !q.take(end-start) {
			continue
		}
		text := n.TextBytes(nil)
		if sum := digest.Of(text); q.texts[sum] == nil {
			q.texts[sum] = &resultText{append([]byte{}, text...), line}
			q.order = append(q.order, q.texts[sum])
		}
	}
}

// Quote is the content cited by a support.
type Quote struct {
	Citation
	Fails bool   // the cited bytes are not there, or are others
	Path  string // of the evidence file; "" where none is known
	Line  int    // where the evidence is registered
	Size  int64  // of the file

	Before, Bytes, After []byte // cited bytes, possibly truncated, and their context
	Cut                  int64  // of the cited bytes that are not shown
	Why                  string // why bytes or verdict are missing

	Recorded, Actual string // the hashes, where they differ
	Meant            *Meant // original of the recorded hash, or nil
}

// Meant is the original content of a mismatched hash.
type Meant struct {
	Note     string // where that is known from
	Expected []byte // the bytes with the recorded hash
	Found    []byte // the bytes in their place
}

// Of returns a support's citation. It returns only read errors.
func (q *Quotes) Of(s *format.Support) (out Quote, err error) {
	out.Citation = q.cited.cite(s)
	if q.cited.failed != nil {
		return out, q.cited.failed
	}
	switch {
	case s.Target == format.CitesClaim, s.Target == format.CitesCall:
		out.Why = fmt.Sprintf("a %s has no bytes: the hash is not checked", out.Kind)
		return out, nil
	case s.Target == format.CitesUnknown:
		out.Why = "the kind of the support is unknown"
		return out, nil
	case !s.Span.Sound():
		out.Fails = true
		out.Why = fmt.Sprintf("[%d,%d] is not a range of bytes", s.Span.From, s.Span.To)
		return out, nil
	}
	p := q.cited.byID[out.Ref]
	switch {
	case p == nil && out.Ref == "" && q.cited.files == nil:
		out.Why = filesUnread
		return out, nil
	case p == nil && out.Ref == "":
		out.Fails = true
		out.Why = "it names no evidence, and no evidence before the claim has bytes with this hash in the span"
		return out, nil
	case p == nil:
		out.Fails = true
		out.Why = "no evidence of this id is registered before the claim"
		return out, nil
	}
	out.Path, out.Line = p.path, p.Line
	return out, q.read(&out, s)
}

// read reads the cited bytes and their context.
func (q *Quotes) read(out *Quote, s *format.Support) error {
	if q.cited.files == nil {
		out.Why = filesUnread
		return nil
	}
	f, size, wrong, err := folder.Open(q.cited.files, out.Path)
	switch {
	case err != nil:
		return folder.Unread(out.Path, err)
	case wrong != nil:
		out.Fails, out.Why = true, wrong.Message
		return nil
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	out.Size = size
	from, to := min(s.Span.From, size), min(s.Span.To, size)
	first, last := max(0, from-quoteContext), min(size, min(to, from+maxQuoteText)+quoteContext)
	text, err := io.ReadAll(folder.Range(f, first, last))
	if err != nil {
		return folder.Unread(out.Path, err)
	}
	n := int64(len(text)) // fewer where the file was cut meanwhile
	begin, end := min(from-first, n), min(min(to, from+maxQuoteText)-first, n)
	out.Before, out.Bytes, out.After = text[:begin], text[begin:end], text[end:]
	out.Cut = max(0, to-from-maxQuoteText)
	if out.Cut > 0 {
		out.After = nil
	}
	out.Fails = out.Holds != nil && !*out.Holds || s.Span.To > size
	if s.Span.To > size {
		out.Why = fmt.Sprintf("the span ends at byte %d, the file at %d", s.Span.To, size)
	}
	if s.Comparable() && (out.Holds == nil || !*out.Holds) {
		q.explain(out, s)
	}
	return nil
}

// explain searches for the original of a mismatched hash.
func (q *Quotes) explain(out *Quote, s *format.Support) {
	out.Recorded = s.Snippet.Sum.Hex()
	data := q.content(out.Path)
	if data == nil {
		return
	}
	size := int64(len(data))
	found := data[min(s.Span.From, size):min(s.Span.To, size)]
	if out.Holds != nil {
		out.Actual = digest.Of(found).Hex()
	}
	if q.work -= spanTries * int64(len(found)); q.work < 0 {
		return
	}
	if m := evidence.MeantSpan(data, s.Span, s.Snippet.Sum); m != nil {
		out.Meant = &Meant{m.Note, m.Text, found}
	} else if t := q.said(s); t != nil {
		out.Meant = &Meant{t.note(), t.text, found}
	}
}

// said returns a stored text that matches a support's hash, as a whole or in its span, or nil.
func (q *Quotes) said(s *format.Support) *resultText {
	if t := q.texts[s.Snippet.Sum]; t != nil {
		return t
	}
	for _, t := range q.order {
		if s.Span.To > int64(len(t.text)) {
			continue
		}
		if q.work -= s.Span.To - s.Span.From; q.work < 0 {
			return nil
		}
		if part := t.text[s.Span.From:s.Span.To]; digest.Of(part).Equal(s.Snippet.Sum) {
			return &resultText{part, t.line}
		}
	}
	return nil
}

// Original compares an evidence file with its event's hash. On mismatch it returns the file's hash and, if found,
// the original. For a large file it returns "".
func (q *Quotes) Original(e *format.Event) (actual string, m *Meant) {
	path, why := folder.Clean(e.Evidence.Path.String())
	if why != "" || !e.Evidence.SHA256.Valid || q.cited.files == nil {
		return "", nil
	}
	data, want := q.content(path), e.Evidence.SHA256.Sum
	if data == nil || digest.Of(data).Equal(want) {
		return "", nil
	}
	actual = digest.Of(data).Hex()
	if m := evidence.MeantFile(data, want); m != nil {
		return actual, &Meant{m.Note, m.Text, data}
	}
	if t := q.texts[want]; t != nil {
		return actual, &Meant{t.note(), t.text, data}
	}
	return actual, nil
}

// Beginning returns the first bytes of an evidence file and its length, or why they cannot be read.
func (q *Quotes) Beginning(e *format.Event, most int64) (text []byte, size int64, why string) {
	path, why := folder.Clean(e.Evidence.Path.String())
	switch {
	case why != "":
		return nil, 0, "the path is not followed: " + why
	case q.cited.files == nil:
		return nil, 0, filesUnread
	}
	f, size, wrong, err := folder.Open(q.cited.files, path)
	switch {
	case err != nil:
		return nil, 0, fileUnreadable
	case wrong != nil:
		return nil, 0, wrong.Message
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	text, err = io.ReadAll(folder.Range(f, 0, min(size, most)))
	if err != nil {
		return nil, size, fileUnreadable
	}
	return text, size, ""
}

// content returns a whole file, or nil if it is large or unreadable.
func (q *Quotes) content(path string) []byte {
	f, _, wrong, err := folder.Open(q.cited.files, path)
	if err != nil || wrong != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	data, err := source.ReadAll(f, maxOriginal)
	if err != nil {
		return nil
	}
	return data
}

// Reasons for a quote without text.
const (
	filesUnread    = "evidence files are not read"
	fileUnreadable = "the file cannot be read"
)

// note describes a text that matches the hash.
func (t *resultText) note() string {
	return fmt.Sprintf("is that of a text in the result on line %d", t.line)
}
