package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/lsp/lsptest"
	"github.com/cupel-dev/cupel/internal/racetest"
)

func TestMain(m *testing.M) {
	racetest.FewerLaws()
	os.Exit(m.Run())
}

var update = flag.Bool("update", false, "write what the server says into the scripts")

// words is a language of words: "bad" is a fault that "good" mends, "panic" has it panic, and
// "hold" has it wait for the end of its context.
type words struct {
	checking chan struct{} // gets one for each check that waits
}

func (l *words) Check(ctx context.Context, doc Document) (list []Diagnostic) {
	for at, word := range wordsOf(doc.Text) {
		switch word {
		case "panic":
			panic("a word that nobody can bear")
		case "hold":
			if l.checking != nil {
				l.checking <- struct{}{}
			}
			<-ctx.Done()
		case "bad":
			fix := &finding.Fix{Title: "write good", Edits: []finding.Edit{{Start: at, End: at + len(word), Text: "good"}}}
			f := finding.Finding{Rule: "word.bad", Severity: finding.Error, Message: "a bad word", Help: "write a good one", Expected: "good", Found: "bad", Fix: fix}
			list = append(list, Diagnostic{f, at, at + len(word)})
		case "poor":
			list = append(list, Diagnostic{finding.Finding{Severity: finding.Info, Message: "a poor word", Notes: []string{"try another one"}}, at, at + len(word)})
		}
	}
	return list
}

func (l *words) Hover(doc Document, at int, found []finding.Finding) (Hover, bool) {
	if strings.Contains(doc.Text, "hover-panic") {
		panic("no hover")
	}
	for start, word := range wordsOf(doc.Text) {
		if start <= at && at <= start+len(word) {
			return Hover{fmt.Sprintf("**%s**: %d", word, len(found)), start, start + len(word)}, true
		}
	}
	return Hover{}, false
}

func (l *words) Complete(_ Document, at int) []Completion {
	return []Completion{{Label: "good", Kind: CompleteMember, Detail: "a word", Markdown: "it *is*", Start: at, End: at, Text: "good"}, {Label: "fine", Start: at, End: at, Text: "fine"}}
}

// Format writes line feeds and has one blank between words.
func (l *words) Format(doc Document) (list []finding.Edit, err error) {
	if strings.Contains(doc.Text, "bad") {
		return nil, errors.New("a bad word has no layout")
	}
	for i := range len(doc.Text) {
		if doc.Text[i] == '\r' || strings.HasPrefix(doc.Text[i:], "  ") {
			list = append(list, finding.Edit{Start: i, End: i + 1})
		}
	}
	return list, nil
}

func (l *words) Symbols(doc Document) (list []Symbol) {
	for at, word := range wordsOf(doc.Text) {
		list = append(list, Symbol{Name: word, Kind: SymbolKey, Start: at, End: at + len(word), NameStart: at, NameEnd: at + 1})
	}
	return list
}

// wordsOf returns the words of a text by the bytes at which they begin.
func wordsOf(text string) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for at := 0; at < len(text); {
			if strings.ContainsRune(" \r\n", rune(text[at])) {
				at++
				continue
			}
			end := strings.IndexAny(text[at:], " \r\n")
			if end < 0 {
				end = len(text) - at
			}
			if !yield(at, text[at:at+end]) {
				return
			}
			at += end
		}
	}
}

// playFile plays the script of a file, and writes the server's messages into it if update is set.
func playFile(t *testing.T, path string, update bool, serve func(r io.Reader, w io.Writer)) {
	t.Helper()
	script, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	played := lsptest.Play(t, string(script), update, serve)
	if update {
		if err := os.WriteFile(path, []byte(played), 0o600); err != nil {
			t.Error(err)
		}
	}
}

// TestScripts plays the scripts of testdata.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.script")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, path := range scripts {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var orderly bool
			var err error
			playFile(t, path, *update, func(r io.Reader, w io.Writer) {
				orderly, err = Serve(context.Background(), r, w, &words{}, Options{Name: "words", Version: "1", Delay: 1})
			})
			if disorderly := strings.Contains(path, "disorderly"); orderly == disorderly {
				t.Errorf("orderly: %v, %v", orderly, err)
			}
			if broken := strings.Contains(path, "broken"); broken != (err != nil) {
				t.Error(err)
			}
		})
	}
}

