package cassette

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
)

// documented is the entry of the package's documentation, as it is written, and its name.
const (
	documented = `{
  "schema": "cupel.cassette/1",
  "request": {
    "base_url": "https://api.openai.com/v1",
    "body": {
      "messages": [
        {
          "content": "Is it polite? Hello!",
          "role": "user"
        }
      ],
      "model": "gpt-4.1-mini",
      "temperature": 0
    },
    "sample": 0
  },
  "reply": {
    "model": "gpt-4.1-mini-2025-04-14",
    "text": "{\"score\": 0.9}"
  },
  "usage": {
    "input_tokens": 120,
    "output_tokens": 9,
    "cost": 0.0000624
  }
}
`
	documentedBody = `{"model":"gpt-4.1-mini","messages":[{"role":"user","content":"Is it polite? Hello!"}],"temperature":0.0}`
	service        = "https://api.openai.com/v1"
)

var documentedReply = Reply{
	Model: "gpt-4.1-mini-2025-04-14", Text: `{"score": 0.9}`,
	Usage: model.Usage{InputTokens: 120, OutputTokens: 9, Cost: 0.0000624},
}

func request(t testing.TB, base string, sample int, body string) Request {
	t.Helper()
	r, err := NewRequest(base, sample, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// chat returns a request whose only message is a text.
func chat(t testing.TB, text string) Request {
	t.Helper()
	body, err := json.Marshal(map[string]any{"model": "m", "messages": []any{map[string]string{"role": "user", "content": text}}})
	if err != nil {
		t.Fatal(err)
	}
	return request(t, service, 0, string(body))
}

func create(t testing.TB, dir string) *Cassette {
	t.Helper()
	c, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func keep(t testing.TB, c *Cassette, r Request, reply Reply) {
	t.Helper()
	if got, err := c.Keep(t.Context(), r, reply); err != nil || !reflect.DeepEqual(got, reply) {
		t.Fatalf("kept %+v of %+v: %v", got, reply, err)
	}
}

// TestDocumented: a recording is the file that the documentation shows.
func TestDocumented(t *testing.T) {
	dir := t.TempDir() + "/new/folder"
	c := create(t, dir)
	r := request(t, service, 0, documentedBody)
	keep(t, c, r, documentedReply)
	text, err := os.ReadFile(filepath.Join(dir, r.Name()))
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != documented {
		t.Errorf("the file holds\n%s\nwant\n%s", text, documented)
	}
}

// naive returns a second implementation of a request's name: of texts in ASCII and whole numbers
// the standard library writes the canonical form, once it has read them.
func naive(t *rapid.T, base string, sample int, body any) string {
	text, err := json.Marshal(map[string]any{"sample": sample, "body": body, "base_url": base})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x.json", sha256.Sum256(text))
}

// TestNameIsOfTheContent: the name depends on everything that is asked and on nothing else,
// such as the order of members.
func TestNameIsOfTheContent(t *testing.T) {
	word := rapid.StringMatching(`[a-zA-Z0-9 .,{}$%-]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		body := map[string]any{}
		for _, name := range rapid.SliceOfDistinct(rapid.StringMatching(`[a-z_]{1,8}`), rapid.ID[string]).Draw(t, "names") {
			body[name] = rapid.SliceOf(word).Draw(t, name)
		}
		base, sample := word.Draw(t, "base"), rapid.IntRange(0, 14).Draw(t, "sample")
		want := naive(t, base, sample, body)
		shuffled := spelled(t, body, rapid.Int64().Draw(t, "seed"))
		r, err := NewRequest(base, sample, shuffled)
		if err != nil || r.Name() != want {
			t.Fatalf("%s: %s, %v, want %s", shuffled, r.Name(), err, want)
		}
		body["another"] = "x"
		for _, other := range []string{naive(t, base, sample, body), naive(t, base+"x", sample, body), naive(t, base, sample+1, body)} {
			if other == want {
				t.Fatal("another request has the same name")
			}
		}
	})
}

// spelled writes an object with its members in a drawn order and with blanks.
func spelled(t *rapid.T, body map[string]any, seed int64) []byte {
	var names []string
	for name := range body {
		names = append(names, name)
	}
	slices.Sort(names)
	rand.New(rand.NewSource(seed)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var b bytes.Buffer
	b.WriteString("{")
	for i, name := range names {
		value, err := json.MarshalIndent(body[name], "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			b.WriteString(" ,\n")
		}
		fmt.Fprintf(&b, "%q : %s", name, value)
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// TestRoundTrip: what is recorded is found again, whatever it is.
func TestRoundTrip(t *testing.T) {
	defer door.Use((&doortest.Faults{}).Disk(door.System()))() // it waits for no disk
	c := create(t, t.TempDir())
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		seen++
		body, err := json.Marshal(map[string]any{"n": seen, "text": rapid.String().Draw(t, "asked")})
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRequest(service, 0, body)
		if err != nil {
			t.Fatal(err)
		}
		reply := Reply{Model: rapid.String().Draw(t, "model"), Text: rapid.String().Draw(t, "text"), Usage: model.Usage{
			InputTokens: rapid.IntRange(0, maxTokens).Draw(t, "in"), OutputTokens: rapid.IntRange(0, maxTokens).Draw(t, "out"), Cost: rapid.Float64Range(0, maxCost).Draw(t, "cost"),
		}}
		if rapid.Bool().Draw(t, "embedding") {
			reply.Text, reply.Vector = "", rapid.SliceOfN(rapid.Float32Range(-1, 1), 1, 8).Draw(t, "vector")
			reply.Vector[0] = 0.5
		}
		kept, err := c.Keep(t.Context(), r, reply)
		if err != nil {
			t.Fatal(err)
		}
		found, ok, err := c.Find(t.Context(), r)
		if err != nil || !ok || !reflect.DeepEqual(found, kept) || !reflect.DeepEqual(found, reply) {
			t.Fatalf("%+v became %+v, then %+v: %v, %v", reply, kept, found, ok, err)
		}
	})
}

// TestNotKept: what a replay would refuse is not recorded.
func TestNotKept(t *testing.T) {
	dir := t.TempDir()
	c := create(t, dir)
	for why, reply := range map[string]Reply{
		"/reply/vector: number 1 is not a number":                   {Vector: []float32{1, float32(math.NaN())}},
		"/reply/vector: all numbers are 0":                          {Vector: []float32{0, 0}},
		"/reply/vector: expected numbers of 4 bytes, found 0 bytes": {Vector: []float32{}},
		"/usage/cost: expected a number from 0 to 100":              {Usage: model.Usage{Cost: -1}},
		"/usage/input_tokens: expected a whole number":              {Usage: model.Usage{InputTokens: -1}},
		"the limit is 25165824":                                     {Text: strings.Repeat("x", maxFile)},
	} {
		if _, err := c.Keep(t.Context(), chat(t, why), reply); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %s", err, why)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("the folder holds %v, %v", list, err)
	}
}

// TestDamaged checks that a file that was not recorded by cupel is an error with place and reason.
func TestDamaged(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"cupel.cassette/1"`, `"cupel.cassette/2"`, `/schema: "cupel.cassette/2" is not "cupel.cassette/1", the only supported one`},
		{`"cupel.cassette/1"`, `1`, `/schema: 1 is not "cupel.cassette/1"`},
		{`"sample": 0`, `"sample": 1`, `the request does not match the file name`},
		{`Hello!`, `Goodbye!`, `the request does not match the file name`},
		{`"sample": 0`, `"sample": 0, "headers": {}`, `/request/headers: unknown member`},
		{`"sample": 0`, `"samples": 0`, `/request/samples: unknown member`},
		{`"usage"`, `"use"`, `/use: unknown member`},
		{`"text"`, `"test"`, `/reply/test: unknown member`},
		{`"text": `, `"text": "x", "vector": `, `/reply/text: unknown member`},
		{`"text": `, `"text": "x", "text": `, `in /reply`},
		{`"text": `, `"vector": `, `/reply/vector: expected base64`},
		{`"text": "{\"score\": 0.9}"`, `"vector": "AACAfw=="`, `/reply/vector: number 0 is not a number`},
		{`"text": "{\"score\": 0.9}"`, `"vector": "AACA"`, `/reply/vector: expected numbers of 4 bytes, found 3 bytes`},
		{`"text": "{\"score\": 0.9}"`, `"text": 0.9`, `/reply/text: expected a string, found number`},
		{`"text": "{\"score\": 0.9}"`, `"text": "\ud800"`, `surrogate`},
		{`120`, `-1`, `/usage/input_tokens: expected a whole number from 0 to 1099511627776`},
		{`120`, `1e400`, `beyond the range of a double`},
		{`0.0000624`, `1e308`, `/usage/cost: expected a number from 0 to 100`},
		{`0.0000624`, `null`, `/usage/cost: expected a number from 0 to 100`},
		{`"request": {`, `"request": [{`, `unexpected`},
		{documented, `[]`, `is not a recording: expected an object, found array`},
		{documented, "\x1b]0;x\a", `unexpected`},
		{documented, strings.Repeat("[", 100_000), `nested 65 levels deep`},
		{documented, "[" + strings.Repeat("0,", 100_000) + "0]", `more than 10000 values`},
		{"}\n}\n", "}\n}\n{}", `after the value`},
	} {
		dir := t.TempDir()
		r := request(t, service, 0, documentedBody)
		text := strings.Replace(documented, c.old, c.new, 1)
		if text == documented {
			t.Fatalf("%s is not in the file", c.old)
		}
		write(t, filepath.Join(dir, r.Name()), text)
		_, found, err := create(t, dir).Find(t.Context(), r)
		if found || err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), dir) {
			t.Errorf("%.60s for %.60s: %v, %v, want %s", c.new, c.old, found, err, c.want)
		}
	}
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestCutAnywhere checks that a part of a file is not a recording, and that an empty file is recorded again.
func TestCutAnywhere(t *testing.T) {
	dir := t.TempDir()
	c, r := create(t, dir), request(t, service, 0, documentedBody)
	name := filepath.Join(dir, r.Name())
	for size := range len(documented) - 1 {
		write(t, name, documented[:size])
		if _, found, err := c.Find(t.Context(), r); found || (err != nil) != (size > 0) {
			t.Fatalf("the first %d bytes: %v, %v", size, found, err)
		}
	}
	write(t, name, "")
	keep(t, c, r, documentedReply)
}

// TestAnotherPlace: nothing but a regular file inside of the folder is a recording.
func TestAnotherPlace(t *testing.T) {
	r := request(t, service, 0, documentedBody)
	outside := filepath.Join(t.TempDir(), "outside.json")
	write(t, outside, documented)
	for want, put := range map[string]func(name string) error{
		"leads out of": func(name string) error { return os.Symlink(outside, name) },
		"a directory":  func(name string) error { return os.Mkdir(name, 0o777) },
		"symbolic link points to a file that does not exist": func(name string) error { return os.Symlink("nothing", name) },
		"larger than 25165824 bytes": func(name string) error {
			return errors.Join(os.WriteFile(name, nil, 0o600), os.Truncate(name, 1<<40))
		},
	} {
		dir := t.TempDir()
		if err := put(filepath.Join(dir, r.Name())); err != nil {
			t.Fatal(err)
		}
		_, found, err := create(t, dir).Find(t.Context(), r)
		if found || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want %s", found, err, want)
		}
	}
	dir := t.TempDir()
	if err := errors.Join(os.Symlink("inside.json", filepath.Join(dir, r.Name())), os.WriteFile(dir+"/inside.json", []byte(documented), 0o600)); err != nil {
		t.Fatal(err)
	}
	if reply, found, err := create(t, dir).Find(t.Context(), r); err != nil || !found || !reflect.DeepEqual(reply, documentedReply) {
		t.Errorf("a link inside of the folder: %+v, %v, %v", reply, found, err)
	}
}

