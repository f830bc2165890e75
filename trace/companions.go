package trace

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path"
	"sync"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/reasoning"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/second"
)

// Files opens files below a folder by clean, slash-separated names. Implementations must not follow links out of
// the folder, and Open must not block on pipes or devices. Errors for missing files wrap fs.ErrNotExist. Use the
// file system of an os.Root for folders without named pipes, and fstest.MapFS for files in memory.
type Files interface {
	Open(name string) (fs.File, error)
	Lstat(name string) (fs.FileInfo, error)
}

// File names in a run folder.
const (
	traceName    = "trace.jsonl"
	planName     = "plan.json"
	manifestName = "manifest.json"
)

// companions are the files read with a reasoning trace.
type companions struct {
	run, evidence          reasoning.Files // nil: not read
	plan                   io.Reader       // or nil
	planName, manifestName string
	opened                 io.Closer // nil: nothing to close
	captureReader          *kept     // of the plan; nil: not kept
}

// openCompanions finds the companions of a trace. It returns an error if the caller's plan is refused.
func openCompanions(o *ReasoningOptions, name string) (*companions, error) {
	c := &companions{plan: o.Plan, planName: cmp.Or(o.PlanName, inFolder(name, planName)), manifestName: inFolder(name, manifestName)}
	run := folderOf(o.Run)
	if run != nil && (o.Manifest || !o.NoEvidence) {
		c.run = run
	}
	c.evidence = evidenceFolder(o, run)
	if c.plan == nil && run != nil {
		if err := c.openPlan(run); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// evidenceFolder returns the folder that content_path is relative to, or nil.
func evidenceFolder(o *ReasoningOptions, run reasoning.Files) reasoning.Files {
	switch {
	case o.NoEvidence:
		return nil
	case o.Evidence != nil:
		return folderOf(o.Evidence)
	}
	return run
}

// openPlan opens the run's plan. If that fails, it sets a reader that returns the error, because an existing plan
// must not be skipped.
func (c *companions) openPlan(run reasoning.Files) error {
	f, err := folder.Beside(run, planName, c.planName)
	var refused *folder.RefusedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.As(err, &refused):
		return refused
	case err != nil:
		c.plan = failedFile{say.Plain(err)}
	default:
		c.plan, c.opened = f, f
	}
	return nil
}

// hasManifest reports whether the run has a manifest, which lists the digests of its files.
func (c *companions) hasManifest() bool {
	if c.run == nil {
		return false
	}
	_, err := c.run.Lstat(manifestName)
	return err == nil
}

func (c *companions) keepPlan() {
	if c.plan != nil {
		c.captureReader = &kept{r: c.plan}
		c.plan = c.captureReader
	}
}

// opened tracks open companions and closes them at the end. Companions opened later by an interrupted reader are
// closed at once.
type opened struct {
	mu    sync.Mutex
	ended bool
	files []io.Closer
}

func (o *opened) add(c *companions) {
	if c.opened == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.files = append(o.files, c.opened); o.ended {
		o.closeAll()
	}
}

func (o *opened) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	o.closeAll()
}

func (o *opened) closeAll() {
	for _, f := range o.files {
		_ = f.Close() // opened for reading: nothing can be lost
	}
	o.files = nil
}

// inFolder returns the display name of a file next to the input.
func inFolder(input, name string) string { return path.Join(path.Dir(input), name) }

// filesRef wraps Files in a pointer, because the checker compares folders and the caller's type may not be
// comparable.
type filesRef struct{ Files }

// Small reads a small file in one step if the caller's folder supports this.
func (h *filesRef) Small(name string, room func(size int64) []byte) (data []byte, ok bool) {
	return folder.Small(h.Files, name, room)
}

func folderOf(files Files) reasoning.Files {
	if files == nil {
		return nil
	}
	return &filesRef{files}
}

type failedFile struct{ err error }

func (f failedFile) Read([]byte) (int, error) { return 0, f.err }

// kept is a reader that keeps the data it reads, up to [MaxNaiveBytes].
type kept struct {
	r      io.Reader
	text   []byte
	more   bool // there was more, and the text is dropped
	failed bool // the reader did, before its end
}

func (k *kept) Read(p []byte) (int, error) {
	n, err := k.r.Read(p)
	if len(k.text)+n > second.MaxBytes {
		k.more, k.text = true, nil
	}
	if !k.more {
		k.text = append(k.text, p[:n]...)
	}
	k.failed = k.failed || err != nil && err != io.EOF
	return n, err
}

// whole returns the text of a companion, or nil if it is too large, incomplete or missing.
func (k *kept) whole() []byte {
	switch {
	case k == nil:
		return nil
	case k.failed, k.text == nil:
		return []byte{}
	}
	return k.text
}
