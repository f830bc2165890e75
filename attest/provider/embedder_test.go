package provider

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/scripted"
)

// embed asks a service for the vectors of texts.
func embed(t *testing.T, s *scripted.Service, texts []string) (model.EmbeddingReply, error) {
	t.Helper()
	opt, show := testOptions(t, s, model.Service{})
	e, err := NewEmbedder(opt)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.wire.retrying.RetryWaitMin = firstWait / 100
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	reply, err := e.Embed(ctx, model.EmbeddingRequest{Texts: texts})
	show(reply.Model, err)
	return reply, err
}

// TestEmbed: what the service does, what comes of it, and how often it is asked.
func TestEmbed(t *testing.T) {
	vectors := func(text string) []scripted.Answer { return []scripted.Answer{{Vectors: []byte(text)}} }
	body := func(text string) []scripted.Answer { return []scripted.Answer{{Body: &text}} }
	for name, c := range map[string]struct {
		script []scripted.Answer
		want   string // [] of vectors, or the error
		calls  int
	}{
		"good":                {vectors("[[1,0],[0,1]]"), "[[1 0] [0 1]], cost 0.01", 1},
		"in another order":    {body(`{"data":[{"index":1,"embedding":[2]},{"index":0,"embedding":[1]}]}`), "[[1] [2]], cost 0.002", 1},
		"not numbered":        {body(`{"data":[{"embedding":[2]},{"embedding":[1]}]}`), "[[2] [1]], cost 0.002", 1},
		"numbered twice":      {body(`{"data":[{"index":1,"embedding":[2]},{"index":1,"embedding":[1]}]}`), "2001 embedding provider sent a reply that cannot be used: a vector has a wrong index: 1 of 2 texts (retryable true), cost 0", 1},
		"numbered beyond":     {body(`{"data":[{"index":1,"embedding":[2]},{"index":7,"embedding":[1]}]}`), "2001 embedding provider sent a reply that cannot be used: a vector has a wrong index: 7 of 2 texts (retryable true), cost 0", 1},
		"too few":             {vectors("[[1,0]]"), "2001 embedding provider sent a reply that cannot be used: the reply has 1 vectors for 2 texts (retryable true), cost 0.01", 1},
		"too many":            {vectors("[[1],[2],[3]]"), "2001 embedding provider sent something other than a reply: the reply has more vectors than the 2 texts (retryable true), cost 0", 1},
		"other lengths":       {vectors("[[1,0],[1]]"), "2001 embedding provider sent a reply that cannot be used: the reply has vectors of 2 and 1 numbers (texts 0 and 1), expected one length (retryable true), cost 0.01", 1},
		"empty":               {vectors("[[],[]]"), "2001 embedding provider sent a reply that cannot be used: the vector of text 0 is empty (retryable true), cost 0.01", 1},
		"NaN":                 {body(`{"data":[{"embedding":[NaN]},{"embedding":[1]}]}`), "2001 embedding provider sent something other than a reply: invalid character 'N' looking for beginning of value (retryable true), cost 0", 1},
		"beyond a float":      {body(`{"data":[{"embedding":[1e99]},{"embedding":[1]}]}`), "2001 embedding provider sent a reply that cannot be used: ", 1},
		"a number for a list": {body(`{"data":7}`), `2001 embedding provider sent something other than a reply: member "data" of the reply is not a list (retryable true), cost 0`, 1},
		"a list":              {body(`[1]`), "2001 embedding provider sent something other than a reply: ", 1},
		"half":                {body(`{"data":[{"embedding":[1]},{"emb`), "2001 embedding provider sent something other than a reply: ", 1},
		"HTML":                {body(`<html>`), "2001 embedding provider sent something other than a reply: ", 1},
		"nothing":             {body(``), "2001 embedding provider sent something other than a reply: ", 1},
		"nulls that swell":    {body(`{"data":[` + strings.Repeat("null,", 1<<20) + `null]}`), "2001 embedding provider sent something other than a reply: the reply has more vectors than the 2 texts (retryable true), cost 0", 1},
		"200 MB":              {[]scripted.Answer{{Size: 200e6}}, "2001 embedding provider sent a reply of more than 8388608 bytes (retryable true), cost 0", 1},
		"rate limit":          {[]scripted.Answer{{Status: 429, Body: ptr(`{"error":{"message":"rate limit exceeded"}}`)}}, "2001 embedding provider returned HTTP 429: rate limit exceeded (retryable true), cost 0", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scripted.Start(c.script...)
			defer s.Close()
			reply, err := embed(t, s, []string{"a", "b"})
			got := fmt.Sprintf("%v, cost %v", reply.Vectors, reply.Usage.Cost)
			if own, ok := errors.AsType[*attest.Error](err); ok {
				got = fmt.Sprintf("%d %s (retryable %v), cost %v", own.Code, own.Message, own.Data.Retryable, reply.Usage.Cost)
			}
			if got != c.want && !(strings.HasSuffix(c.want, ": ") && strings.HasPrefix(got, c.want)) {
				t.Errorf("%s\nwant %s", got, c.want)
			}
			if n := len(s.Calls()); n != c.calls {
				t.Errorf("%d calls, want %d", n, c.calls)
			}
		})
	}
}

