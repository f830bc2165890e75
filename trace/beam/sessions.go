package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/cupel-dev/cupel/trace"
)

func init() {
	sdk.RegisterType(reflect.TypeFor[logFile]())
	sdk.RegisterType(reflect.TypeFor[fileRange]())
	sdk.RegisterCoder(reflect.TypeFor[logFacts](), encodeLake, decodeLake)
	sdk.RegisterCoder(reflect.TypeFor[sessionPart](), encodeSession, decodeSession)
	sdk.RegisterDoFn(&listFn{})
	sdk.RegisterDoFn(&cutFn{})
	sdk.RegisterDoFn(&divideFn{})
	sdk.RegisterDoFn(&joinLakeFn{})
	sdk.RegisterDoFn(&keepFn{})
	sdk.RegisterDoFn(&sessionFn{})
}

// logFile is a file of a log with several sessions, and its index.
type logFile struct {
	Name  string
	Place int
}

// fileRange is a range of a file of a log of many sessions.
type fileRange struct {
	File       logFile
	Start, End int64
}

// logFacts is the known data of a log's files, independent of sessions.
type logFacts struct {
	names   []string // of all files, in order
	faults  []string // each prevents all sessions' reports, which could lack lines
	remarks []string // lines that no report contains
	account trace.Account
}

// lakeForm is the encoding of a lake: JSON after its SHA-256.
type lakeForm struct {
	Names, Faults, Remarks []string
	Account                []byte
}

func encodeLake(l logFacts) ([]byte, error) {
	account, err := l.account.MarshalBinary()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(lakeForm{l.names, l.faults, l.remarks, account})
	sum := sha256.Sum256(text)
	return append(sum[:], text...), err
}

func decodeLake(sealed []byte) (l logFacts, err error) {
	text := sealed[min(sha256.Size, len(sealed)):]
	if sum := sha256.Sum256(text); !bytes.HasPrefix(sealed, sum[:]) {
		return l, errors.New("what is known of the files is cut or damaged: its checksum does not hold")
	}
	var form lakeForm
	if err := json.Unmarshal(text, &form); err != nil {
		return l, err
	}
	l.names, l.faults, l.remarks = form.Names, form.Faults, form.Remarks
	return l, l.account.UnmarshalBinary(form.Account)
}

// sessionPart is the known data of a session in some ranges.
type sessionPart struct {
	sum   trace.SessionSummary
	lie   places // its columns that it is without
	fault string // why there will be no report; "": none so far
}

func encodeSession(p sessionPart) ([]byte, error) { return encodeKnown(p.fault, &p.sum, p.lie) }

func decodeSession(text []byte) (p sessionPart, err error) {
	p.fault, p.lie, err = decodeKnown(text, &p.sum)
	return p, err
}

// listFn lists the files of a log of many sessions in the order of their names: never of numbers in them.
type listFn struct{ Inputs []string }

// ProcessElement emits the files and their common data. An unreadable file is a fault.
func (fn *listFn) ProcessElement(ctx context.Context, none []byte, emit func(logFile), know func(logFacts)) error {
	var all logFacts
	named := func(name string) { all.names = append(all.names, name) }
	missed := func(r result) { all.faults = append(all.faults, r.Failure) }
	if err := (&matchFn{Inputs: fn.Inputs}).ProcessElement(ctx, none, named, missed); err != nil {
		return err
	}
	slices.Sort(all.names)
	for i, name := range all.names {
		emit(logFile{name, i})
	}
	know(all)
	return nil
}

// cutFn cuts a file into ranges.
type cutFn struct {
	Terms terms
	Split int64
}

// ProcessElement emits a file's ranges, or the reason why they are missing.
func (fn *cutFn) ProcessElement(ctx context.Context, f logFile, emit func(fileRange), know func(logFacts)) error {
	opt, err := fn.Terms.options()
	if err != nil {
		return err
	}
	settled := func(err error) error {
		return settle(f.Name, err, func(r result) { know(logFacts{faults: []string{r.Failure}}) })
	}
	src, err := storeOf(f.Name).open(ctx, f.Name)
	if err != nil {
		return settled(err)
	}
	defer func() { _ = src.Close() }() // opened for reading: nothing can be lost
	if err := divisible(f.Name, src, opt); err != nil {
		return settled(err)
	}
	for start := int64(0); start < src.Size() || start == 0; start += fn.Split {
		emit(fileRange{f, start, start + fn.Split})
	}
	return nil
}

// divisible rejects a file that cannot be read from the middle.
func divisible(name string, src source, opt trace.Options) error {
	if packed := packedText(src); packed != nil {
		return refusedError{fmt.Errorf("cannot verify %q: %w, and cannot be read in ranges; unpack it with %s", name, packed, packed.Unpack)}
	}
	_, err := trace.Open(io.NewSectionReader(src, 0, src.Size()), opt)
	if errors.Is(err, trace.ErrArray) {
		return refusedError{errors.New(unverified(name, err))}
	}
	return err
}

// divideFn summarizes the sessions of ranges individually.
type divideFn struct {
	Terms  terms
	Output string
}

