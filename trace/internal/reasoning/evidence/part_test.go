package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// check gives the events of blocks of lines to the parts of this package.
func check(t interface {
	rapid.TB
	Context() context.Context
}, files folder.Files, blocks ...[]string,
) ([]finding.Finding, error) {
	t.Helper()
	findings := stream.NewFindings(1_000)
	sink := &fault.Sink{Findings: findings, Log: &fault.Log{}}
	opt := Options{Reader: NewReader(files, &fault.Log{}, folder.NewReaders(t.Context(), 2)), Held: 10}
	part, form := New(sink, opt, &State{}), NewForm(sink)
	store := format.NewBlocks(10)
	reader := format.NewReader(format.Options{Versions: []int64{1}}, store)
	number := 0
	for _, lines := range blocks {
		for _, text := range lines {
			doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			number++
			reader.Line(stream.Line{Number: number, Bytes: []byte(text)}, doc.Root())
		}
		b := reader.Flush()
		read := opt.Reader.Read(b)
		findings.Merge(b.Faults)
		part.BeginBlock(read)
		for i := range b.Records {
			form.Take(b.Event(&b.Records[i]))
			part.Take(b.Event(&b.Records[i]))
		}
		if err := part.EndBlock(); err != nil {
			return nil, err
		}
		store.Put(b)
	}
	if err := errors.Join(form.Finish(), part.Finish()); err != nil {
		return nil, err
	}
	list, _, _, _ := findings.Close()
	return list, nil
}

// register returns an event that registers a piece of evidence.
func register(id, path, text string) string {
	return fmt.Sprintf(`{"idx":1,"kind":"evidence_registered","step_id":"s1","evidence":{"id":%q,"uri":"mem://1","span":[0,%d],"sha256":%q,"chunk_id":%q,"content_path":%q}}`,
		id, len(text), reasoningtest.Hash(text), reasoningtest.Hash(text), path)
}

// cite returns an event that cites bytes of evidence; "" names none.
func cite(id string, from, to int, quote string) string {
	ref := ""
	if id != "" {
		ref = fmt.Sprintf(`"ref_id":%q,`, id)
	}
	return fmt.Sprintf(`{"idx":2,"kind":"claim_emitted","step_id":"s1","claim":{"claim_type":"assumed","supports":[{%s"span":[%d,%d],"snippet_sha256":%q}]}}`,
		ref, from, to, reasoningtest.Hash(quote))
}

func rules(list []finding.Finding) (ids []string) {
	for _, f := range list {
		ids = append(ids, f.Rule)
	}
	return ids
}

// TestExplanations damages one citation or one file and reads what may have happened.
func TestExplanations(t *testing.T) {
	const document = "Größe: 3 m\nGewicht: 40 kg\n"
	crlf := strings.ReplaceAll(document, "\n", "\r\n")
	for name, c := range map[string]struct {
		registered, onDisk string
		claim              string
		rule               string
		note               string
	}{
		"characters":        {document, document, cite("e1", 0, 10, "Größe: 3 m"), "hash.snippet", "would match as character offsets: in bytes the span is [0,12]"},
		"UTF-16":            {"😀 b c", "😀 b c", cite("e1", 0, 4, "😀 b"), "hash.snippet", "would match as UTF-16 offsets: in bytes the span is [0,6]"},
		"shifted":           {document, document, cite("e1", 16, 24, "Gewicht:"), "hash.snippet", "would match shifted by -3: the span is [13,21]"},
		"whole file":        {document, document, cite("e1", 0, 99, document), "span.out_of_bytes", "would match as the whole file"},
		"last byte in":      {document, document, cite("e1", 13, 19, "Gewicht"), "hash.snippet", "would match with the end included: a span ends before its second number"},
		"span of CRLF":      {document, document, cite("e1", 14, 21, "Gewicht"), "hash.snippet", "would match with CRLF line ends: the file was rewritten with LF"},
		"span of LF":        {crlf, crlf, cite("e1", 13, 20, "Gewicht"), "hash.snippet", "would match with LF line ends: the file was rewritten with CRLF"},
		"CRLF on disk":      {document, crlf, cite("e1", 13, 20, "Gewicht"), "hash.evidence", "would match with LF line ends: the file was rewritten with CRLF"},
		"LF on disk":        {crlf, document, cite("e1", 14, 21, "Gewicht"), "hash.evidence", "would match with CRLF line ends: the file was rewritten with LF"},
		"newline added":     {document, document + "\n", cite("e1", 13, 20, "Gewicht"), "hash.evidence", "would match without the final line end, which was added"},
		"newline removed":   {document, strings.TrimSuffix(document, "\n"), cite("e1", 13, 20, "Gewicht"), "hash.evidence", "would match with a final newline, which was removed"},
		"byte order mark":   {document, "\ufeff" + document, cite("e1", 13, 20, "Gewicht"), "hash.evidence", "would match without the byte order mark, which was added"},
		"mark removed":      {"\ufeff" + document, document, cite("e1", 13, 20, "Gewicht"), "hash.evidence", "would match with a byte order mark, which was removed"},
		"cut":               {document, document[:20], cite("e1", 0, 5, "Grö\xc3"), "hash.evidence", "the file has 20 bytes, the evidence's span 28"},
		"some other words":  {document, document, cite("e1", 0, 5, "Breite"), "hash.snippet", ""},
		"too large to tell": {document, document + strings.Repeat("x", maxExplained), cite("e1", 0, 5, "Breite"), "hash.snippet", ""},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := check(t, &fstest.MapFS{"e1.txt": {Data: []byte(c.onDisk)}}, []string{register("e1", "e1.txt", c.registered), c.claim})
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(list, func(f finding.Finding) bool { return f.Rule == c.rule })
			if i < 0 {
				t.Fatalf("no %s: %+v", c.rule, list)
			}
			if got := strings.Join(list[i].Notes, "; "); got != c.note {
				t.Errorf("note %q, want %q", got, c.note)
			}
		})
	}
}

