package trace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// Files of many sessions can also be verified in ranges. Each range has an Account of its lines and a summary per
// session. The accounts together locate the lines and sessions. The summaries of one session, in file order,
// describe it.

// Account describes the lines of some ranges of a log's files, for all sessions. Merge computes the union.
type Account struct {
	terms  Terms // options of the reading; nil without pieces
	pieces pieces
}

// SessionSummary describes a session's lines in some ranges of a log's files. Merge computes the union.
type SessionSummary struct {
	ID    string // as reports show it, a long one by its beginning; "" for the lines that name no session
	Named bool
	Key   [sha256.Size]byte // identifies the session: SHA-256 of its id, zero without id
	// OpenColumn is as in Summary.
	OpenColumn func(digest [sha256.Size]byte) (io.ReadCloser, error)

	terms  digest.Sum // of the terms under which the lines were read
	pieces pieces
}

// LogFile is a file of a log with many sessions.
type LogFile struct {
	Name string // its display name, for findings
	Open func() (io.ReaderAt, error)
}

// SummarizeSessions reads a range of a file of a log with many sessions. file is its index. An empty file has an
// account, too. Errors are those of Summarize.
func SummarizeSessions(ctx context.Context, src io.ReaderAt, file int, r Range, opt Options) (*Account, []*SessionSummary, error) {
	return summarizeSessions(ctx, src, file, r, opt, nil)
}

// summarizeSessions is SummarizeSessions with known first records of sessions.
func summarizeSessions(ctx context.Context, src io.ReaderAt, file int, r Range, opt Options, first map[[sha256.Size]byte]session.Facts) (*Account, []*SessionSummary, error) {
	if err := opt.checkSummary(); err != nil {
		return nil, nil, err
	}
	r, size, err := wholeLines(src, r)
	if err != nil {
		return nil, nil, err
	}
	if r.Start == r.End && size > 0 {
		return &Account{}, nil, nil
	}
	lines := newRangeReader(src, r, &opt)
	all := session.NewSummaries(lines.limits, opt.Session.internal(opt.Engine, nil, false, nil, nil), sessionFamily, first)
	if err := lines.read(ctx, all, nil); err != nil {
		return nil, nil, exported(err)
	}
	parts, err := all.Parts()
	if err != nil {
		return nil, nil, err
	}
	sum, terms := lines.sum.Sum(), summaryTerms(&opt)
	account := rangeAccount{unended: lines.unended(), ends: r.End == size}
	var list []*SessionSummary
	for i := range parts {
		p := &parts[i]
		account.sessions = append(account.sessions, session.PartKey(p.Key))
		var body wire.Writer
		p.Facts.Put(&body)
		body.Uint(uint64(p.Line))
		p.Findings.Encode(&body)
		body.Raw(p.Core)
		list = append(list, &SessionSummary{ID: p.ID, Named: p.Named, Key: p.Key, terms: terms.digest(), pieces: pieces{newPiece(file, r, sum, body.Bytes, p.Column)}})
	}
	var body wire.Writer
	lines.put(&body)
	account.put(&body)
	return &Account{terms, pieces{newPiece(file, r, sum, body.Bytes, nil)}}, list, nil
}

type rangeAccount struct {
	unended  bool     // the last line has no line feed
	ends     bool     // the file ends with the range
	sessions []uint64 // short keys of those that have lines in it
}

func (a *rangeAccount) put(w *wire.Writer) {
	w.Bool(a.unended)
	w.Bool(a.ends)
	slices.Sort(a.sessions)
	w.Uint(uint64(len(a.sessions)))
	for _, key := range a.sessions {
		w.Uint(key)
	}
}

func readRangeAccount(r *wire.Reader) (a rangeAccount) {
	a.unended, a.ends = r.Bool(), r.Bool()
	for range r.Count(1) {
		a.sessions = append(a.sessions, r.Uint())
	}
	return a
}

