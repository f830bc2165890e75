package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
	"github.com/cupel-dev/cupel/internal/scripted"
)

// tape is a cassette with a service on it.
type tape struct {
	*Cassette
	chat  model.Chat
	texts model.Embedder
}

// inserting is who inserts a cassette: a test, or a case of a law, at whose end it is taken out.
type inserting interface {
	rapid.TB
	Cleanup(end func())
}

// insert puts a service on the cassette in a folder; without a service nothing can be asked.
func insert(t inserting, dir string, s *scripted.Service, baseURL string) tape {
	t.Helper()
	opt := Options{Service: model.Service{BaseURL: baseURL, Prices: testPrices}}
	if s != nil {
		opt.BaseURL, opt.Key = s.URL, key
	}
	c, err := OpenCassette(dir, s != nil)
	if err != nil {
		t.Fatal(err)
	}
	chat, err := NewChat(opt)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := NewEmbedder(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		chat.Close()
		texts.Close()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return tape{c, c.Chat(chat), c.Embedder(texts)}
}

// question returns a chat of one message.
func question(text string) model.ChatRequest {
	return model.ChatRequest{JSON: true, MaxTokens: 256, Messages: []model.Message{{Role: "user", Content: text}}}
}

// TestRecordsWhatIsSent: the request in a cassette is the body that the service gets.
func TestRecordsWhatIsSent(t *testing.T) {
	for title, ask := range map[string]func(tape) error{
		"chat": func(c tape) error { _, err := c.chat.Chat(t.Context(), question("<a> & b")); return err },
		"temperature": func(c tape) error {
			r := question("x")
			r.Temperature = 0.3
			_, err := c.chat.Chat(t.Context(), r)
			return err
		},
		"no JSON": func(c tape) error {
			r := question("x")
			r.JSON = false
			_, err := c.chat.Chat(t.Context(), r)
			return err
		},
		"reasoning": func(c tape) error {
			r := question("x")
			r.Model = "o3-mini"
			_, err := c.chat.Chat(t.Context(), r)
			return err
		},
		"text": func(c tape) error {
			_, err := c.texts.Embed(t.Context(), model.EmbeddingRequest{Model: "e", Texts: []string{"é\n"}})
			return err
		},
	} {
		service := scripted.Start()
		dir := t.TempDir()
		if err := ask(insert(t, dir, service, "")); err != nil {
			t.Fatal(title, err)
		}
		entry := onlyEntry(t, dir)
		var sent any
		if err := json.Unmarshal([]byte(service.Calls()[0].Body), &sent); err != nil {
			t.Fatal(title, err)
		}
		if !reflect.DeepEqual(entry.Request.Body, sent) || entry.Request.BaseURL != service.URL {
			t.Errorf("%s: recorded %v of %s, sent %v to %s", title, entry.Request.Body, entry.Request.BaseURL, sent, service.URL)
		}
		service.Close()
	}
}

// recordedEntry is a file of a cassette.
type recordedEntry struct {
	Request struct {
		BaseURL string `json:"base_url"`
		Body    any
		Sample  int
	}
	Reply struct{ Model, Text, Vector string }
}

// onlyEntry returns the one file of a cassette.
func onlyEntry(t testing.TB, dir string) (e recordedEntry) {
	t.Helper()
	list, err := filepath.Glob(dir + "/*.json")
	if err != nil || len(list) != 1 {
		t.Fatalf("%d recordings, %v", len(list), err)
	}
	text, err := os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), key) {
		t.Errorf("the key is recorded: %s", text)
	}
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// opinionated answers each chat with an opinion of its own, the same for equal bodies.
func opinionated(c scripted.Call) scripted.Answer {
	score := float64(crc32.ChecksumIEEE([]byte(c.Body))%1000) / 1000
	return scripted.Answer{Text: ptr(fmt.Sprintf(`{"score": %v}`, score)), Usage: &[2]int{len(c.Body), 7}}
}