// ProcessElement summarizes a range and emits its sessions under their keys.
func (fn *divideFn) ProcessElement(ctx context.Context, r fileRange, emit func(string, sessionPart), know func(logFacts)) error {
	opt, err := fn.Terms.options()
	if err != nil {
		return err
	}
	name := r.File.Name
	src, err := storeOf(name).open(ctx, name)
	if err != nil {
		return settle(name, err, func(r result) { know(logFacts{faults: []string{r.Failure}}) })
	}
	defer func() { _ = src.Close() }() // opened for reading: nothing can be lost
	watched := &watchedLog{source: src}
	account, list, err := trace.SummarizeSessions(ctx, watched, r.File.Place, trace.Range{Start: r.Start, End: r.End}, opt)
	switch {
	case watched.failed != nil:
		return watched.failed
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		know(logFacts{faults: []string{unverified(name, err)}})
		return nil
	}
	known := logFacts{account: *account}
	unreadable, err := account.Unreadable()
	if err != nil {
		return err
	}
	if unreadable > 0 {
		known.remarks = []string{fmt.Sprintf("%s of %q cannot be read in the range from byte %d on, and no report tells of them; `cupel trace verify` names each", counted(unreadable, "line"), name, r.Start)}
	}
	know(known)
	lie, err := pack(ctx, fn.Output, list...)
	if err != nil {
		return err
	}
	for _, s := range list {
		emit(groupOf(s.ShortKey()), sessionPart{sum: *s, lie: lie.of(s)})
	}
	return nil
}

// joinLakeFn combines the data of all files.
type joinLakeFn struct{}

// MergeAccumulators combines two lakes in any order.
func (fn *joinLakeFn) MergeAccumulators(a, b logFacts) logFacts {
	if len(a.names) == 0 {
		a.names = b.names
	}
	a.faults = joinedTexts(a.faults, b.faults)
	a.remarks = joinedTexts(a.remarks, b.remarks)
	if err := a.account.Merge(&b.account); err != nil {
		a.faults = joinedTexts(a.faults, []string{err.Error()})
	}
	return a
}

