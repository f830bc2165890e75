package input

import (
	"context"
	"io"
	"path"
	"regexp"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/recognize"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/unpack"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
)

// kind is the family of formats that a command reads.
type kind = recognize.Family

const (
	KindNone     = recognize.None
	KindTrace    = recognize.Trace
	KindEvidence = recognize.Evidence
	KindDocument = recognize.OATF
	KindDialog   = recognize.AgentTrace
	KindSuite    = recognize.Suite
)

// LogFiles are file name patterns of logs, including rotated ones. The content decides.
var LogFiles = []string{
	"*.jsonl", "*.ndjson", "*.log", "*.json",
	"*.jsonl.[0-9]*", "*.jsonl-[0-9]*", "*.ndjson.[0-9]*", "*.ndjson-[0-9]*", "*.log.[0-9]*", "*.log-[0-9]*", "*.json.[0-9]*", "*.json-[0-9]*",
}

// rotated matches such names where [path.Match] cannot.
var rotated = regexp.MustCompile(`(?i)\.(jsonl|ndjson|log|json|eval)([.-][0-9][^/]*)?$`)

// Of returns the probe for files of a family in a folder.
func Of(f recognize.Family) func(io.Reader) walk.Look {
	return func(r io.Reader) walk.Look {
		a := answerOf(f, r)
		return walk.Look{Passes: a.Known(f) || a.Compressed || f == KindEvidence && a.Family == f} // any CloudEvents are evidence to hash
	}
}

// changedOf returns a family's probe for changed files.
func changedOf(f recognize.Family) func(io.Reader) walk.Look {
	return func(r io.Reader) walk.Look { return walk.Look{Passes: answerOf(f, r).Known(f)} }
}

func answerOf(f recognize.Family, r io.Reader) recognize.Answer {
	if f == recognize.OATF {
		return recognize.Document(r, oatf.DefaultMaxBytes)
	}
	return recognize.Reader(r)
}

// Identified is the detection result for a file.
type Identified struct {
	Kind   kind   // KindNone: it is skipped
	Why    string // it is skipped
	Err    error  // it could not be looked into
	Answer recognize.Answer
}

// InRun returns the result for a file in a run's folder: without a readable record it belongs to the run.
func (s Identified) InRun(run string) Identified {
	switch {
	case s.Kind != KindNone && s.Answer.State == recognize.Damaged:
		s.Kind, s.Why = KindNone, "the file has no readable record, and is in the run "+run
	case s.Kind == KindNone:
		s.Why = "part of the run " + run
	}
	return s
}

// Damaged reports whether a skipped file is a damaged record.
func (s Identified) Damaged() bool { return s.Kind == KindNone && s.Answer.State == recognize.Damaged }

// Skipped returns the result for a file that is skipped for a reason.
func Skipped(why string) Identified { return Identified{Kind: KindNone, Why: why} }

// Detector detects the kind of files. It is safe for concurrent use.
type Detector struct {
	Packed  *packedInput
	Changed bool
}

// Detect detects the kind of a file. The name decides whether it can be a record, and the content which.
func (d *Detector) Detect(in walk.Input) Identified {
	named := in.Explicit && !d.Changed
	switch {
	case in.Failed() != nil:
		return Identified{Err: in.Failed()}
	case path.Base(in.Name) == RunFile:
		return Identified{Kind: KindTrace}
	case path.Base(in.Name) == config.Name:
		return Skipped("configuration of cupel")
	case !named && !canBeRecord(in.Name):
		return Skipped("records do not have such names")
	case in.Size < 0:
		return Skipped("the input can be read only once")
	}
	a, err := d.answer(in)
	if err != nil {
		return Identified{Err: err}
	}
	return identified(in, a, named)
}

func canBeRecord(name string) bool {
	return NamedLike(name, BundleFiles) || NamedLike(name, YAMLFiles) || rotated.MatchString(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"))
}

func identified(in walk.Input, a recognize.Answer, named bool) Identified {
	is := Identified{Kind: a.Family, Answer: a, Why: reason(a)}
	if a.State == recognize.Foreign {
		is.Kind = KindNone
		if a.Compressed { // its command says how to unpack it
			is.Kind = kindByName(in.Name)
		}
		if named && (a.Empty || a.Format == "" && a.Records == 0) { // its command reports the fault
			is.Kind = kindByName(in.Name)
		}
	}
	if is.Kind == KindSuite {
		is.Kind, is.Why = KindNone, "a suite of assertions, paired with traces in cupel.yaml"
	}
	return is
}

func reason(a recognize.Answer) string {
	switch {
	case a.Format != "":
		return "it looks like " + a.Format
	case a.Why != "":
		return a.Why
	}
	return "the format is not known"
}

// kindByName returns the family of a file without readable content, by the name.
func kindByName(name string) kind {
	switch {
	case NamedLike(name, BundleFiles):
		return KindEvidence
	case NamedLike(name, JSONLines, unpack.Extensions...):
		return KindTrace
	case NamedLike(name, YAMLFiles):
		return KindDocument
	}
	return KindNone
}

// answer examines a file after decompression.
func (d *Detector) answer(in walk.Input) (a recognize.Answer, err error) {
	err = in.Packed(unpack.Formats...).Peek(func(r io.Reader) {
		if NamedLike(in.Name, YAMLFiles) {
			a = recognize.Document(r, oatf.DefaultMaxBytes)
			return
		}
		a = recognize.Text(readHead(d.Packed.env.Context, r))
	})
	return a, err
}

// readHead reads the start of a text after decompression.
func readHead(ctx context.Context, r io.Reader) recognize.Head {
	text := source.NewText(r, unpack.Formats...)
	format := text.Format()
	if format == "" {
		return recognize.ReadHead(text)
	}
	unpacked := unpack.New(ctx, io.NopCloser(text), format, 0)
	defer func() { _ = unpacked.Close() }() // opened for reading: nothing can be lost
	return recognize.ReadHead(unpacked)
}

// headOf returns the start of a file. It is empty for an input that can be read only once.
func headOf(ctx context.Context, in walk.Input) (h recognize.Head) {
	if in.Size >= 0 && in.Path != "" {
		_ = in.Packed(unpack.Formats...).Peek(func(r io.Reader) { h = readHead(ctx, r) }) // the run reports read errors
	}
	return h
}

// Look identifies a named file.
func Look(ctx context.Context, in walk.Input) recognize.Answer {
	return recognize.Text(headOf(ctx, in))
}

// foreignError returns an error if a named file belongs to another family, or nil.
func foreignError(ctx context.Context, in walk.Input, f recognize.Family) error {
	if f == KindNone || path.Base(in.Name) == RunFile || !in.Explicit || in.Empty() || in.Failed() != nil || in.Size < 0 || in.Path == "" {
		return nil
	}
	a := Look(ctx, in)
	if f == KindDocument && a.State == recognize.Foreign { // its root key can be further down
		_ = in.Packed(unpack.Formats...).Peek(func(r io.Reader) { a = answerOf(f, r) })
	}
	if a.Near(f) {
		return nil
	}
	return Foreign(in.Name, a, f)
}