// session is a client of the language of words.
type session struct {
	*lsptest.Client
	t *testing.T
}

func newSession(t *testing.T, language *words, opt Options, encoding string) *session {
	s := &session{lsptest.Start(func(r io.Reader, w io.Writer) { _, _ = Serve(context.Background(), r, w, language, opt) }), t}
	s.send(`{"id":0,"method":"initialize","params":{"capabilities":{"general":{"positionEncodings":[%q]}}}}`, encoding)
	s.next(`"id":0`)
	return s
}

func (s *session) send(format string, args ...any) {
	s.t.Helper()
	if err := s.Send(fmt.Sprintf(format, args...)); err != nil {
		s.t.Error(err)
	}
}

// next returns the next message, in which a text is.
func (s *session) next(has string) string {
	s.t.Helper()
	got, err := s.Next()
	if err != nil || !strings.Contains(got, has) {
		s.t.Fatalf("%v, %.300s, expected %s", err, got, has)
	}
	return got
}

func (s *session) opens(uri, text string) {
	s.send(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"words","version":1,"text":%s}}}`, uri, encoded(text))
}

// TestEdits: documents that grow by changes of ranges are the same as those that are sent whole,
// in both encodings, for the positions of a naive client.
func TestEdits(t *testing.T) {
	pieces := []string{"a", "bad ", "é", "😀", "\n", "\r\n", "\r", "\ufeff", "\u2028", "\x00"}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, name), "")
		}
		in := rapid.SampledFrom([]Encoding{UTF8, UTF16}).Draw(t, "encoding")
		docs := documents{open: map[string]*document{}}
		var open didOpenParams
		open.TextDocument.Text = draw("text")
		d, whole := docs.put(open), open.TextDocument.Text
		for range rapid.IntRange(1, 5).Draw(t, "messages") {
			var changes []contentChange
			for range rapid.IntRange(1, 3).Draw(t, "changes") {
				by := draw("by")
				if rapid.IntRange(0, 9).Draw(t, "whole") == 0 {
					changes, whole = append(changes, contentChange{Text: by}), by
					continue
				}
				places := placesOf(whole, in)
				from := rapid.IntRange(0, len(places)-1).Draw(t, "from")
				to := rapid.IntRange(from, len(places)-1).Draw(t, "to")
				changes = append(changes, contentChange{&Range{places[from].Position, places[to].Position}, by})
				whole = whole[:places[from].at] + by + whole[places[to].at:]
			}
			docs.change(d, changes, in)
			if d.text.all != whole {
				t.Fatalf("%q, expected %q", d.text.all, whole)
			}
		}
		for _, p := range placesOf(whole, in) {
			if at := d.text.offset(p.Position, in); at != p.at {
				t.Fatalf("%q: %+v is byte %d, expected %d", whole, p.Position, at, p.at)
			}
			if back := d.text.position(p.at, in); back != p.Position {
				t.Fatalf("%q: byte %d is at %+v, expected %+v", whole, p.at, back, p.Position)
			}
		}
		for line := int64(-1); line < 12; line++ { // anything else is somewhere in the text
			for character := int64(-1); character < 12; character++ {
				at := d.text.offset(Position{line, character}, in)
				if p := d.text.position(at, in); d.text.offset(p, in) != at {
					t.Fatalf("%q: %d:%d is byte %d, which is %+v", whole, line, character, at, p)
				}
			}
		}
		if docs.cost != d.cost || d.cost != int64(documentCost+len(whole)) {
			t.Fatalf("costs %d and %d", docs.cost, d.cost)
		}
	})
}

// TestLongLines: positions in lines that have many blocks, for the positions of a naive client.
func TestLongLines(t *testing.T) {
	for _, in := range []Encoding{UTF8, UTF16} {
		for _, piece := range []string{"a", "é", "😀", "a\u2028😀"} {
			text := newText(strings.Repeat(piece, 3*block) + "\n" + strings.Repeat(piece, block))
			for _, p := range placesOf(text.all, in) {
				if at := text.offset(p.Position, in); at != p.at {
					t.Fatalf("%q: %+v is byte %d, expected %d", piece, p.Position, at, p.at)
				}
				if back := text.position(p.at, in); back != p.Position {
					t.Fatalf("%q: byte %d is at %+v, expected %+v", piece, p.at, back, p.Position)
				}
			}
		}
	}
}

// place is a byte with its position.
type place struct {
	Position
	at int
}

// placesOf goes through a text character by character, without an index: it returns the places that a cursor can
// have.
func placesOf(text string, in Encoding) (places []place) {
	var p Position
	for at, r := range text {
		if !(at > 0 && r == '\n' && text[at-1] == '\r') {
			places = append(places, place{p, at})
		}
		switch {
		case r == '\n', r == '\r' && !strings.HasPrefix(text[at+1:], "\n"):
			p = Position{Line: p.Line + 1}
		case r == '\r':
		case in == UTF8:
			p.Character += int64(len(string(r)))
		case r > 0xffff:
			p.Character += 2
		default:
			p.Character++
		}
	}
	return append(places, place{p, len(text)})
}

// TestFormatLaw: the edits that a client gets make of its text what those of the language make.
func TestFormatLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", " ", "\n", "\r\n", "\r", "😀"}), 0, 12).Draw(t, "text"), "")
		in := rapid.SampledFrom([]Encoding{UTF8, UTF16}).Draw(t, "encoding")
		var edits []finding.Edit
		for at := 0; at < len(text); {
			start := rapid.IntRange(at, len(text)).Draw(t, "start")
			end := rapid.IntRange(start, len(text)).Draw(t, "end")
			if isBoundary(text, start) && isBoundary(text, end) {
				edits = append(edits, finding.Edit{Start: start, End: end, Text: rapid.SampledFrom([]string{"", "x", "\n", "\r\n"}).Draw(t, "by")})
			}
			at = end + 1
		}
		want, err := finding.Apply([]byte(text), edits)
		if err != nil {
			t.Fatal(err)
		}
		a := documentRequest{text: newText(text), in: in}
		var back []finding.Edit
		for _, e := range a.edits(edits) {
			back = append(back, finding.Edit{Start: a.text.offset(e.Range.Start, in), End: a.text.offset(e.Range.End, in), Text: e.NewText})
		}
		got, err := finding.Apply([]byte(text), back)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%q with %+v: %q, %v, expected %q", text, edits, got, err, want)
		}
	})
}

func isBoundary(text string, at int) bool { return at == len(text) || text[at]&0xc0 != 0x80 }

// TestDebounce checks that a text is checked once, after a pause in typing; without a pause, it is checked at
// intervals.
func TestDebounce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSession(t, &words{}, Options{}, "utf-8")
		s.opens("file:///a", "")
		s.next(`"version":1,"diagnostics":[]`)
		for version := 2; version < 7; version++ {
			s.send(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a","version":%d},"contentChanges":[{"text":"bad %d"}]}}`, version, version)
		}
		s.next(`"version":6,"diagnostics":[{`)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for version := 7; ; version++ { // a key that is held down
				s.send(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a","version":%d},"contentChanges":[{"text":"bad %d"}]}}`, version, version)
				time.Sleep(defaultDelay / 2)
				if version == 60 {
					return
				}
			}
		}()
		s.next(`"version":`)
		s.next(`"version":`)
		<-ended
		for !strings.Contains(s.next(`"version":`), `"version":60`) {
		}
		s.Rest()
	})
}

