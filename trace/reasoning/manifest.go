package reasoning

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// manifestName is the file beside a trace that lists digests of the run's files.
const manifestName = "manifest.json"

// manifest is a flat map from paths to SHA-256 digests. Entries are taken out as
// their files are met, so that no evidence is read twice.
type manifest struct {
	name   string
	source []byte
	left   map[uint64]entry // by key of the clean path
	faults []Finding        // at most max
	max    int
	more   int // faults beyond that
}

// entry is one member of the manifest.
type entry struct {
	want digest.Sum
	name place // the path, with its quotes
	at   place
}

// readManifest reads the manifest beside the trace; nil when there is none.
func (c *Checker) readManifest() *manifest {
	if c.opt.Run == nil {
		return nil
	}
	f, size, fault, err := openEvidence(c.opt.Run, manifestName)
	if err != nil || fault != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	m := &manifest{name: c.opt.ManifestName, max: c.limits.Findings, left: map[uint64]entry{}}
	if err := c.fillManifest(m, f, size); err != nil {
		m.fault(place{}, "", "the manifest cannot be read: "+err.Error())
	}
	return m
}

func (c *Checker) fillManifest(m *manifest, r io.Reader, size int64) (err error) {
	if m.source, err = readAll(r, size, c.limits.LineBytes); err != nil {
		return err
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{TextBytes: c.limits.LineBytes, Keys: c.limits.LineBytes}).Scan(m.source)
	if err != nil {
		return err
	}
	if !doc.Root().Is(strictjson.Object) {
		return errors.New("it is no object of paths and digests")
	}
	for n := range doc.Root().Children() {
		path := n.Key()
		clean, why := cleanPath(path)
		sum, ok := digest.ParseHex(n.TextBytes(nil))
		switch {
		case why != "" || clean == "":
			m.fault(placeOf(n), path, fmt.Sprintf("unsafe path %q in the manifest", preview([]byte(path))))
		case !ok:
			m.fault(placeOf(n), path, fmt.Sprintf("the manifest has no SHA-256 for %q", preview([]byte(path))))
		default:
			start, end := n.KeySpan()
			m.left[c.key([]byte(clean))] = entry{sum, place{start, end}, placeOf(n)}
		}
	}
	return nil
}

func (m *manifest) fault(at place, path, message string, more ...func(*Finding)) {
	if len(m.faults) >= m.max {
		m.more++
		return
	}
	f := Finding{Rule: "manifest.mismatch", File: m.name, Message: message, Path: preview([]byte(path))}
	if m.source != nil {
		pointInFile(&f, m.source, at)
	}
	for _, add := range more {
		add(&f)
	}
	m.faults = append(m.faults, f)
}

// saw takes the digest of a file that was read anyway.
func (m *manifest) saw(path uint64, sum digest.Sum) {
	if m == nil {
		return
	}
	if e, ok := m.left[path]; ok && e.want.Equal(sum) {
		delete(m.left, path)
	}
}

// finishManifest reads the files that were not met and reports what differs.
func (c *Checker) finishManifest() error {
	m := c.manifest
	if m == nil {
		if c.opt.Manifest {
			c.findings.Add(Finding{Rule: "manifest.mismatch", Severity: finding.Error, Message: "there is no manifest.json beside the trace"})
		}
		return nil
	}
	left := make([]entry, 0, len(m.left))
	for _, e := range m.left {
		left = append(left, e)
	}
	slices.SortFunc(left, func(a, b entry) int { return cmp.Compare(a.at.start, b.at.start) })
	why := make([]error, len(left))
	sums := make([]digest.Sum, len(left))
	c.parallel(len(left), func(i int) { sums[i], why[i] = c.sumOf(m.path(left[i])) })
	for i, e := range left {
		path := m.path(e)
		switch {
		case why[i] != nil:
			m.fault(e.at, path, fmt.Sprintf("%q of the manifest: %v", preview([]byte(path)), why[i]))
		case !e.want.Equal(sums[i]):
			m.fault(e.at, path, fmt.Sprintf("%q has another digest than the manifest says", preview([]byte(path))),
				compared(e.want.Hex(), sums[i].Hex()))
		}
	}
	c.addManifestFaults()
	return c.ctx.Err()
}

func (c *Checker) addManifestFaults() {
	severity := severityOf("manifest.mismatch")
	if c.opt.Manifest {
		severity = finding.Error
	}
	for _, f := range c.manifest.faults {
		f.Severity = severity
		c.findings.Add(f)
	}
	c.findings.Count(severity, c.manifest.more)
}

// path returns the clean path of an entry.
func (m *manifest) path(e entry) string {
	raw := m.source[e.name.start+1 : e.name.end-1]
	clean, _ := cleanPath(string(strictjson.AppendUnescaped(nil, raw)))
	return clean
}

// sumOf hashes one file of the run.
func (c *Checker) sumOf(path string) (sum digest.Sum, err error) {
	f, _, fault, err := openEvidence(c.opt.Run, path)
	switch {
	case err != nil:
		return sum, err
	case fault != nil && fault.rule == "path.missing_file":
		return sum, errors.New("the file is not there")
	case fault != nil:
		return sum, errors.New(fault.message)
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	_, err = hashAll(&sum, f)
	return sum, err
}

// readAll reads a companion file of a trace into one buffer, up to a limit and one
// byte more. size is what the file said of itself, 0 when unknown.
func readAll(r io.Reader, size int64, limit int) ([]byte, error) {
	data := make([]byte, 0, min(size, int64(limit))+1)
	r = io.LimitReader(r, int64(limit)+1)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = slices.Grow(data, len(data))
		}
	}
}

// sizeOf is what a file says of its size; 0 for other readers.
func sizeOf(r io.Reader) int64 {
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil {
			return info.Size()
		}
	}
	return 0
}
