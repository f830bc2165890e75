package scripted

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Answer is the service's response to a call. The zero value succeeds: a chat gets a judge's reply with score 1,
// embeddings get vectors.
type Answer struct {
	When  string `json:"when"`  // only for calls whose body contains it
	Times int    `json:"times"` // number of calls; 0: one; the last answer repeats

	Delay Duration `json:"delay"` // before sending
	Hang  bool     `json:"hang"`  // send nothing until the client disconnects
	Close bool     `json:"close"` // close the connection

	Status int               `json:"status"` // default 200
	Header map[string]string `json:"header"`

	Text    *string         `json:"text"`    // of a chat's reply
	Usage   *[2]int         `json:"usage"`   // input and output tokens; default 10 and 5, none for other statuses than 200
	Vectors json.RawMessage `json:"vectors"` // [[…], …] instead of the computed ones
	Echo    bool            `json:"echo"`    // the reply or error message repeats the Authorization header
	Body    *string         `json:"body"`    // replaces the whole body

	Size int      `json:"size"` // repeat the body up to this size
	Drip Duration `json:"drip"` // delay between bytes of the body
	Cut  int      `json:"cut"`  // close the connection after this many bytes
}

// Duration is a time.Duration written as "200ms".
type Duration time.Duration

func (d *Duration) UnmarshalText(text []byte) error {
	read, err := time.ParseDuration(string(text))
	*d = Duration(read)
	return err
}

// Parse parses a script: one JSON Answer per line. Blank lines and lines that begin with # are ignored.
func Parse(text []byte) (list []Answer, err error) {
	for i, line := range bytes.Split(text, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		var a Answer
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&a); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("line %d: more than one answer", i+1)
		}
		list = append(list, a)
	}
	return list, nil
}

func (a *Answer) body(c *Call) string {
	text := a.content(c)
	if a.Size > 0 && text != "" {
		text = strings.Repeat(text, a.Size/len(text)+1)[:a.Size]
	}
	return text
}

func (a *Answer) content(c *Call) string {
	switch {
	case a.Body != nil:
		return *a.Body
	case a.Status != 0 && a.Status != 200:
		message := "status of the script"
		if a.Echo {
			message = "bad key: " + c.Header.Get("Authorization")
		}
		return compact(map[string]any{"error": map[string]any{"message": message, "type": "scripted"}})
	case c.Texts != nil || strings.HasSuffix(c.Path, "/embeddings"):
		return a.embeddings(c)
	}
	return a.chat(c)
}

// good is a judge's best score.
const good = `{"score": 1.0, "reason": "As expected."}`

func (a *Answer) chat(c *Call) string {
	text := good
	switch {
	case a.Text != nil:
		text = *a.Text
	case a.Echo:
		text = compact(map[string]any{"score": 0, "reason": "called with " + c.Header.Get("Authorization")})
	}
	input, output := a.tokens()
	return compact(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": c.Model,
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text}}},
		"usage":   map[string]any{"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output},
	})
}

func (a *Answer) embeddings(c *Call) string {
	vectors := make([]any, 0, len(c.Texts))
	if a.Vectors == nil {
		for _, text := range c.Texts {
			vectors = append(vectors, Vector(text))
		}
	} else {
		var raw []json.RawMessage
		if err := json.Unmarshal(a.Vectors, &raw); err != nil {
			return compact(map[string]any{"error": map[string]any{"message": "the script's vectors are no list: " + err.Error()}})
		}
		for _, v := range raw {
			vectors = append(vectors, v)
		}
	}
	data := make([]any, len(vectors))
	for i, v := range vectors {
		data[i] = map[string]any{"object": "embedding", "index": i, "embedding": v}
	}
	input, _ := a.tokens()
	return compact(map[string]any{
		"object": "list", "data": data, "model": c.Model,
		"usage": map[string]any{"prompt_tokens": input, "total_tokens": input},
	})
}

func (a *Answer) tokens() (input, output int) {
	if a.Usage == nil {
		return 10, 5
	}
	return a.Usage[0], a.Usage[1]
}

func compact(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error() // malformed JSON, which the test detects
	}
	return string(text)
}