// TestReplayIsTheRecording: whatever was asked for in which order, at once or in turn, by one
// process or several, and with other texts: what is replayed is what was answered, without a
// call.
func TestReplayIsTheRecording(t *testing.T) {
	service := scripted.StartFunc(opinionated)
	defer service.Close()
	defer door.Use((&doortest.Faults{}).Disk(door.System()))() // it waits for no disk
	rapid.Check(t, func(r *rapid.T) {
		texts := rapid.SliceOfNDistinct(rapid.StringN(0, 20, 60), 1, 8, rapid.ID[string]).Draw(r, "texts")
		samples := rapid.IntRange(1, 3).Draw(r, "samples")
		dir := t.TempDir()
		live := insert(r, t.TempDir(), service, "")
		runs := rapid.IntRange(1, 3).Draw(r, "runs")
		recorders := make([]tape, runs)
		for i := range recorders {
			recorders[i] = insert(r, dir, service, "")
		}
		recorded := answersOf(t, texts, samples, rapid.Permutation(texts).Draw(r, "order"), rapid.IntRange(1, 4).Draw(r, "batch"), recorders...)
		before := len(service.Calls())
		for range 2 {
			replayed := answersOf(t, texts, samples, rapid.Permutation(texts).Draw(r, "order again"), rapid.IntRange(1, 4).Draw(r, "batch again"), insert(r, dir, nil, service.URL))
			if !reflect.DeepEqual(replayed, recorded) {
				r.Fatalf("replayed %+v, recorded %+v", replayed, recorded)
			}
		}
		if after := len(service.Calls()); after != before {
			r.Fatalf("%d calls while replaying", after-before)
		}
		directly := answersOf(t, texts, samples, texts, len(texts), live)
		if !reflect.DeepEqual(directly.chats, recorded.chats) || !reflect.DeepEqual(directly.vectors, recorded.vectors) {
			r.Fatalf("live %+v, recorded %+v", directly, recorded)
		}
	})
}

// answers are those to some texts: to each sample of a chat, and their vectors.
type answers struct {
	chats   map[string]model.ChatReply
	vectors map[string][]float32
	tokens  int // of the vectors
	cost    int64
}

// answersOf requests all texts at once, in an order, with size texts per vector request, from the given tapes in
// turn.
func answersOf(t *testing.T, texts []string, samples int, order []string, size int, tapes ...tape) answers {
	t.Helper()
	all := answers{chats: map[string]model.ChatReply{}, vectors: map[string][]float32{}}
	var mu sync.Mutex
	var wait sync.WaitGroup
	for i, text := range order {
		for sample := range samples {
			wait.Go(func() {
				r := question(text)
				r.Sample = sample
				reply, err := tapes[i%len(tapes)].chat.Chat(t.Context(), r)
				mu.Lock()
				defer mu.Unlock()
				if saved := reply.Usage.Saved; saved != 0 && saved != reply.Usage.Cost {
					t.Errorf("%v of %v was saved", saved, reply.Usage.Cost)
				}
				reply.Usage.Saved = 0 // it is new to the recording
				all.chats[fmt.Sprint(sample, text)] = reply
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	number := 0
	for part := range slices.Chunk(order, size) {
		number++
		c := tapes[number%len(tapes)]
		wait.Go(func() {
			reply, err := c.texts.Embed(t.Context(), model.EmbeddingRequest{Texts: part})
			mu.Lock()
			defer mu.Unlock()
			if err != nil || len(reply.Vectors) != len(part) {
				t.Error(len(reply.Vectors), err)
				return
			}
			for i, text := range part {
				all.vectors[text] = reply.Vectors[i]
			}
			all.tokens += reply.Usage.InputTokens
			all.cost += grains(reply.Usage.Cost)
		})
	}
	wait.Wait()
	if len(all.vectors) != len(texts) {
		t.Errorf("%d vectors of %d texts", len(all.vectors), len(texts))
	}
	return all
}

// TestShares checks that a call's usage is divided over its texts without a remainder.
func TestShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.String(), 1, 20).Draw(t, "texts")
		whole := model.Usage{
			InputTokens: rapid.IntRange(0, 1<<40).Draw(t, "in"), OutputTokens: rapid.IntRange(0, 10).Draw(t, "out"),
			Cost: dollars(rapid.Int64Range(0, 100*grainsPerDollar).Draw(t, "cost")),
		}
		sum := model.Usage{}
		for _, u := range shares(whole, texts) {
			if u.InputTokens < 0 || u.OutputTokens < 0 || u.Cost < 0 {
				t.Fatalf("a share of %+v", u)
			}
			sum = plus(sum, u)
		}
		if sum != whole {
			t.Fatalf("the shares make %+v of %+v", sum, whole)
		}
	})
}