// TestCitations tries what registrations and citations can be, in one block and in two.
func TestCitations(t *testing.T) {
	text := strings.Repeat("All bytes count. ", 10)
	large := strings.Repeat(text, 500)
	files := &fstest.MapFS{"a/e1.txt": {Data: []byte(text)}, "odd": {Data: []byte(text)}, "large": {Data: []byte(large)}, "empty": {}}
	within := strings.Replace(register("e1", "a/e1.txt", text), fmt.Sprintf(`[0,%d]`, len(text)), "[4,9]", 1)
	chunkOf := func(line, file, chunk string) string {
		return strings.Replace(line, `"chunk_id":"`+reasoningtest.Hash(file), `"chunk_id":"`+reasoningtest.Hash(chunk), 1)
	}
	within = chunkOf(within, text, text[4:9])
	tail := chunkOf(strings.Replace(register("e1", "a/e1.txt", text), fmt.Sprintf(`[0,%d]`, len(text)), fmt.Sprintf(`[4,%d]`, len(text)), 1), text, text[4:])
	deep := strings.Replace(register("e1", "large", large), fmt.Sprintf(`[0,%d]`, len(large)), "[70000,70010]", 1)
	edit := func(line, from, to string) string {
		if !strings.Contains(line, from) {
			t.Fatalf("%s does not hold %s", line, from)
		}
		return strings.Replace(line, from, to, 1)
	}
	hash := reasoningtest.Hash(text[:3])
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"whole":              {[]string{register("e1", "./a//e1.txt", text), cite("e1", 0, len(text), text)}, nil},
		"part":               {[]string{register("e1", "a/e1.txt", text), cite("e1", 4, 9, text[4:9])}, nil},
		"path without id":    {[]string{register("e1", "odd", text), cite("e1", 4, 9, text[4:9])}, nil},
		"part of a document": {[]string{within, cite("e1", 4, 9, text[4:9])}, nil},
		"outside the chunk":  {[]string{within, cite("e1", 3, 9, text[3:9])}, []string{"span.out_of_bytes"}},
		"up to the end":      {[]string{tail, cite("e1", 4, len(text), text[4:])}, nil},
		"before the tail":    {[]string{tail, cite("e1", 3, 9, text[3:9])}, []string{"span.out_of_bytes"}},
		"another chunk":      {[]string{chunkOf(register("e1", "odd", text), text, text[4:9])}, []string{"hash.chunk"}},
		"the file's id":      {[]string{chunkOf(within, text[4:9], text)}, []string{"hash.chunk"}},
		"chunk of no digits": {[]string{edit(register("e1", "odd", text), `"chunk_id":"`, `"chunk_id":"x`)}, []string{"hash.format"}},
		"chunk of no file":   {[]string{chunkOf(edit(register("e1", "odd", text), reasoningtest.Hash(text), reasoningtest.Hash("")), text, "")}, []string{"hash.evidence"}},
		"chunk far within":   {[]string{chunkOf(deep, large, large[70_000:70_010])}, nil},
		"another far within": {[]string{chunkOf(deep, large, large[70_000:70_011])}, []string{"hash.chunk"}},
		"large":              {[]string{register("e1", "large", large), cite("e1", 70_000, 70_010, large[70_000:70_010])}, nil},
		"twice":              {[]string{register("e1", "odd", text), register("e1", "odd", text)}, []string{"ref.evidence_duplicate"}},
		"unsafe":             {[]string{register("e1", "../odd", text), cite("e1", 4, 9, text[4:9])}, []string{"path.unsafe"}},
		"not there":          {[]string{register("e1", "e2.txt", text), cite("e1", 4, 9, text[4:9])}, []string{"path.missing_file"}},
		"a folder":           {[]string{register("e1", "a", text)}, []string{"path.not_regular"}},
		"the folder":         {[]string{register("e1", ".", text)}, []string{"path.not_regular"}},
		"unknown":            {[]string{cite("e1", 0, 3, text[:3])}, []string{"ref.evidence_unknown"}},
		"later":              {[]string{cite("e1", 0, 3, text[:3]), register("e1", "odd", text)}, []string{"ref.evidence_later"}},
		"reversed":           {[]string{register("e1", "odd", text), cite("e1", 3, 0, text[:3])}, []string{"span.malformed"}},
		"no range":           {[]string{edit(register("e1", "odd", text), fmt.Sprintf(`[0,%d]`, len(text)), "[9,4]")}, []string{"span.malformed"}},
		"too long a span":    {[]string{edit(register("e1", "odd", text), fmt.Sprintf(`[0,%d]`, len(text)), "[0,999]")}, []string{"span.evidence_mismatch"}},
		"no hash":            {[]string{edit(register("e1", "odd", text), reasoningtest.Hash(text), "0A")}, []string{"hash.format"}},
		"no snippet":         {[]string{register("e1", "odd", text), edit(cite("e1", 0, 3, text[:3]), hash, "0A")}, []string{"hash.format"}},
		"out, no snippet":    {[]string{register("e1", "odd", text), edit(cite("e1", 0, 999, text[:3]), hash, "0A")}, []string{"span.out_of_bytes", "hash.format"}},
		"other algorithm":    {[]string{register("e1", "odd", text), edit(cite("e1", 0, 3, "x"), `"span"`, `"hash_algo":"md5","span"`)}, []string{"hash.algo_unsupported"}},
		"claim":              {[]string{edit(cite("c1", 0, 3, "x"), `"span"`, `"kind":"claim","span"`)}, []string{"support.hash_not_checkable"}},
		"other kind":         {[]string{edit(cite("c1", 0, 3, "x"), `"span"`, `"kind":"guess","span"`)}, []string{"support.kind_unknown"}},
		"bare":               {[]string{register("e0", "large", large), register("e1", "odd", text), cite("", 4, 9, text[4:9])}, []string{"support.found_by_hash"}},
		"bare, not there":    {[]string{register("e1", "odd", text), cite("", 4, 9, "x")}, []string{"hash.snippet"}},
		"bare, beyond":       {[]string{register("e1", "odd", text), cite("", 0, 999, "x")}, []string{"hash.snippet"}},
	} {
		t.Run(name, func(t *testing.T) {
			together, err := check(t, files, c.lines)
			if err != nil {
				t.Fatal(err)
			}
			got := rules(together)
			slices.Sort(got)
			want := slices.Clone(c.want)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
			apart := make([][]string, len(c.lines))
			for i, l := range c.lines {
				apart[i] = []string{l}
			}
			if two, err := check(t, files, apart...); err != nil || len(two) != len(together) {
				t.Errorf("each line a block: %v, %v; want %v", rules(two), err, want)
			}
			if unread, err := check(t, nil, c.lines); err != nil || len(unread) > len(want) {
				t.Errorf("without files: %v, %v", rules(unread), err)
			}
		})
	}
}

