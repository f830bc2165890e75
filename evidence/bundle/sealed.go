package bundle

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/container"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// write writes the bundle of the sorted events.
func (s *sealer) write(ctx context.Context, w io.Writer, sealed *Sealed) error {
	if err := s.to.Flush(); err != nil {
		return err
	}
	manifest, err := s.manifest(ctx)
	if err != nil {
		return err
	}
	text := manifest.AppendText(nil)
	if s.tooLarge(text) {
		return nil
	}
	out := &digestWriter{w: w, hash: sha256.New(), most: s.opt.Limits.BundleBytes}
	err = s.pack(ctx, out, text)
	if errors.Is(err, errTooLarge) {
		return s.note(s.overLimit(limitBundleBytes, "max_bundle_bytes", out.most, "the bundle"))
	}
	sealed.SHA256, sealed.Bytes = evidence.Sum(out.hash.Sum(nil)).String(), out.size
	return err
}

func (s *sealer) pack(ctx context.Context, w io.Writer, manifest []byte) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	tar, err := container.NewWriter(buffered, s.seal.Level)
	if err != nil {
		return err
	}
	if err := tar.WriteMember(ManifestName, int64(len(manifest)), bytes.NewReader(manifest)); err != nil {
		return err
	}
	if err := tar.WriteMember(EventsName, s.size, s.events(ctx)); err != nil {
		return err
	}
	if err := tar.Close(); err != nil {
		return err
	}
	return buffered.Flush()
}

func (s *sealer) events(ctx context.Context) io.Reader {
	return bufio.NewReaderSize(&untilDone{ctx: ctx, r: &inOrder{scratch: s.scratch, index: s.index}, direct: true}, scratchBuffer)
}

// manifest returns the manifest of the sorted events, and completes the report.
func (s *sealer) manifest(ctx context.Context) (*Manifest, error) {
	root, sum := evidence.NewRoot(), sha256.New()
	for _, e := range s.index {
		root.Add(e.sum.String())
	}
	if _, err := io.Copy(sum, s.events(ctx)); err != nil {
		return nil, err
	}
	if err := s.firstEvent(); err != nil {
		return nil, err
	}
	producer := s.run.producer
	if producer.Git == unknownGit {
		producer.Git = ""
	}
	if s.seal.Producer != nil {
		producer = *s.seal.Producer
	}
	m := NewManifest(s.run.id, producer, root.Sum(), uint64(len(s.index)), uint64(s.size), evidence.Sum(sum.Sum(nil)))
	s.report.Manifest, s.report.RunRoot, s.report.BundleID = &m, m.RunRoot, m.BundleID
	s.run.describe(s.report)
	return &m, nil
}

// unknownGit is the value in events for an unknown producer commit.
const unknownGit = "unknown"

// firstEvent reads the run, source and producer from the first event.
func (s *sealer) firstEvent() error {
	line := make([]byte, s.index[0].size)
	if _, err := s.scratch.ReadAt(line, s.index[0].at); err != nil {
		return err
	}
	r, err := evidence.NewHasher(evidence.Options{Limits: s.opt.Limits}).Hash(line[:len(line)-1])
	if err != nil {
		return err
	}
	view, _ := envelope.NewChecker(envelope.Options{}).Check(&r)
	s.run.began = false
	s.run.take(&view)
	return nil
}

// tooLarge checks the bundle against the limits of readers.
func (s *sealer) tooLarge(manifest []byte) bool {
	l, size := s.opt.Limits, int64(len(manifest))
	_, findings := ParseManifest(manifest, l, false)
	if tar := container.Size(size, s.size); tar > l.DecodeBytes {
		findings = append(findings, s.overLimit(limitDecodeBytes, "max_decode_bytes", l.DecodeBytes, "the decompressed bundle"))
	}
	if int64(len(ManifestName)) > l.PathBytes {
		findings = append(findings, s.overLimit(limitPathLength, "max_path_len", l.PathBytes, "a member's path"))
	}
	_ = s.noteAll(findings) // All is set: it has no error
	return s.report.Errors > 0
}

func (s *sealer) overLimit(code, limit string, most int64, what string) finding.Finding {
	return finding.Finding{
		Rule: code, Severity: finding.Error, Message: fmt.Sprintf("%s would have more than %d bytes", what, most),
		Help: say.LimitsHint(limit), Detail: Detail{Detail: limit},
	}
}

// errTooLarge ends the writing of a bundle beyond its size limit.
var errTooLarge = errors.New("the bundle is larger than its limit")

type digestWriter struct {
	w    io.Writer
	hash hash.Hash
	size int64
	most int64
}

func (s *digestWriter) Write(p []byte) (int, error) {
	if s.size+int64(len(p)) > s.most {
		return 0, errTooLarge
	}
	n, err := s.w.Write(p)
	s.hash.Write(p[:n])
	s.size += int64(n)
	return n, err
}