// TestManyTexts: 2,048 texts per call; the vectors come in the order of the texts.
func TestManyTexts(t *testing.T) {
	for texts, calls := range map[int]int{0: 0, 1: 1, MaxTexts: 1, MaxTexts + 1: 2, 3*MaxTexts - 1: 3} {
		s := scripted.Start()
		list := make([]string, texts)
		for i := range list {
			list[i] = fmt.Sprint("text ", i)
		}
		reply, err := embed(t, s, list)
		if err != nil || len(reply.Vectors) != texts || len(s.Calls()) != calls {
			t.Fatalf("%d texts: %d vectors by %d calls, %v", texts, len(reply.Vectors), len(s.Calls()), err)
		}
		for i, v := range reply.Vectors {
			if !slices.Equal(v, scripted.Vector(list[i])) {
				t.Fatalf("%d texts: vector %d is another one", texts, i)
			}
		}
		s.Close()
	}
}

// metered returns a service whose vectors fit a reply for fewTexts texts and no more, and whose calls
// take as many tokens as their texts have bytes; billed are those of all calls that it answered.
func metered(refuses func(texts []string) bool) (s *scripted.Service, billed func() int) {
	var tokens atomic.Int64
	return scripted.StartFunc(func(c scripted.Call) scripted.Answer {
		if refuses(c.Texts) {
			return scripted.Answer{Status: 400}
		}
		took := len(strings.Join(c.Texts, ""))
		tokens.Add(int64(took))
		if len(c.Texts) > fewTexts {
			return scripted.Answer{Size: MaxBody + 1}
		}
		data := make([]string, len(c.Texts))
		for i, text := range c.Texts {
			data[i] = fmt.Sprintf(`{"index":%d,"embedding":[1,%d]}`, i, len(text))
		}
		return scripted.Answer{Body: ptr(`{"data":[` + strings.Join(data, ",") + fmt.Sprintf(`],"usage":{"prompt_tokens":%d}}`, took))}
	}), func() int { return int(tokens.Load()) }
}

// TestVectorsBeyondABody: vectors that do not fit one reply are asked for in parts, and so are
// further ones from then on; what is counted is what the service has billed, also for the reply
// that was refused.
func TestVectorsBeyondABody(t *testing.T) {
	for _, c := range []struct{ texts, first, later int }{
		{fewTexts, 1, 1},
		{2*fewTexts + 1, 1 + 3, 3},
		{MaxTexts + 1, 1 + MaxTexts/fewTexts + 1, MaxTexts/fewTexts + 1},
		{MaxTexts + 2*fewTexts, 1 + MaxTexts/fewTexts + 1 + 2, MaxTexts/fewTexts + 2},
	} {
		s, billed := metered(func([]string) bool { return false })
		opt, _ := testOptions(t, s, model.Service{})
		e, err := NewEmbedder(opt)
		if err != nil {
			t.Fatal(err)
		}
		texts := make([]string, c.texts)
		for i := range texts {
			texts[i] = strings.Repeat("x", i%7)
		}
		counted, calls := 0, 0
		for _, more := range []int{c.first, c.later} {
			reply, err := e.Embed(t.Context(), model.EmbeddingRequest{Texts: texts})
			if err != nil || len(reply.Vectors) != len(texts) {
				t.Fatalf("%d vectors, %+v, %v", len(reply.Vectors), reply.Usage, err)
			}
			for i, v := range reply.Vectors {
				if v[len(v)-1] != float32(len(texts[i])) {
					t.Fatalf("vector %d ends in %v", i, v[len(v)-1])
				}
			}
			counted += reply.Usage.InputTokens
			if calls += more; len(s.Calls()) != calls || counted != billed() {
				t.Errorf("%d texts: %d calls, want %d; %d tokens of %d billed", len(texts), len(s.Calls()), calls, counted, billed())
			}
		}
		e.Close()
		s.Close()
	}
}

// TestVectorsBeyondABodyFail checks that paid usage is counted even if some parts are not answered: at least the
// known usage, else an estimate by the lengths of the texts.
func TestVectorsBeyondABodyFail(t *testing.T) {
	texts := make([]string, 2*fewTexts)
	for i := range texts {
		texts[i] = strings.Repeat("x", 8)
	}
	s, _ := metered(func(texts []string) bool { return len(texts) <= fewTexts })
	defer s.Close()
	reply, err := embed(t, s, texts)
	if err == nil || reply.Usage.InputTokens != len(texts)*8/bytesPerToken || reply.Usage.Cost == 0 {
		t.Errorf("%+v, %v", reply.Usage, err)
	}
}