// TestOpen: a folder that is not there is an error for who reads it.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir + "/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	write(t, dir+"/file", "")
	for _, open := range []func(string) (*Cassette, error){Open, Create} {
		if _, err := open(dir + "/file"); err == nil {
			t.Error("a file was opened as a folder")
		}
	}
}

// TestFirstWins: of many that record one request at once, in this process and others, all
// answer with the same reply.
func TestFirstWins(t *testing.T) {
	dir, r := t.TempDir(), chat(t, "who is first?")
	replies := make(chan Reply, 64)
	var all sync.WaitGroup
	for process := range 4 {
		c := create(t, dir)
		for i := range cap(replies) / 4 {
			all.Go(func() {
				reply, err := c.Keep(t.Context(), r, Reply{Text: fmt.Sprint(process, i)})
				if err != nil {
					t.Error(err)
				}
				replies <- reply
			})
		}
	}
	all.Wait()
	close(replies)
	kept, found, err := create(t, dir).Find(t.Context(), r)
	if err != nil || !found {
		t.Fatal(found, err)
	}
	for reply := range replies {
		if !reflect.DeepEqual(reply, kept) {
			t.Errorf("answered with %q, recorded is %q", reply.Text, kept.Text)
		}
	}
	onlyFiles(t, dir, r.Name())
}