// Merge adds the missing ranges of b to a. Errors are those of Summary.Merge and leave a unchanged.
func (a *Account) Merge(b *Account) error {
	if len(b.pieces) == 0 {
		return nil
	}
	if differ := a.terms.differ(b.terms); len(a.pieces) > 0 && len(differ) > 0 {
		return madeUnder(differ)
	}
	all, err := a.pieces.with(b.pieces, nil)
	if err == nil {
		a.terms, a.pieces = b.terms, all
	}
	return err
}

// Unreadable returns the number of unreadable lines, which belong to no session. It returns an error if the account
// is damaged.
func (a *Account) Unreadable() (lines int64, err error) {
	for _, p := range a.pieces {
		counts, _, err := p.account()
		if err != nil {
			return 0, err
		}
		lines += counts.Unreadable
	}
	return lines, nil
}

// Sessions returns the short keys of the sessions in the ranges, sorted. It returns an error if the account is
// damaged.
func (a *Account) Sessions() (keys []uint64, err error) {
	for _, p := range a.pieces {
		_, own, err := p.account()
		if err != nil {
			return nil, err
		}
		keys = append(keys, own.sessions...)
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

func (p *piece) account() (lines rangeLines, own rangeAccount, err error) {
	body := wire.NewReader(p.body)
	lines.feeds, lines.Counts = readAccount(body)
	stream.NewFindings(0).MergeEncoded(body, 0)
	own = readRangeAccount(body)
	if err := body.Done(); err != nil {
		return lines, own, inAccount(p, err)
	}
	return lines, own, nil
}

// rangeLines counts the lines of a range by kind, and its line feeds.
type rangeLines struct {
	feeds int
	stream.Counts
}

// accountMagic and sessionMagic begin the binary forms; the last byte is the version.
const (
	accountMagic = "cupel.account\x00\x02"
	sessionMagic = "cupel.session\x00\x05"
)

// MarshalBinary returns the account. Equal accounts have equal bytes.
func (a *Account) MarshalBinary() ([]byte, error) {
	w := wire.Writer{Bytes: []byte(accountMagic)}
	a.terms.put(&w)
	a.pieces.put(&w)
	return sealed(&w), nil
}

// UnmarshalBinary parses the output of MarshalBinary. Errors are those of Summary.UnmarshalBinary.
func (a *Account) UnmarshalBinary(data []byte) error {
	r, err := unsealed(data, accountMagic)
	if err != nil {
		return err
	}
	read := Account{readTerms(r), readPieces(r)}
	if err := cmp.Or(r.Done(), read.pieces.check()); err != nil {
		return fmt.Errorf("the account cannot be used: %w", err)
	}
	*a = read
	return nil
}

// ShortKey returns the session's key in Account.Sessions. Two sessions only have the same key if their ids were
// crafted for that.
func (s *SessionSummary) ShortKey() uint64 { return session.PartKey(s.Key) }

// Merge adds the missing ranges of t to s. It returns an error, and leaves s unchanged, if the sessions differ or
// Summary.Merge would fail.
func (s *SessionSummary) Merge(t *SessionSummary) error {
	if len(t.pieces) == 0 {
		return nil
	}
	if len(s.pieces) > 0 && (s.Key != t.Key || s.Named != t.Named) {
		return fmt.Errorf("summaries of the sessions %q and %q are not merged", s.ID, t.ID)
	}
	if len(s.pieces) > 0 && s.terms != t.terms {
		return fmt.Errorf("two summaries of the session %q were made under other options, or by another version of cupel", s.ID)
	}
	all, err := s.pieces.with(t.pieces, t.OpenColumn)
	if err == nil {
		s.ID, s.Named, s.Key, s.terms, s.pieces = t.ID, t.Named, t.Key, t.terms, all
	}
	return err
}

// Columns yields the attached columns that are not empty, by digest.
func (s *SessionSummary) Columns() iter.Seq2[[sha256.Size]byte, []byte] { return s.pieces.columns }

// Attach attaches a column to the ranges with its digest.
func (s *SessionSummary) Attach(column []byte) { s.pieces = s.pieces.attach(column) }

// MarshalBinary returns the summary without its columns. Equal summaries have equal bytes.
func (s *SessionSummary) MarshalBinary() ([]byte, error) {
	w := wire.Writer{Bytes: []byte(sessionMagic)}
	w.Text(s.ID)
	w.Bool(s.Named)
	w.Sum(s.Key)
	w.Sum(s.terms)
	s.pieces.put(&w)
	return sealed(&w), nil
}

// UnmarshalBinary parses the output of MarshalBinary, without columns. Errors are those of Summary.UnmarshalBinary.
func (s *SessionSummary) UnmarshalBinary(data []byte) error {
	r, err := unsealed(data, sessionMagic)
	if err != nil {
		return err
	}
	read := SessionSummary{OpenColumn: s.OpenColumn, ID: r.Text(), Named: r.Bool(), Key: r.Sum(), terms: r.Sum(), pieces: readPieces(r)}
	if err := cmp.Or(r.Done(), read.pieces.check()); err != nil {
		return fmt.Errorf("the summary of a session cannot be used: %w", err)
	}
	*s = read
	return nil
}

// Report returns the session's report, like Report.Sessions of VerifyChain with Options.BySession, but with as many
// findings as a single log's report. Errors are those of Summary.Report, or report a missing summary.
func (s *SessionSummary) Report(ctx context.Context, l *Layout, opt Options) (*Report, error) {
	if err := opt.checkSummary(); err != nil {
		return nil, err
	}
	if len(s.pieces) == 0 {
		return nil, errors.New("the summary does not cover a session")
	}
	if err := s.fits(l, &opt); err != nil {
		return nil, err
	}
	r := sessionReplay{verification: newVerification(opt), SessionSummary: s, layout: l}
	r.chain = &chain{lines: l.segments}
	report, err := r.report(ctx)
	if report != nil {
		r.chain.locate(report)
	}
	return report, exported(err)
}

// fits returns an error if the summary was made with other options or another account.
func (s *SessionSummary) fits(l *Layout, opt *Options) error {
	if differ := l.terms.differ(summaryTerms(opt)); len(l.ranges) > 0 && len(differ) > 0 {
		return fmt.Errorf("the files were summarized under %s", others(differ))
	}
	if len(l.ranges) > 0 && s.terms != l.terms.digest() {
		return fmt.Errorf("the session %q was summarized under other options than the files, or by another version of cupel", s.ID)
	}
	return nil
}

// Layout locates the lines and sessions in the files of a log. It is safe for concurrent use.
type Layout struct {
	files    []LogFile
	terms    Terms // under which the lines were read
	ranges   []placedRange
	segments *stream.Segments
}

// placedRange is a range and the number of lines before it.
type placedRange struct {
	*piece
	rangeAccount
	before int
}

// Layout combines the ranges of all files. It returns a *GapError if a range is missing, or an error if the files
// differ.
func (a *Account) Layout(files []LogFile) (*Layout, error) {
	l := Layout{files: files, terms: a.terms}
	var list []stream.Segment
	lines, left := 0, a.pieces
	for i, f := range files {
		list = append(list, stream.Segment{Name: f.Name, First: lines + 1})
		end, ends := int64(0), false
		for len(left) > 0 && left[0].file == i {
			p := left[0]
			left = left[1:]
			counts, own, err := p.account()
			if err != nil {
				return nil, err
			}
			at := placedRange{p, own, lines}
			if p.Start != end {
				return nil, fmt.Errorf("%q: %w", f.Name, &GapError{Range{end, p.Start}})
			}
			l.ranges = append(l.ranges, at)
			if lines += counts.feeds; at.unended {
				lines++
			}
			list[i].Content = list[i].Content || !counts.Empty()
			end, ends = p.End, at.ends
		}
		if !ends {
			return nil, fmt.Errorf("%q: no summary covers the bytes from byte %d on", f.Name, end)
		}
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("there are summaries of %v, but only %d files", left[0], len(files))
	}
	l.segments = stream.Placed(list)
	return &l, nil
}

// sessionReplay is the state of one call of SessionSummary.Report.
type sessionReplay struct {
	*verification
	*SessionSummary
	layout *Layout

	facts   session.Facts // of the session
	first   int           // line of its first record
	checker *session.Checker
}

func (r *sessionReplay) report(ctx context.Context) (*Report, error) {
	left := r.pieces
	for i := range r.layout.ranges {
		at := &r.layout.ranges[i]
		if len(left) > 0 && left[0].file == at.file && left[0].Range == at.Range {
			if left[0].sum != at.sum {
				return nil, changedBetween(at.piece)
			}
			if err := r.take(ctx, left[0], at); err != nil {
				return nil, of(at.piece, err)
			}
			left = left[1:]
		} else if _, has := slices.BinarySearch(at.sessions, session.PartKey(r.Key)); has {
			return nil, fmt.Errorf("no summary covers the session's lines in %v of %q", at.Range, r.layout.files[at.file].Name)
		}
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("no account covers %v", left[0])
	}
	one := session.NewOne(r.ID, r.Named, r.first, r.facts.Family, r.findings, r.checker)
	endSession(one, false)
	report := r.sessionReport(one, false)
	if r.opt.Diagnose && damaged(report) {
		report.undiagnosed(inRanges)
	}
	return report, nil
}

func (r *sessionReplay) take(ctx context.Context, p *piece, at *placedRange) error {
	body := wire.NewReader(p.body)
	facts, line := session.ReadFacts(body), int(body.Uint())
	src := &lateFile{open: r.layout.files[p.file].Open}
	switch {
	case body.Err() != nil:
		return body.Err()
	case r.first == 0:
		if err := r.begin(facts, at.before+line); err != nil {
			return err
		}
	case !facts.Read(r.facts):
		again, err := r.again(ctx, src, p)
		if err != nil {
			return err
		}
		p, body = again, wire.NewReader(again.body)
		session.ReadFacts(body)
		body.Uint()
	}
	r.findings.MergeEncoded(body, at.before)
	core := body.Rest()
	if err := body.Done(); err != nil || r.checker == nil {
		return err
	}
	column := newColumn(p, r.OpenColumn)
	err := r.checker.Replay(stream.Replay{Core: core, Column: column, Lines: at.before, Offset: p.Start, Recall: src.recall})
	r.findings.EndBlock()
	return errors.Join(err, column.close())
}

// begin processes the first record of the session.
func (r *sessionReplay) begin(facts session.Facts, line int) (err error) {
	r.facts, r.first = facts, line
	if facts.Family == "" {
		return nil
	}
	opt := r.opt.Session.internal(r.opt.Engine, nil, false, nil, nil)
	opt.LineName = r.chain.lineName()
	r.checker, err = session.NewReplayer(r.findings, r.limits, facts.Family, facts.Key, opt)
	return err
}

// again rereads the session's lines in a range under the facts of its first record.
func (r *sessionReplay) again(ctx context.Context, src *lateFile, p *piece) (*piece, error) {
	log, err := src.file()
	if err != nil {
		return nil, err
	}
	_, list, err := summarizeSessions(ctx, log, p.file, p.Range, r.opt, map[[sha256.Size]byte]session.Facts{r.Key: r.facts})
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if s.Key == r.Key && s.pieces[0].sum == p.sum {
			return s.pieces[0], nil
		}
	}
	return nil, session.ErrChanged
}

type lateFile struct {
	open func() (io.ReaderAt, error)
	log  io.ReaderAt
}

func (f *lateFile) file() (_ io.ReaderAt, err error) {
	if f.log == nil {
		f.log, err = f.open()
	}
	return f.log, err
}

func (f *lateFile) recall(offset int64, size int) ([]byte, error) {
	log, err := f.file()
	if err != nil {
		return nil, err
	}
	return readAgain(log, offset, size)
}
