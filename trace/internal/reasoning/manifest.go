package reasoning

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// manifestName is the file with the digests of a run's files.
const manifestName = "manifest.json"

// manifest compares a run's files with its manifest, a map of paths to SHA-256 digests. Entries are marked when
// their file is read, so that each is read once.
type manifest struct {
	sink    *fault.Sink
	run     folder.Files
	readers *folder.Readers
	demand  bool // a difference, or no manifest, is an error
	max     int  // faults of a pass over its members that are kept
	keys    siphash.Key
	input   Input
	state   *manifestState

	there   bool
	file    fault.Companion
	entries []entry          // in file order
	first   map[uint64]int32 // the place of a path's first entry, by key of the clean path
	faults  []finding.Finding
	room    int // faults that this pass still keeps
	more    int // faults beyond it
}

type manifestState struct {
	Met map[uint64]metSum `json:"met,omitempty"` // digests of the entries that were met, by key of the clean path
}

// metSum is a digest, encoded as text.
type metSum digest.Sum

func (s metSum) MarshalText() ([]byte, error) { return digest.Sum(s).AppendHex(nil), nil }

func (s *metSum) UnmarshalText(text []byte) error {
	sum, ok := digest.ParseHex(text)
	if !ok {
		return errors.New("a digest is not a SHA-256")
	}
	*s = metSum(sum)
	return nil
}

type entry struct {
	want digest.Sum
	name fault.Place // the path, with its quotes
	at   fault.Place
	met  bool // a file of the path has the digest
}

// open reads the manifest, if it exists. It returns an error if the manifest is rejected.
func (p *manifest) open(limit int) error {
	if p.run == nil {
		return nil
	}
	f, err := folder.Beside(p.run, manifestName, p.file.Name)
	var refused *folder.RefusedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.As(err, &refused):
		return refused
	}
	p.there, p.first, p.room = true, map[uint64]int32{}, p.max
	if err == nil {
		err = p.fill(f, limit)
		_ = f.Close() // opened for reading: nothing can be lost
	}
	if errors.As(err, &refused) {
		return refused
	}
	if err != nil {
		p.fault(fault.Place{}, "", "the manifest cannot be read: "+reason(err))
	}
	for path, sum := range p.state.Met {
		p.saw(path, digest.Sum(sum))
	}
	return nil
}

// reason returns the error without the file's name, which is part of the finding.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

func (p *manifest) fill(r io.Reader, limit int) (err error) {
	if p.file.Source, err = source.ReadBeyond(r, limit); err != nil {
		return err
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{TextBytes: limit, Keys: limit}).Scan(p.file.Source)
	if err != nil {
		return err
	}
	if !doc.Root().Is(strictjson.Object) {
		return errors.New("it is not an object of paths and digests")
	}
	for n := range doc.Root().Children() {
		path := n.Key()
		clean, why := folder.Clean(path)
		sum, ok := digest.ParseHex(n.TextBytes(nil))
		switch {
		case why != "" || clean == "":
			p.fault(fault.PlaceOf(n), path, fmt.Sprintf("unsafe path %q in the manifest", fault.Preview(path)))
		case !ok:
			p.fault(fault.PlaceOf(n), path, fmt.Sprintf("the manifest has no SHA-256 for %q", fault.Preview(path)))
		default:
			start, end := n.KeySpan()
			p.list(clean, entry{want: sum, name: fault.Place{Start: int32(start), End: int32(end)}, at: fault.PlaceOf(n)})
		}
	}
	return nil
}

// list adds an entry. A path can be written in several ways, and each entry is checked.
func (p *manifest) list(path string, e entry) {
	key := p.keys.Sum64([]byte(path))
	if _, again := p.first[key]; !again {
		p.first[key] = int32(len(p.entries))
	}
	p.entries = append(p.entries, e)
}