func onlyFiles(t testing.TB, dir string, want ...string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, want) {
		t.Errorf("the folder holds %q, want %q", names, want)
	}
}

// TestFaultAtN makes every call of the system fail in turn: what Keep and Find say is true
// of the folder afterwards, and no part of a file is left.
func TestFaultAtN(t *testing.T) {
	full := errors.New("the disk is full")
	r := request(t, service, 0, documentedBody)
	for n := 1; ; n++ {
		dir := t.TempDir()
		faults := &doortest.Faults{At: n, Err: full, Short: n%2 == 0}
		found, findErr, err := recordOn(faults, dir, r)
		kept := readBack(t, dir, r)
		switch {
		case faults.Failed() == "":
			if !found || err != nil || findErr != nil {
				t.Fatal(found, err, findErr)
			}
			return
		case found && !kept, err == nil && !kept, err == nil && findErr == nil && !found:
			t.Errorf("%s: found %v, kept %v, %v, %v", faults.Failed(), found, kept, findErr, err)
		case err != nil && !errors.Is(err, full):
			t.Errorf("%s: %v", faults.Failed(), err)
		}
		if list, _ := filepath.Glob(dir + "/c/.cupel-*"); len(list) > 0 {
			t.Errorf("%s: left %q", faults.Failed(), list)
		}
	}
}