// joinedTexts are texts in order, each once.
func joinedTexts(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// add adds a part of the same session. The order of parts does not matter.
func (p *sessionPart) add(q sessionPart) {
	p.fault = joinFaults(p.fault, q.fault, func() error { return p.sum.Merge(&q.sum) })
	p.lie = p.lie.with(q.lie)
}

// groupOf returns the grouping key of a session's parts. Crafted ids can have the same key.
func groupOf(session uint64) string { return fmt.Sprintf("%016x", session) }

// keepFn stores the lake below the output for the workers that report on sessions.
type keepFn struct{ Output string }

// ProcessElement sends the lake's location to each group of sessions, or "" if there will be no report. It emits
// results for faults and for lines outside of reports.
func (fn *keepFn) ProcessElement(ctx context.Context, l logFacts, tell func(group, name string), emit func(result)) error {
	for _, text := range joinedTexts(l.faults, l.remarks) {
		emit(result{Input: text, Failure: text})
	}
	sessions, err := l.account.Sessions()
	if err != nil {
		return err
	}
	name := ""
	if len(l.faults) == 0 {
		if name, err = fn.keep(ctx, l); err != nil {
			return err
		}
	}
	for _, session := range sessions {
		tell(groupOf(session), name)
	}
	return nil
}

// keep writes a lake and returns its location, which depends only on the content.
func (fn *keepFn) keep(ctx context.Context, l logFacts) (name string, err error) {
	text, err := encodeLake(l)
	if err != nil {
		return "", err
	}
	name = below(fn.Output, fmt.Sprintf("%s/%x%s", columnsFolder, sha256.Sum256(text), lakeSuffix))
	err = storeOf(name).write(ctx, name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("cannot write %q: %w", name, err)
	}
	return name, nil
}

// sessionFn creates a session's report from all ranges.
type sessionFn struct {
	Terms terms

	files   sessionFiles
	columns packs
}

// Teardown closes the shared columns.
func (fn *sessionFn) Teardown() { fn.columns.close() }

// ProcessElement reports on the sessions of a group (usually one), unless lines can be missing.
func (fn *sessionFn) ProcessElement(ctx context.Context, group string, parts func(*sessionPart) bool, lakes func(*string) bool, emit func(result)) error {
	var lake string
	known := lakes(&lake)
	if known && lake == "" {
		return nil
	}
	sessions := joinedSessions(parts)
	if len(sessions) == 0 {
		emit(result{Input: group, Failure: "the summaries of a session of the group " + group + " are missing"})
	}
	for _, p := range sessions {
		if !known {
			p.fault = cmp.Or(p.fault, fmt.Sprintf("cannot verify the session %q: no account tells of it", p.sum.ID))
		}
		r, err := fn.result(ctx, p, lake)
		if err != nil {
			return err
		}
		emit(r)
	}
	return nil
}

func joinedSessions(parts func(*sessionPart) bool) (sessions []sessionPart) {
	for p := (sessionPart{}); parts(&p); p = (sessionPart{}) {
		i := slices.IndexFunc(sessions, func(q sessionPart) bool { return q.sum.Key == p.sum.Key })
		if i < 0 {
			sessions = append(sessions, p)
		} else {
			sessions[i].add(p)
		}
	}
	return sessions
}

func (fn *sessionFn) result(ctx context.Context, p sessionPart, lake string) (result, error) {
	key := hex.EncodeToString(p.sum.Key[:])
	if p.fault != "" {
		return result{Input: key, Failure: p.fault}, nil
	}
	opt, err := fn.Terms.options()
	if err != nil {
		return result{}, err
	}
	answer, err := fn.report(ctx, p, lake, opt)
	failed := cmp.Or(fn.files.failure(), fn.columns.failure())
	fn.files.close()
	switch {
	case failed != nil:
		return result{}, failed
	case ctx.Err() != nil:
		return result{}, ctx.Err()
	case err != nil:
		return result{Input: key, Failure: fmt.Sprintf("cannot verify the session %q: %v", p.sum.ID, err)}, nil
	}
	r, err := resultOf(answer)
	r.Input = p.sum.ID + "\x00" + key
	return r, err
}

// report returns a session's report. Transient errors are reported by files and columns.
func (fn *sessionFn) report(ctx context.Context, p sessionPart, lake string, opt trace.Options) (*trace.Report, error) {
	layout, err := fn.files.laidOut(ctx, lake)
	if err != nil {
		return nil, err
	}
	opt.Name = nameOf(fn.files.names)
	p.sum.OpenColumn = fn.columns.columns(ctx, p.lie)
	return p.sum.Report(ctx, layout, opt)
}

// nameOf returns the name of a log of several files, as in `cupel trace verify --chain`.
func nameOf(files []string) string {
	first, last := files[0], files[len(files)-1]
	if len(files) == 1 {
		return first
	}
	return first + " … " + last
}

// sessionFiles are the files of a log for a worker that reports on its sessions.
type sessionFiles struct {
	lake   string // the lake that files belong to, or ""
	layout *trace.Layout
	fault  error // why the layout is missing
	lateFiles
}

// laidOut returns the layout of a lake's files, read once for all sessions.
func (f *sessionFiles) laidOut(ctx context.Context, lake string) (*trace.Layout, error) {
	f.ctx = ctx
	if f.lake == lake {
		return f.layout, f.fault
	}
	l, err := readLake(ctx, lake)
	if err != nil {
		f.failed = fmt.Errorf("cannot read %q: %w", lake, err)
		return nil, f.failed
	}
	f.lake, f.names = lake, l.names
	f.layout, f.fault = l.account.Layout(f.list())
	return f.layout, f.fault
}

func readLake(ctx context.Context, name string) (l logFacts, err error) {
	r, err := storeOf(name).read(ctx, name)
	if err != nil {
		return l, err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	text, err := io.ReadAll(r)
	if err != nil {
		return l, err
	}
	return decodeLake(text)
}

// lateFiles are the files of a log, each opened on its first use.
type lateFiles struct {
	ctx    context.Context
	names  []string
	open   []*watchedLog
	failed error // why something could not be read that another try may read
}

func (f *lateFiles) list() (all []trace.LogFile) {
	for _, name := range f.names {
		all = append(all, trace.LogFile{Name: name, Open: func() (io.ReaderAt, error) {
			src, err := storeOf(name).open(f.ctx, name)
			if err != nil {
				if !errors.As(err, new(refusedError)) {
					f.failed = err
				}
				return nil, err
			}
			watched := &watchedLog{source: src}
			f.open = append(f.open, watched)
			return watched, nil
		}})
	}
	return all
}

func (f *lateFiles) failure() error {
	err := f.failed
	for _, log := range f.open {
		err = cmp.Or(err, log.failed)
	}
	return err
}

func (f *lateFiles) close() {
	for _, log := range f.open {
		_ = log.Close() // opened for reading: nothing can be lost
	}
	f.open, f.failed = nil, nil
}

// sessions builds the pipeline of --mode sessions: sorted files, their ranges to session summaries, and the
// combined lake to each session's report. The lake is not a side input, because Prism's scheduler would busy-wait
// for it.
func (j *job) sessions(s sdk.Scope) (results []sdk.PCollection) {
	files, listed := sdk.ParDo2(s.Scope("list"), &listFn{Inputs: j.inputs}, sdk.Impulse(s))
	ranges, refused := sdk.ParDo2(s.Scope("cut"), &cutFn{Terms: j.terms, Split: int64(j.split)}, sdk.Reshuffle(s, files))
	parts, accounts := sdk.ParDo2(s.Scope("divide"), &divideFn{Terms: j.terms, Output: j.output}, sdk.Reshuffle(s, ranges))
	whole := sdk.Combine(s.Scope("account"), &joinLakeFn{}, sdk.Flatten(s, listed, refused, accounts))
	lakes, faults := sdk.ParDo2(s.Scope("keep"), &keepFn{Output: j.output}, whole)
	reports := sdk.ParDo(s.Scope("join"), &sessionFn{Terms: j.terms}, sdk.CoGroupByKey(s, parts, lakes))
	return []sdk.PCollection{reports, faults}
}
