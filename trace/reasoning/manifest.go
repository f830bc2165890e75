package reasoning

import (
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
	source []byte
	left   map[string]entry
	faults []Finding
}

type entry struct {
	want digest.Sum
	at   place
}

// readManifest reads the manifest beside the trace; nil when there is none.
func (c *Checker) readManifest() *manifest {
	if c.opt.Run == nil {
		return nil
	}
	f, _, fault, err := openEvidence(c.opt.Run, manifestName)
	if err != nil || fault != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	m := &manifest{left: map[string]entry{}}
	if err := m.read(f, c.limits.LineBytes); err != nil {
		m.fault(place{}, "", "the manifest cannot be read: "+err.Error())
	}
	return m
}

func (m *manifest) read(r io.Reader, limit int) error {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return err
	}
	m.source = data
	doc, err := strictjson.NewScanner(strictjson.Limits{TextBytes: limit, Keys: limit}).Scan(data)
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
			m.left[clean] = entry{sum, placeOf(n)}
		}
	}
	return nil
}

func (m *manifest) fault(at place, path, message string) {
	f := Finding{Rule: "manifest.mismatch", File: manifestName, Message: message, Path: preview([]byte(path))}
	if m.source != nil {
		pointInFile(&f, m.source, at)
	}
	m.faults = append(m.faults, f)
}

// saw takes the digest of a file that was read anyway.
func (m *manifest) saw(path string, sum digest.Sum) {
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
			c.findings.Add(Finding{Rule: "manifest.mismatch", Severity: finding.Error, File: manifestName, Message: "there is no manifest.json beside the trace"})
		}
		return nil
	}
	paths := make([]string, 0, len(m.left))
	for path := range m.left {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	sums := make([]digest.Sum, len(paths))
	why := make([]string, len(paths))
	c.parallel(len(paths), func(i int) { sums[i], why[i] = c.sumOf(paths[i]) })
	for i, path := range paths {
		e := m.left[path]
		if why[i] == "" && e.want.Equal(sums[i]) {
			continue
		}
		if why[i] != "" {
			m.fault(e.at, path, fmt.Sprintf("%q of the manifest: %s", preview([]byte(path)), why[i]))
			continue
		}
		m.fault(e.at, path, fmt.Sprintf("%q has another digest than the manifest says", preview([]byte(path))))
		last := &m.faults[len(m.faults)-1]
		last.Expected, last.Found = e.want.Hex(), sums[i].Hex()
	}
	for _, f := range m.faults {
		f.Severity = severityOf(f.Rule)
		if c.opt.Manifest {
			f.Severity = finding.Error
		}
		c.findings.Add(f)
	}
	return c.ctx.Err()
}

// sumOf hashes one file of the run; why says what kept it from that.
func (c *Checker) sumOf(path string) (sum digest.Sum, why string) {
	f, _, fault, err := openEvidence(c.opt.Run, path)
	switch {
	case err != nil:
		return sum, err.Error()
	case fault != nil && fault.rule == "path.missing_file":
		return sum, "the file is not there"
	case fault != nil:
		return sum, fault.message
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	_, sum, _, err = c.hashFile(struct{ fs.File }{f}, keepFile+1)
	if err != nil {
		return sum, err.Error()
	}
	return sum, ""
}