// TestSupportsWithoutReference cites evidence by its bytes alone: a recent one is found
// and named, one that is too long ago is not, and the finding says how far the search
// went.
func TestSupportsWithoutReference(t *testing.T) {
	const n = 1_500
	files, lines := fstest.MapFS{}, []string(nil)
	body := func(i int) string { return fmt.Sprintf("evidence number %04d", i) }
	for i := range n {
		path := fmt.Sprintf("e/%d.txt", i)
		files[path] = &fstest.MapFile{Data: []byte(body(i))}
		lines = append(lines, register(fmt.Sprintf("id-%d", i), path, body(i)))
	}
	for _, i := range []int{n - 1, n - 1_000, 0} {
		lines = append(lines, cite("", 9, 20, body(i)[9:20]))
	}
	for _, blocks := range [][][]string{{lines}, {lines[:700], lines[700:1_400], lines[1_400:]}, {lines[:n], lines[n:]}} {
		list, err := check(t, &files, blocks...)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range list {
			got = append(got, fmt.Sprintf("%s %s %v", f.Rule, f.Message, f.Notes))
		}
		slices.Sort(got)
		want := []string{
			`hash.snippet no evidence before the claim has these bytes at [9,20] [the support names no evidence only the latest 1024 evidence files were searched: name the evidence with "ref_id"]`,
			`support.found_by_hash the support names no evidence; its bytes are those of "id-1499" []`,
			`support.found_by_hash the support names no evidence; its bytes are those of "id-500" []`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("in %d blocks: got\n%s\nwant\n%s", len(blocks), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestManyFiles cites files of a block beyond what it keeps in memory.
func TestManyFiles(t *testing.T) {
	text := strings.Repeat("0123456789abcdef", 3<<10) // 48 KiB
	files, lines := fstest.MapFS{}, []string(nil)
	for i := range keepBytes/len(text) + 10 {
		id := fmt.Sprintf("e%d", i)
		files[id] = &fstest.MapFile{Data: []byte(text)}
		lines = append(lines, register(id, id, text), cite(id, 5, 10, text[5:10]))
	}
	if list, err := check(t, &files, lines); err != nil || len(list) > 0 {
		t.Errorf("%v, %v", rules(list), err)
	}
}

// failing is a folder whose files cannot be read.
type failing struct {
	open  error // of Open; nil: reading fails
	after int   // reads that succeed
}

// failingText is too long for its content to be kept.
var failingText = strings.Repeat("abc", keepFile)

var errDisk = errors.New("the disk is gone")

func (f *failing) Open(name string) (fs.File, error) {
	if f.open != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: f.open}
	}
	file, err := fstest.MapFS{name: {Data: []byte(failingText)}}.Open(name)
	if f.after--; f.after >= 0 {
		return file, err
	}
	return broken{file}, err
}

func (f *failing) Lstat(string) (fs.FileInfo, error) { return nil, fs.ErrNotExist }

type broken struct{ fs.File }

func (broken) Read([]byte) (int, error) { return 0, errDisk }

// TestUnreadableEvidence distinguishes evidence that is missing from evidence that the machine could not read.
func TestUnreadableEvidence(t *testing.T) {
	event := register("e1", "e1", failingText)
	list, err := check(t, &failing{open: fs.ErrPermission}, []string{event})
	if err != nil || !slices.Equal(rules(list), []string{"path.missing_file"}) || !strings.Contains(list[0].Message, "permission denied") {
		t.Errorf("no permission: %v, %v", list, err)
	}
	if _, err := check(t, &failing{}, []string{event}); !errors.Is(err, errDisk) {
		t.Errorf("a disk that fails: %v", err)
	}
	for _, ref := range []string{"e1", ""} {
		if _, err := check(t, &failing{after: 1}, []string{event}, []string{cite(ref, 0, 2, "ab")}); !errors.Is(err, errDisk) {
			t.Errorf("a disk that fails at a citation of %q: %v", ref, err)
		}
	}
}

// TestRejected reads nothing more once the trace is rejected.
func TestRejected(t *testing.T) {
	findings := stream.NewFindings(1)
	sink := &fault.Sink{Findings: findings, Log: &fault.Log{}, Before: true}
	reader := NewReader(&failing{}, &fault.Log{}, folder.NewReaders(t.Context(), 1))
	part := New(sink, Options{Reader: reader}, &State{})
	e := &format.Event{Kind: format.EvidenceRegistered, Evidence: format.Evidence{Path: format.Text{Bytes: []byte("e1")}}}
	files := &Files{reader: reader}
	files.list(e)
	part.BeginBlock(files)
	part.register(e)
	if err := part.EndBlock(); err != nil || len(files.all) > 0 {
		t.Errorf("%v, %d files are left", err, len(files.all))
	}
	if part.IDs() != 1 {
		t.Errorf("%d ids", part.IDs())
	}
}

// TestGrowingFile reads a file that has more bytes than it said.
func TestGrowingFile(t *testing.T) {
	var task file
	reader := NewReader(nil, &fault.Log{}, folder.NewReaders(t.Context(), 1))
	if err := task.hash(reader, bytes.NewReader([]byte("abcdef")), 2); err != nil || task.size != 6 || task.sum != digest.Of([]byte("abcdef")) {
		t.Errorf("%d bytes, %s, %v", task.size, task.sum, err)
	}
}

func TestManyForms(t *testing.T) {
	var p paths
	p.ready()
	for i := range maxForms + 10 {
		id, path := fmt.Sprintf("id%d", i), fmt.Sprintf("folder%d/id%d", i, i)
		if got := p.of(uint32(i), p.form(uint32(i), path, id), id); got != path {
			t.Fatalf("%s became %s", path, got)
		}
	}
	if len(p.Odd) != 10 {
		t.Errorf("%d paths are kept in full", len(p.Odd))
	}
}
