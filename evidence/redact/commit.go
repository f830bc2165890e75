package redact

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// SecretsSchema is the JSON schema of a file of secrets.
const SecretsSchema = "cupel.redaction-secrets/1"

// DisclosureSchema is the JSON schema of disclosed values: a part of a file of secrets, without the original.
const DisclosureSchema = "cupel.redaction-disclosure/1"

// Salt prevents confirming guesses of a committed value.
type Salt [32]byte

// MarshalText returns 64 lower-case hexadecimal digits.
func (s Salt) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s[:]), nil }

// Commitment returns the commitment to a canonical JSON value at a pointer: the SHA-256 of the
// salt's bytes, the pointer, a line feed and the value. For a salt in 64 hexadecimal digits:
//
//	(printf SALT | xxd -r -p; printf '/data/token\n"xyz"') | sha256sum
func Commitment(salt Salt, pointer string, value []byte) evidence.Sum {
	return commitment(salt, pointer+"\n", value)
}

// earlierCommitment is the commitment without pointer, as in earlier versions.
func earlierCommitment(salt Salt, value []byte) evidence.Sum { return commitment(salt, "", value) }

func commitment(salt Salt, place string, value []byte) evidence.Sum {
	h := sha256.New()
	h.Write(salt[:])
	h.Write([]byte(place))
	h.Write(value)
	return evidence.Sum(h.Sum(nil))
}

// Original describes the input of a redaction. It allows testing guesses at redacted values, so it belongs only in
// the file of secrets.
type Original struct {
	SHA256   string `json:"sha256,omitempty"`    // of the whole input
	RunRoot  string `json:"run_root,omitempty"`  // of the input's events
	BundleID string `json:"bundle_id,omitempty"` // of the input, when that is a bundle
}

// Committer commits to redacted values and writes the file of secrets, a cupel.redaction-secrets/1 document with
// every changed value and its salt. Use Change as Options.OnChange, and call Event in Options.OnEvent.
type Committer struct {
	list   listWriter
	random io.Reader
	values *canonical
	line   int         // of the event whose changes come; 0: none is begun
	last   secretValue // of that event
}

// secretEvent is an event in a file of secrets or disclosure, without its values.
type secretEvent struct {
	Line         int    `json:"line"`
	OriginalHash string `json:"original_hash,omitempty"` // the content hash of the input's event
}

type secretValue struct {
	Pointer string          `json:"pointer"`
	Salt    Salt            `json:"salt"`
	Value   json.RawMessage `json:"value"` // in canonical JSON
}

// valuesName is the member for an event's values.
const valuesName = "values"

// NewCommitter returns a committer that writes to w, which must be kept secret.
func NewCommitter(w io.Writer) *Committer { return newCommitter(w, rand.Reader) }

func newCommitter(w io.Writer, random io.Reader) *Committer {
	return &Committer{list: listWriter{w: w, schema: SecretsSchema}, random: random, values: newCanonical()}
}

// Change commits to the original value of a change and records it. A value changed by several rules has one
// commitment; values that are only reported have none. It returns a write error, a randomness error, or an error
// for a value without canonical form.
func (c *Committer) Change(e *Event, change *Change, before, _ []byte) error {
	if change.Reported {
		return nil
	}
	value, err := c.values.of(before)
	if err != nil {
		return fmt.Errorf("cannot commit to the value at %s of line %d: %w", change.Pointer, e.Line, err)
	}
	if err := c.begin(e); err != nil {
		return err
	}
	// a shortened pointer can be ambiguous
	if c.last.Pointer != change.Pointer || !bytes.Equal(c.last.Value, value) {
		if err := c.disclose(change.Pointer, value); err != nil {
			return err
		}
	}
	change.Commitment = Commitment(c.last.Salt, change.Pointer, value).String()
	return nil
}

// begin starts an event, unless it was started.
func (c *Committer) begin(e *Event) error {
	if c.line == e.Line {
		return nil
	}
	c.line, c.last = e.Line, secretValue{}
	return c.list.begin(secretEvent{e.Line, e.OriginalHash}, valuesName)
}

// disclose records a value with a new salt.
func (c *Committer) disclose(pointer string, value []byte) error {
	c.last.Pointer, c.last.Value = pointer, append(c.last.Value[:0], value...)
	if err := c.salt(&c.last.Salt); err != nil {
		return err
	}
	return c.list.add(&c.last)
}

func (c *Committer) salt(s *Salt) error {
	if _, err := io.ReadFull(c.random, s[:]); err != nil {
		return fmt.Errorf("no salt for a commitment: %w", err)
	}
	return nil
}

// Event completes an event after its changes.
func (c *Committer) Event(*Event) error {
	if c.line == 0 {
		return nil
	}
	c.line = 0
	return c.list.end()
}

// Close completes the document without closing the writer.
func (c *Committer) Close(r *Report) error {
	return c.list.close(struct {
		Input        string   `json:"input"`
		Original     Original `json:"original"`
		OutputSHA256 string   `json:"output_sha256"`
	}{r.Input, r.Original, r.OutputSHA256})
}

type canonical struct {
	scanner *strictjson.Scanner
	writer  *jcs.Writer
	text    []byte
}

func newCanonical() *canonical {
	return &canonical{scanner: strictjson.NewScanner(strictjson.Limits{TextBytes: maxElement}), writer: jcs.NewWriter(nil)}
}

// of returns the canonical form of a JSON text, valid until the next call.
func (c *canonical) of(text []byte) ([]byte, error) {
	doc, err := c.scanner.Scan(text)
	if err != nil {
		return nil, err
	}
	c.text = c.writer.Append(c.text[:0], doc.Root())
	return c.text, nil
}