// failed wants an error to be a 2001 that says something, and that trying again is of no use.
func failed(t *testing.T, err error, want ...string) {
	t.Helper()
	var own *attest.Error
	if !errors.As(err, &own) || own.Code != attest.CodeProvider || own.Data.Retryable {
		t.Errorf("%v, want a 2001 that is not retryable", err)
	}
	for _, part := range want {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v, want %q", err, part)
		}
	}
}

// TestMissing: what is not recorded is not asked for, and the nearest recording is shown.
func TestMissing(t *testing.T) {
	service := scripted.Start()
	defer service.Close()
	dir := t.TempDir()
	recorder := insert(t, dir, service, "")
	if _, err := recorder.chat.Chat(t.Context(), question("Was the order refunded?")); err != nil {
		t.Fatal(err)
	}
	if _, err := recorder.texts.Embed(t.Context(), model.EmbeddingRequest{Texts: []string{"one", "two"}}); err != nil {
		t.Fatal(err)
	}
	calls := len(service.Calls())
	c := insert(t, dir, nil, service.URL)
	_, err := c.chat.Chat(t.Context(), question("Was the order cancelled?"))
	failed(t, err, "the answer to a chat is not recorded in the cassette", dir, `differs in /body/messages/0/content: recorded "Was the order refunded?", asked for "Was the order cancelled?"`)
	_, err = c.texts.Embed(t.Context(), model.EmbeddingRequest{Texts: []string{"one", "three", "four"}})
	failed(t, err, "the vector of a text (2 of 3) is not recorded", `asked for "three"`)
	_, err = insert(t, dir, nil, "").chat.Chat(t.Context(), question("Was the order refunded?"))
	failed(t, err, fmt.Sprintf("differs in /base_url: recorded %q, asked for %q", service.URL, DefaultBaseURL))
	_, err = insert(t, t.TempDir(), nil, "").chat.Chat(t.Context(), question("x"))
	failed(t, err, "is not recorded")
	if len(service.Calls()) != calls {
		t.Error("a replay asked the service")
	}
	if unused, err := c.Unused(); err != nil || len(unused) != 2 {
		t.Errorf("%q, %v", unused, err)
	}
}

// TestRecordsAnswersOnly: errors are not recorded, and what the service is asked again for is
// recorded under what was asked first.
func TestRecordsAnswersOnly(t *testing.T) {
	service := scripted.Start(
		scripted.Answer{Status: 401},
		scripted.Answer{Status: 400, Body: ptr(`{"error":{"message":"response_format is not supported"}}`)},
		scripted.Answer{Echo: true})
	defer service.Close()
	dir := t.TempDir()
	recorder := insert(t, dir, service, "")
	_, err := recorder.chat.Chat(t.Context(), question("x"))
	failed(t, err, "401")
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Fatal(list, err)
	}
	reply, err := recorder.chat.Chat(t.Context(), question("x"))
	if err != nil {
		t.Fatal(err)
	}
	if e := onlyEntry(t, dir); !strings.Contains(e.Reply.Text, "Bearer [key]") {
		t.Errorf("recorded %q", e.Reply.Text)
	}
	again, err := insert(t, dir, nil, service.URL).chat.Chat(t.Context(), question("x"))
	if reply.Usage.Saved = reply.Usage.Cost; err != nil || again != reply {
		t.Errorf("%+v, %v, want %+v", again, err, reply)
	}
	if calls := len(service.Calls()); calls != 3 {
		t.Errorf("%d calls", calls)
	}
}