// recordOn records a request and looks for it on a faulty disk.
func recordOn(faults *doortest.Faults, dir string, r Request) (found bool, findErr, err error) {
	defer door.Use(faults.Disk(door.System()))()
	c, err := Create(dir + "/c")
	if err != nil {
		return false, err, err
	}
	defer func() { _ = c.Close() }()
	_, err = c.Keep(context.Background(), r, documentedReply)
	_, found, findErr = c.Find(context.Background(), r)
	return found, findErr, err
}

// readBack reports whether a request is recorded, whole.
func readBack(t *testing.T, dir string, r Request) bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "c", r.Name()))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil || string(text) != documented {
		t.Errorf("the file holds %q, %v", text, err)
	}
	return true
}

// TestUnused checks that unused entries are known, and that only they are removed.
func TestUnused(t *testing.T) {
	dir := t.TempDir()
	first := create(t, dir)
	var names []string
	for i := range 6 {
		r := chat(t, fmt.Sprint(i))
		keep(t, first, r, documentedReply)
		names = append(names, r.Name())
	}
	write(t, dir+"/README.md", "ours")
	write(t, dir+"/"+strings.ToUpper(names[0]), "ours")
	if unused, err := first.Unused(); err != nil || len(unused) > 0 {
		t.Errorf("%q, %v: they were just recorded", unused, err)
	}
	second := create(t, dir)
	for _, i := range []int{1, 4, 7} {
		if _, found, err := second.Find(t.Context(), chat(t, fmt.Sprint(i))); err != nil || found != (i < 6) {
			t.Fatal(i, found, err)
		}
	}
	want := []string{names[0], names[2], names[3], names[5]}
	slices.Sort(want)
	if unused, err := second.Unused(); err != nil || !slices.Equal(unused, want) {
		t.Errorf("unused are %q, %v, want %q", unused, err, want)
	}
	if removed, err := second.Prune(); err != nil || !slices.Equal(removed, want) {
		t.Errorf("removed were %q, %v, want %q", removed, err, want)
	}
	left := []string{"README.md", strings.ToUpper(names[0]), names[1], names[4]}
	slices.Sort(left)
	onlyFiles(t, dir, left...)
}

