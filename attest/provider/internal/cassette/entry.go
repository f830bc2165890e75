package cassette

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// schema is the first member of each file.
const schema = "cupel.cassette/1"

// Request identifies a recording.
type Request struct {
	key       digest.Sum
	canonical []byte // JSON with the members of the file's "request"
}

// NewRequest returns the request with a JSON body for a service. sample distinguishes equal requests. It returns an
// error for malformed JSON.
func NewRequest(baseURL string, sample int, body []byte) (Request, error) {
	text, err := compact(struct {
		BaseURL string          `json:"base_url"`
		Body    json.RawMessage `json:"body"`
		Sample  int             `json:"sample"`
	}{baseURL, body, sample})
	if err != nil {
		return Request{}, err
	}
	doc, err := scan(text)
	if err != nil {
		return Request{}, err
	}
	return requestOf(doc.Root()), nil
}

func requestOf(n strictjson.Node) Request {
	canonical := jcs.NewWriter(nil).Append(nil, n)
	return Request{digest.Of(canonical), canonical}
}

// Name returns the name of the file with the reply.
func (r Request) Name() string { return r.key.Hex() + suffix }

// Reply is a model's answer.
type Reply struct {
	Model  string    // that answered, as it calls itself
	Text   string    // of a chat
	Vector []float32 // of a text that was embedded; nil for a chat
	Usage  model.Usage
}

// file is the JSON form of an entry.
type file struct {
	Schema  string          `json:"schema"`
	Request json.RawMessage `json:"request"`
	Reply   any             `json:"reply"`
	Usage   usage           `json:"usage"`
}

type chatReply struct {
	Model string `json:"model"`
	Text  string `json:"text"`
}

type vectorReply struct {
	Model  string `json:"model"`
	Vector string `json:"vector"`
}

type usage struct {
	InputTokens  int     `json:"input_tokens"`
	OutputTokens int     `json:"output_tokens"`
	Cost         float64 `json:"cost"`
}

// encode returns the text of an entry's file.
func encode(r Request, reply Reply) ([]byte, error) {
	f := file{schema, r.canonical, chatReply{reply.Model, reply.Text}, usage{reply.Usage.InputTokens, reply.Usage.OutputTokens, reply.Usage.Cost}}
	if reply.Vector != nil {
		f.Reply = vectorReply{reply.Model, encodeVector(reply.Vector)}
	}
	text, err := compact(f)
	if err != nil {
		return nil, err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		return nil, err
	}
	return indented.Bytes(), nil
}

// compact is json.Marshal without HTML escapes, and a line break.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// scan parses JSON with a limit on values that fits a chat's messages.
func scan(text []byte) (*strictjson.Document, error) {
	return strictjson.NewScanner(strictjson.Limits{TextBytes: maxFile, Depth: 64, Values: 10_000}).Scan(text)
}

// decode parses an entry strictly: exactly the written members, with possible values.
func decode(text []byte) (Request, Reply, error) {
	doc, err := scan(text)
	if err != nil {
		return Request{}, Reply{}, err
	}
	r := reader{}
	root := r.object(doc.Root(), "schema", "request", "reply", "usage")
	if s := root["schema"]; r.err == nil && !s.TextIs(schema) {
		r.fail(s, "%s is not %q, the only supported one", say.Preview(s.Raw(), say.Usual), schema)
	}
	r.object(root["request"], "base_url", "body", "sample")
	reply := r.reply(root["reply"])
	use := r.object(root["usage"], "input_tokens", "output_tokens", "cost")
	reply.Usage = model.Usage{InputTokens: r.count(use["input_tokens"]), OutputTokens: r.count(use["output_tokens"]), Cost: r.cost(use["cost"])}
	if r.err != nil {
		return Request{}, Reply{}, r.err
	}
	return requestOf(root["request"]), reply, nil
}

// reader reads the members of a file and keeps the first fault.
type reader struct{ err error }

func (r *reader) fail(n strictjson.Node, format string, args ...any) {
	if r.err != nil {
		return
	}
	r.err = fmt.Errorf(format, args...)
	if place := n.Pointer(); place != "" {
		r.err = fmt.Errorf("%s: %w", say.Visible(place), r.err)
	}
}

// object returns the members of an object, which must have exactly those names.
func (r *reader) object(n strictjson.Node, names ...string) map[string]strictjson.Node {
	if r.err != nil {
		return nil
	}
	if !n.Is(strictjson.Object) {
		r.fail(n, "expected an object, found %s", n.Kind())
		return nil
	}
	members := map[string]strictjson.Node{}
	for m := range n.Children() {
		if !slices.Contains(names, m.Key()) {
			r.fail(m, "unknown member")
		}
		members[m.Key()] = m
	}
	for _, name := range names {
		if !members[name].Exists() {
			r.fail(n, "the member %q is missing", name)
		}
	}
	return members
}

func (r *reader) reply(n strictjson.Node) (reply Reply) {
	if r.err != nil {
		return reply
	}
	content := "text"
	if n.Get("vector").Exists() {
		content = "vector"
	}
	members := r.object(n, "model", content)
	reply.Model = r.text(members["model"])
	if content == "text" {
		reply.Text = r.text(members["text"])
		return reply
	}
	v, err := decodeVector(r.text(members["vector"]))
	if err != nil {
		r.fail(members["vector"], "%w", err)
	}
	reply.Vector = v
	return reply
}

func (r *reader) text(n strictjson.Node) string {
	s, ok := n.Text()
	if !ok {
		r.fail(n, "expected a string, found %s", n.Kind())
	}
	return s
}

const (
	maxTokens = 1 << 40
	maxCost   = 100 // USD: sums of them stay numbers
)

func (r *reader) count(n strictjson.Node) int {
	i, ok := n.Int()
	if !ok || i < 0 || i > maxTokens {
		r.fail(n, "expected a whole number from 0 to %d", maxTokens)
	}
	return int(i)
}

func (r *reader) cost(n strictjson.Node) float64 {
	f, ok := n.Float()
	if !ok || f < 0 || f > maxCost {
		r.fail(n, "expected a number from 0 to %d", maxCost)
	}
	return f
}

const floatBytes = 4

func encodeVector(v []float32) string {
	b := make([]byte, 0, floatBytes*len(v))
	for _, f := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// decodeVector reads a vector that has a direction: of numbers, not all 0.
func decodeVector(text string) ([]float32, error) {
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, errors.New("expected base64")
	}
	if len(b) == 0 || len(b)%floatBytes != 0 {
		return nil, fmt.Errorf("expected numbers of %d bytes, found %d bytes", floatBytes, len(b))
	}
	v, zero := make([]float32, len(b)/floatBytes), true
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[floatBytes*i:]))
		if f := float64(v[i]); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("number %d is not a number", i)
		}
		zero = zero && v[i] == 0
	}
	if zero {
		return nil, errors.New("all numbers are 0")
	}
	return v, nil
}