// TestCancelledCheck: an edit ends the check that is under way.
func TestCancelledCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &words{checking: make(chan struct{})}
		s := newSession(t, l, Options{}, "utf-8")
		s.opens("file:///a", "hold")
		<-l.checking
		s.send(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a","version":2},"contentChanges":[{"text":"bad"}]}}`)
		s.next(`"version":2,"diagnostics":[{`)
		s.Rest()
	})
}

// TestCancelRequest: a request that waits is answered at once when it is cancelled.
func TestCancelRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &words{checking: make(chan struct{})}
		s := newSession(t, l, Options{}, "utf-8")
		s.opens("file:///a", "hold")
		<-l.checking // which holds the turn
		s.send(`{"id":"h","method":"textDocument/formatting","params":{"textDocument":{"uri":"file:///a"}}}`)
		synctest.Wait()
		s.send(`{"method":"$/cancelRequest","params":{"id":"h"}}`)
		s.next(`"id":"h","error":{"code":-32800`)
		s.send(`{"method":"exit"}`)
		s.Rest()
	})
}

// TestLarge: a text beyond the limit is not kept, and that is said; one that becomes smaller is
// checked again.
func TestLarge(t *testing.T) {
	s := newSession(t, &words{}, Options{Delay: 1}, "utf-16")
	defer s.Rest()
	s.opens("file:///large", strings.Repeat("bad ", 10<<20/4))
	s.next(`the document has 10485760 bytes, more than the 4194304 that are checked`)
	s.send(`{"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///large"},"position":{"line":0,"character":0}}}`)
	s.next(`"error":{"code":-32803,"message":"the document has`)
	s.send(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///large","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":""}]}}`)
	s.next(`"version":2,"diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"severity":2,"source":"cupel","message":"the document has`)
	s.send(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///large","version":3},"contentChanges":[{"text":"bad"}]}}`)
	s.next(`"version":3,"diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":3}},"severity":1,"code":"word.bad"`)
}

// TestManyDocuments checks that the documents also have a common limit, and that closing one frees its share.
func TestManyDocuments(t *testing.T) {
	docs := documents{open: map[string]*document{}}
	var last *document
	number := 0
	for last == nil || last.text != nil {
		var p didOpenParams
		p.TextDocument.URI, p.TextDocument.Text = fmt.Sprint(number), strings.Repeat("x", MaxDocument)
		last = docs.put(p)
		number++
	}
	if number != maxOpen/MaxDocument || !strings.Contains(last.problem, "together") {
		t.Errorf("%d documents, %q", number, last.problem)
	}
	docs.close("0")
	docs.set(last, newText("x"))
	if last.text == nil {
		t.Error("no room is made")
	}
	for i := range number {
		docs.close(fmt.Sprint(i))
	}
	if docs.cost != 0 || len(docs.open) != 0 {
		t.Errorf("%d bytes are still open", docs.cost)
	}
}

// TestTooManyChanges: a message cannot keep the server busy for ever.
func TestTooManyChanges(t *testing.T) {
	docs := documents{open: map[string]*document{}}
	var p didOpenParams
	p.TextDocument.Text = strings.Repeat("x", MaxDocument)
	d := docs.put(p)
	changes := make([]contentChange, 2000)
	for i := range changes {
		changes[i] = contentChange{Range: &Range{}, Text: ""}
	}
	docs.change(d, changes, UTF8)
	if d.text != nil || !strings.Contains(d.problem, "too many changes") {
		t.Errorf("%q", d.problem)
	}
	docs.change(d, []contentChange{{Text: "anew"}}, UTF8)
	if d.text == nil || d.text.all != "anew" || docs.cost != d.cost {
		t.Errorf("%+v, cost %d", d, docs.cost)
	}
}

// TestSurrogates: halves of surrogate pairs in a text are characters of one unit.
func TestSurrogates(t *testing.T) {
	s := newSession(t, &words{}, Options{Delay: 1}, "utf-16")
	defer s.Rest()
	s.send(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a","version":1,"text":"\ud83d \ude00 😀 bad"}}}`)
	s.next(`"start":{"line":0,"character":7},"end":{"line":0,"character":10}`)
	s.send(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":5},"end":{"line":0,"character":6}},"text":""}]}}`)
	s.next(`"start":{"line":0,"character":5},"end":{"line":0,"character":8}`) // within a pair is before it
}

// BenchmarkTyping is from a key to the diagnostics of a text of 20 KB, without the delay.
func BenchmarkTyping(b *testing.B) {
	text := strings.Repeat("a word and a bad one\n", 1000)
	d := documents{open: map[string]*document{}}
	var p didOpenParams
	p.TextDocument.Text = text
	doc, l := d.put(p), &words{}
	at := Position{Line: 500, Character: 3}
	for b.Loop() {
		d.change(doc, []contentChange{{Range: &Range{at, at}, Text: "x"}, {Range: &Range{at, Position{500, 4}}}}, UTF16)
		list := converted(doc.text, l.Check(context.Background(), doc.snapshot()), UTF16)
		if _, err := json.Marshal(list); err != nil {
			b.Fatal(err)
		}
	}
}
