package checkpoint

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
)

// MaxBytes limits a checkpoint with its signatures. A note of the library has at most 100.
const MaxBytes = 1 << 20

// Head is the state of a log: its tree's size and root.
type Head struct {
	Origin string     `json:"origin"`
	Size   int64      `json:"size"`
	Root   digest.Sum `json:"-"`
}

func (h Head) text() string {
	return fmt.Sprintf("%s\n%d\n%s\n", h.Origin, h.Size, base64.StdEncoding.EncodeToString(h.Root[:]))
}

// Checkpoint is a parsed checkpoint. Its signatures are not verified.
type Checkpoint struct {
	Head
	Bytes      []byte // the whole note
	extensions string // lines after the root
	signatures []signature
}

type signature struct {
	name   string
	id     uint32
	base64 string
	raw    []byte // without the key id
}

func (c *Checkpoint) text() string { return c.Head.text() + c.extensions }

var errNote = errors.New("the text is not a signed note: expected a text, a blank line, and lines of the form \"— NAME BASE64\"")

// Parse parses a checkpoint strictly: only the bytes that would be written for its values are accepted.
func Parse(text []byte) (*Checkpoint, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("the checkpoint has more than %d bytes", MaxBytes)
	}
	_, err := note.Open(text, nil)
	var unverified *note.UnverifiedNoteError
	if !errors.As(err, &unverified) {
		return nil, errNote
	}
	n := unverified.Note
	c := &Checkpoint{Bytes: bytes.Clone(text)}
	for _, s := range n.UnverifiedSigs {
		raw, err := decode(s.Base64)
		if err != nil {
			return nil, fmt.Errorf("the signature of %s has irregular base64", say.Quoted(s.Name))
		}
		c.signatures = append(c.signatures, signature{s.Name, binary.BigEndian.Uint32(raw), s.Base64, raw[4:]})
	}
	lines := strings.SplitN(n.Text, "\n", 4)
	if len(lines) < 4 || lines[0] == "" {
		return nil, errors.New("expected three lines: the origin, the tree's size and its root")
	}
	c.Origin, c.extensions = lines[0], lines[3]
	if c.Size, err = size(lines[1]); err != nil {
		return nil, fmt.Errorf("the tree's size is %s, expected a decimal number of at most 2⁵³", say.Quoted(lines[1]))
	}
	root, err := decode(lines[2])
	if err != nil || len(root) != len(c.Root) {
		return nil, fmt.Errorf("the root is %s, expected the base64 of 32 bytes", say.Quoted(lines[2]))
	}
	copy(c.Root[:], root)
	if strings.HasPrefix(c.extensions, "\n") || strings.Contains(c.extensions, "\n\n") {
		return nil, errors.New("an extension line is empty")
	}
	return c, nil
}

// maxSize limits trees: the library computes with twice a size.
const maxSize = 1 << 53

// size parses a number without leading zeros.
func size(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > maxSize || strconv.FormatInt(n, 10) != text {
		return 0, errors.New("not a number")
	}
	return n, nil
}

// verify returns the signatures of known keys, and how many have a type that cannot be checked. bad is the name of a
// signature that a known key did not make, or "".
func (c *Checkpoint) verify(known Keys) (found map[Key]signature, unchecked int, bad string) {
	found = map[Key]signature{}
	text := []byte(c.text())
	for _, s := range c.signatures {
		for _, k := range known {
			switch {
			case k.name != s.name || k.id != s.id:
			case k.kind == typeMLDSA:
				unchecked++
			case !k.Verify(text, s.raw):
				return nil, 0, s.name
			default:
				found[k] = s
			}
		}
	}
	return found, unchecked, ""
}
