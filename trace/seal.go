package trace

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/rfc6962"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// JSONLines is the family of anchors for transcripts and other files of lines. They cover only bytes.
const JSONLines Family = "jsonl"

// ErrNoLine is returned for a file without a complete line.
var ErrNoLine = errors.New("the file has no line that ends in a line feed")

// SealLines returns an anchor for a file's complete lines: their number, the digest of the bytes and a Merkle root
// (RFC 9162 section 2.1, one leaf per line without line feed). An unterminated last line is excluded, because it
// can still grow. Options.Name is the name in the anchor. It returns ErrNoLine, a read error or ctx's error.
func SealLines(ctx context.Context, input io.Reader, opt Options) (*Anchor, error) {
	s := newLineSeal()
	if err := s.read(ctx, input, -1); err != nil {
		return nil, err
	}
	if s.bytes == 0 {
		return nil, ErrNoLine
	}
	return &Anchor{Schema: AnchorSchema, Input: opt.Name, Family: JSONLines, Events: s.lines, Bytes: s.bytes, SHA256: s.digest(), MerkleRoot: s.tree.Root().Hex()}, nil
}

type lineSeal struct {
	lines, bytes int64
	hash         hash.Hash
	tree         rfc6962.Tree
	leaf         []byte
}

func newLineSeal() *lineSeal { return &lineSeal{hash: sha256.New()} }

// read processes the lines in the first most bytes, or all if most is -1.
func (s *lineSeal) read(ctx context.Context, input io.Reader, most int64) error {
	blocks := source.NewBlocks(input, 0, maxSealed)
	var buf []byte
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := blocks.Next(buf)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		buf = b.Data
		for l := range b.Lines() {
			if l.Long {
				return &LimitError{What: fmt.Sprintf("bytes in line %d", l.Number), Limit: maxSealed, Flag: "--max-line-bytes"}
			}
			if !l.Terminated || most >= 0 && s.bytes >= most {
				continue
			}
			s.take(l)
		}
	}
}

// maxSealed is the maximum length of a line, because a line is held in memory.
const maxSealed = 256 << 20

func (s *lineSeal) take(l source.Line) {
	text := l.Bytes
	if l.CR {
		text = append(bytes.Clone(text), '\r')
	}
	_, _ = s.hash.Write(text) // a hash never fails
	_, _ = s.hash.Write([]byte{'\n'})
	s.bytes += int64(len(text)) + 1
	s.lines++
	s.leaf = append(append(s.leaf[:0], 0), text...)
	s.tree.Add(digest.Of(s.leaf), nil)
}

func (s *lineSeal) digest() string { return hex.EncodeToString(s.hash.Sum(nil)) }

// sealedLines verifies that a file starts with the lines of an anchor.
func (v *verification) sealedLines(ctx context.Context, input io.Reader) (*Report, error) {
	s, a := newLineSeal(), v.opt.Anchor
	if err := s.read(ctx, input, a.Bytes); err != nil {
		return nil, err
	}
	same := s.bytes == a.Bytes && s.lines == a.Events && s.digest() == a.SHA256 && (a.MerkleRoot == "" || s.tree.Root().Hex() == a.MerkleRoot)
	if !same {
		v.findings.Add(rules[beginningDiffers].New(fmt.Sprintf("the file does not begin with the %d lines (%d bytes) of the anchor", a.Events, a.Bytes)))
	}
	report := v.report(JSONLines, stream.Counts{}, &stream.Outcome{
		Events:     s.lines,
		NotCovered: []string{"the content of the lines: the file begins with the sealed lines, nothing more is checked", "the lines after the sealed ones"},
	})
	report.judge(v.findings, v.before, true)
	return report, nil
}