func (p *manifest) fault(at fault.Place, path, message string, more ...func(*finding.Finding)) {
	if p.room == 0 {
		p.more++
		return
	}
	p.room--
	f := p.file.At(rule.ManifestMismatch, at, fault.Preview(path), message)
	for _, add := range more {
		add(&f)
	}
	p.faults = append(p.faults, f)
}

// read compares the digest of a file that was read for another reason.
func (p *manifest) read(path string, sum digest.Sum) {
	if p.there {
		p.saw(p.keys.Sum64([]byte(path)), sum)
	}
}

func (p *manifest) saw(path uint64, sum digest.Sum) {
	if i, ok := p.first[path]; ok && p.entries[i].want.Equal(sum) {
		p.entries[i].met = true
	}
}

func (p *manifest) save() {
	for path, i := range p.first {
		if e := &p.entries[i]; e.met {
			if p.state.Met == nil {
				p.state.Met = map[uint64]metSum{}
			}
			p.state.Met[path] = metSum(e.want)
		}
	}
}

// Take does nothing, because the manifest is about files.
func (p *manifest) Take(*format.Event) {}

// Finish reads the remaining files and reports mismatches. It returns a read error or the context's.
func (p *manifest) Finish() error {
	severity := rule.ManifestMismatch.Severity()
	if p.demand {
		severity = finding.Error
	}
	if !p.there {
		if p.demand {
			f := rule.ManifestMismatch.New("there is no manifest.json next to the trace")
			f.Severity = severity
			p.sink.Add(f)
		}
		return nil
	}
	p.meetInput()
	if err := p.compareRest(); err != nil {
		return err
	}
	for _, f := range p.faults {
		f.Severity = severity
		p.sink.Add(f)
	}
	p.sink.Count(severity, p.more)
	return p.readers.Err()
}

// meetInput compares the digest of the trace itself, if it is a file of the run and was read completely.
func (p *manifest) meetInput() {
	if p.input.Digest == nil {
		return
	}
	sum, size, ok := p.input.Digest()
	info, err := p.run.Lstat(p.input.Path)
	if ok && err == nil && info.Mode().IsRegular() && info.Size() == size {
		p.read(p.input.Path, sum)
	}
}

// compareRest reads the files that no event named.
func (p *manifest) compareRest() error {
	var left []entry
	for _, e := range p.entries {
		if !e.met {
			left = append(left, e)
		}
	}
	why, failed := make([]string, len(left)), make([]error, len(left))
	sums := make([]digest.Sum, len(left))
	p.readers.Each(len(left), func(i int) { sums[i], why[i], failed[i] = p.sum(p.path(left[i])) })
	p.room = p.max
	for i, e := range left {
		path := p.path(e)
		switch {
		case failed[i] != nil:
			return fmt.Errorf("cannot read %q of the manifest: %w", path, failed[i])
		case why[i] != "":
			p.fault(e.at, path, fmt.Sprintf("%q of the manifest: %s", fault.Preview(path), why[i]))
		case !e.want.Equal(sums[i]):
			p.fault(e.at, path, fmt.Sprintf("%q has another digest than the manifest says", fault.Preview(path)),
				fault.Compared(e.want.Hex(), sums[i].Hex()))
		}
	}
	return nil
}

func (p *manifest) path(e entry) string {
	raw := p.file.Source[e.name.Start+1 : e.name.End-1]
	clean, _ := folder.Clean(string(strictjson.AppendUnescaped(nil, raw)))
	return clean
}

// sum hashes a file of the run, or returns why that is impossible. err is a read error.
func (p *manifest) sum(path string) (sum digest.Sum, why string, err error) {
	f, _, wrong, err := folder.Open(p.run, path)
	switch {
	case err != nil:
		return sum, "", err
	case wrong != nil && wrong.Rule == rule.PathMissingFile:
		return sum, "the file is missing", nil
	case wrong != nil:
		return sum, wrong.Message, nil
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	sum, _, err = p.readers.Hash(f)
	return sum, "", err
}