// TestNearest: what is missing is compared with what is most like it.
func TestNearest(t *testing.T) {
	dir := t.TempDir()
	c := create(t, dir)
	if near := c.Nearest(t.Context(), chat(t, "x")); near != "" {
		t.Errorf("in an empty folder: %s", near)
	}
	const delimiter, another = "0123456789abcdef0123456789abcdef", "ffffffffffffffffffffffffffffffff"
	body := func(model, text, mark string) string {
		return fmt.Sprintf(`{"model":%q,"messages":[{"content":%q}]}`, model, "Judge what stands between the marks. "+mark+" "+text+" "+mark)
	}
	refund := "The order was refunded yesterday with 50 dollars, and a letter was sent to the customer."
	weather := "Tomorrow will be sunny in the south, with showers in the north."
	keep(t, c, request(t, service, 0, body("m", refund, delimiter)), documentedReply)
	keep(t, c, request(t, service, 0, body("m", weather, delimiter)), documentedReply)
	keep(t, c, request(t, service, 0, `{"model":"e","input":["The sun"]}`), Reply{Vector: []float32{1}})
	write(t, filepath.Join(dir, chat(t, "damaged").Name()), "{")
	c = create(t, dir) // with the entries
	refundName := request(t, service, 0, body("m", refund, delimiter)).Name()
	for _, d := range []struct {
		asked Request
		want  string
	}{
		{request(t, "http://localhost:1/v1", 0, body("m", refund, delimiter)), refundName + ` differs in /base_url: recorded "https://api.openai.com/v1", asked for "http://localhost:1/v1"`},
		{request(t, service, 3, body("m", refund, delimiter)), refundName + ` differs in /sample: recorded 0, asked for 3`},
		{request(t, service, 0, body("n", refund, delimiter)), refundName + ` differs in /body/model: recorded "m", asked for "n"`},
		{
			request(t, service, 0, body("m", strings.Replace(refund, "50", "45", 1), another)),
			refundName + ` differs in /body/messages/0/content: recorded …refunded yesterday with 50 dollars, and a letter was sent to the customer. …", asked for …refunded yesterday with 45 dollars, and a letter was sent to the customer. …"`,
		},
		{
			request(t, service, 0, body("m", strings.Replace(weather, "Tomorrow", "\u2028::", 1), another)),
			request(t, service, 0, body("m", weather, delimiter)).Name() + ` differs in /body/messages/0/content: recorded … between the marks. … Tomorrow will be sunny in the south, with showers in the north. …", asked for … between the marks. … \u{2028}:: will be sunny in the south, with showers in the north. …"`,
		},
		{
			request(t, service, 0, `{"model":"e","input":["The moon"],"dimensions":3}`),
			request(t, service, 0, `{"model":"e","input":["The sun"]}`).Name() + ` differs in /body/dimensions: recorded nothing, asked for 3; /body/input/0: recorded "The sun", asked for "The moon"`,
		},
	} {
		if near := c.Nearest(t.Context(), d.asked); near != d.want {
			t.Errorf("%s\nwant\n%s", near, d.want)
		}
	}
}

// TestNearestOfLargeTexts: of texts the first part is compared.
func TestNearestOfLargeTexts(t *testing.T) {
	c := create(t, t.TempDir())
	words := strings.Repeat("word ", maxCompared/4)
	keep(t, c, chat(t, words+"yes"), documentedReply)
	if near := c.Nearest(t.Context(), chat(t, words+"not")); !strings.HasSuffix(near, "differs in the text after its first 1048576 bytes") {
		t.Error(near)
	}
	if near := c.Nearest(t.Context(), chat(t, words+"longer")); !strings.Contains(near, "/body/messages/0/content: recorded …") || len(near) > 500 {
		t.Errorf("%.1000s", near)
	}
}

// FuzzDecode: whatever a file holds, it is refused, or is what encode writes.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(documented))
	f.Add([]byte(strings.Replace(documented, `"text": "{\"score\": 0.9}"`, `"vector": "AACAPw=="`, 1)))
	f.Add([]byte(`{"schema":"cupel.cassette/1"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, reply, err := decode(text)
		if err != nil {
			return
		}
		again, err := encode(r, reply)
		if err != nil {
			t.Fatal(err)
		}
		r2, reply2, err := decode(again)
		if err != nil || r2.key != r.key || !reflect.DeepEqual(reply, reply2) {
			t.Fatalf("%s becomes %s: %v", text, again, err)
		}
	})
}

// TestDigest: the digest changes with every byte and name of an entry, with no other file, and after it an entry
// with other bytes is an error.
func TestDigest(t *testing.T) {
	dir := t.TempDir()
	c, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	digests := map[string]bool{}
	sum := func() string {
		t.Helper()
		sum, _, err := c.Digest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		digests[sum.Hex()] = true
		return sum.Hex()
	}
	if got, want := sum(), fmt.Sprintf("%x", sha256.Sum256(nil)); got != want {
		t.Errorf("of nothing: %s, want %s", got, want)
	}
	r, _, err := decode([]byte(documented))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, r.Name())
	for i, write := range []func() error{
		func() error { return os.WriteFile(file, []byte(documented), 0o600) },
		func() error { return os.WriteFile(file, []byte(documented+" "), 0o600) },
		func() error { return os.Rename(file, filepath.Join(dir, strings.Repeat("0", 64)+suffix)) },
		func() error { return os.WriteFile(file, []byte(documented), 0o600) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
		if sum(); len(digests) != i+2 {
			t.Errorf("change %d keeps the digest", i)
		}
	}
	before := sum()
	if err := os.WriteFile(filepath.Join(dir, "notes.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := sum(); got != before {
		t.Errorf("another file: %s, want %s", got, before)
	}
	if _, found, err := c.Find(t.Context(), r); !found || err != nil {
		t.Errorf("%v, %v", found, err)
	}
	if err := os.WriteFile(file, []byte(documented+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Find(t.Context(), r); err == nil || !strings.Contains(err.Error(), "was changed after its digest was checked") {
		t.Errorf("%v", err)
	}
}