// TestUselessReply: a reply that a request calls useless is answered with, and not recorded.
func TestUselessReply(t *testing.T) {
	service := scripted.Start(scripted.Answer{Echo: true}, scripted.Answer{Echo: true})
	defer service.Close()
	dir := t.TempDir()
	recorder := insert(t, dir, service, "")
	for _, useless := range []bool{true, false, true} { // what is recorded is not asked for again
		r := question("x")
		r.Useless = func(string) bool { return useless }
		if reply, err := recorder.chat.Chat(t.Context(), r); err != nil || reply.Text == "" {
			t.Fatalf("%+v, %v", reply, err)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != len(service.Calls())-1 {
			t.Fatalf("%d recordings, %v", len(list), err)
		}
	}
	onlyEntry(t, dir)
	if calls := len(service.Calls()); calls != 2 {
		t.Errorf("%d calls", calls)
	}
}

// TestBadCassette checks that a file that is not a recording of the request fails it, also while recording, and is
// never overwritten.
func TestBadCassette(t *testing.T) {
	service := scripted.Start()
	defer service.Close()
	dir := t.TempDir()
	recorder := insert(t, dir, service, "")
	if _, err := recorder.texts.Embed(t.Context(), model.EmbeddingRequest{Texts: []string{"one", "two"}}); err != nil {
		t.Fatal(err)
	}
	list, err := filepath.Glob(dir + "/*.json")
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	text, err := os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	for want, bad := range map[string]string{
		"is not a recording":                       "{",
		"has a vector of the wrong length":         cutVector(t, string(text)),
		"has a vector of the wrong length: 0 numb": strings.Replace(cutVector(t, string(text)), `"vector"`, `"text"`, 1),
	} {
		if err := os.WriteFile(list[0], []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, c := range []tape{recorder, insert(t, dir, nil, service.URL)} {
			_, err = c.texts.Embed(t.Context(), model.EmbeddingRequest{Texts: []string{"one", "two"}})
			failed(t, err, want)
		}
		if now, err := os.ReadFile(list[0]); err != nil || string(now) != bad {
			t.Errorf("the file holds %s, %v", now, err)
		}
	}
}

// cutVector leaves one number of the vector in a recording.
func cutVector(t *testing.T, text string) string {
	t.Helper()
	const start = `"vector": "`
	from := strings.Index(text, start)
	if from < 0 {
		t.Fatalf("no vector in %s", text)
	}
	from += len(start)
	return text[:from] + "AACAPw==" + text[from+strings.IndexByte(text[from:], '"'):]
}

// TestFullDisk checks that an answer that cannot be recorded fails the request, and that the cost is reported.
func TestFullDisk(t *testing.T) {
	service := scripted.Start()
	defer service.Close()
	dir := t.TempDir()
	recorder := insert(t, dir, service, "")
	faults := &doortest.Faults{At: 1, Err: syscall.ENOSPC, Writes: true, Dead: true}
	restore := door.Use(faults.Disk(door.System()))
	reply, err := recorder.chat.Chat(t.Context(), question("x"))
	vectors, texts := recorder.texts.Embed(t.Context(), model.EmbeddingRequest{Texts: []string{"one"}})
	restore()
	failed(t, err, "the model's answer was not recorded", syscall.ENOSPC.Error())
	failed(t, texts, syscall.ENOSPC.Error())
	if reply.Usage.Cost != 0.02 || vectors.Usage.Cost == 0 {
		t.Errorf("spent %v and %v", reply.Usage, vectors.Usage)
	}
}

// TestOpenCassette: only who records makes a folder.
func TestOpenCassette(t *testing.T) {
	dir := t.TempDir() + "/a/b"
	if _, err := OpenCassette(dir, false); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	c, err := OpenCassette(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
