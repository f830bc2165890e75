// Package bundletest writes valid and broken evidence bundles for tests from recipes. It uses only
// the standard library, to stay independent of the packages under test.
package bundletest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Recipe lists how a bundle differs from a valid one.
type Recipe struct {
	Events  int                        `json:"events"`  // default 3, -1 for none
	Set     map[string]json.RawMessage `json:"set"`     // "2/assayseq" of event 2: new values or members
	Drop    []string                   `json:"drop"`    // "2/assayseq": members to omit
	Stale   bool                       `json:"stale"`   // keep the hashes of the unchanged events
	Lines   []string                   `json:"lines"`   // replaces the lines; "=2" is event 2
	Replace [][2]string                `json:"replace"` // in the lines, each once
	End     *string                    `json:"end"`     // line ending, default line feed
	Last    *string                    `json:"last"`    // after the last line, default End

	Manifest     map[string]json.RawMessage `json:"manifest"`      // "files/events.ndjson/bytes": new values
	ManifestDrop []string                   `json:"manifest_drop"` // members to omit
	ManifestText *string                    `json:"manifest_text"` // replaces the manifest

	Members []Member `json:"members"`  // default: the manifest and the events
	TarCut  int      `json:"tar_cut"`  // bytes to cut from the end of the tar
	TarMore string   `json:"tar_more"` // hexadecimal bytes after the tar
	Cut     int      `json:"cut"`      // bytes to cut from the end of the file
	More    string   `json:"more"`     // hexadecimal bytes after the file
	Patch   []string `json:"patch"`    // "12=ff": bytes of the file, counted from its end if negative
	File    *string  `json:"file"`     // replaces the file, hexadecimal
	Stored  bool     `json:"stored"`   // gzip without compression
}

// Member is a tar member.
type Member struct {
	Name string `json:"name"`
	Type string `json:"type"` // type flag, default "0"
	Link string `json:"link"`
	Of   string `json:"of"` // content: "manifest", "events" or, if empty, Text
	Text string `json:"text"`
	Zero int    `json:"zero"` // number of zero bytes to append
	Pax  bool   `json:"pax"`  // write the name in a PAX header
}

// Event returns event seq of a run.
func Event(seq int) map[string]any {
	e := map[string]any{
		"specversion": "1.0", "type": "assay.fs.access", "source": "urn:example:runner:1", "id": fmt.Sprintf("run_a:%d", seq),
		"time": fmt.Sprintf("2026-03-02T09:00:%02dZ", seq%60), "datacontenttype": "application/json", "subject": fmt.Sprintf("~/**/file-%d", seq),
		"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
		"assayrunid":  "run_a", "assayseq": seq, "assayproducer": "assay", "assayproducerversion": "3.10.0", "assaygit": "0123abc",
		"assaypii": false, "assaysecrets": false, "data": map[string]any{"hits": seq},
	}
	e["assaycontenthash"] = ContentHash(e)
	return e
}

// ContentHash returns the content hash of an event that contains only ASCII strings and small integers.
func ContentHash(event map[string]any) string {
	input := map[string]any{}
	for _, name := range []string{"data", "datacontenttype", "specversion", "subject", "type"} {
		if value, there := event[name]; there && (name == "data" || string(Compact(value)) != "null") {
			input[name] = value
		}
	}
	return Digest(Compact(input))
}

func Digest(text []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(text)) }

// Compact returns JSON without white space and with sorted names.
func Compact(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}

// Stream returns the text of the events.
func (r *Recipe) Stream() []byte {
	end := text(r.End, "\n")
	var b strings.Builder
	lines := r.lines()
	for i, line := range lines {
		b.WriteString(line)
		if i == len(lines)-1 {
			end = text(r.Last, end)
		}
		b.WriteString(end)
	}
	stream := b.String()
	for _, change := range r.Replace {
		if !strings.Contains(stream, change[0]) {
			panic("nothing to replace: " + change[0])
		}
		stream = strings.Replace(stream, change[0], change[1], 1)
	}
	return []byte(stream)
}

func text(given *string, otherwise string) string {
	if given != nil {
		return *given
	}
	return otherwise
}

func (r *Recipe) lines() (lines []string) {
	events := make([]string, r.count())
	for i := range events {
		events[i] = string(Compact(r.event(i)))
	}
	if r.Lines == nil {
		return events
	}
	for _, line := range r.Lines {
		if number, isEvent := strings.CutPrefix(line, "="); isEvent {
			i, err := strconv.Atoi(number)
			if err != nil {
				panic(err)
			}
			line = events[i]
		}
		lines = append(lines, line)
	}
	return lines
}

func (r *Recipe) count() int {
	switch {
	case r.Events == 0:
		return 3
	case r.Events < 0:
		return 0
	}
	return r.Events
}

func (r *Recipe) event(i int) map[string]any {
	e := Event(i)
	prefix := strconv.Itoa(i) + "/"
	hash := true
	for key, value := range r.Set {
		if name, mine := strings.CutPrefix(key, prefix); mine {
			e[name] = value
			hash = hash && name != "assaycontenthash"
		}
	}
	for _, key := range r.Drop {
		if name, mine := strings.CutPrefix(key, prefix); mine {
			delete(e, name)
			hash = hash && name != "assaycontenthash"
		}
	}
	if hash && !r.Stale {
		e["assaycontenthash"] = ContentHash(e)
	}
	return e
}

// ManifestOf returns the correct manifest of a stream. Unreadable events are ignored.
func ManifestOf(stream []byte) map[string]any {
	root := sha256.New()
	count := 0
	run := any("run_a")
	for line := range bytes.Lines(stream) {
		count++
		var e map[string]any
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.UseNumber()
		if decoder.Decode(&e) != nil {
			continue
		}
		if hash, ok := e["assaycontenthash"].(string); ok {
			fmt.Fprintln(root, hash)
		}
		if count == 1 && e["assayrunid"] != nil {
			run = e["assayrunid"]
		}
	}
	sum := fmt.Sprintf("sha256:%x", root.Sum(nil))
	return map[string]any{
		"schema_version": 1, "bundle_id": sum, "run_root": sum, "run_id": run, "event_count": count,
		"producer":   map[string]any{"name": "assay", "version": "3.10.0", "git": "0123abc"},
		"algorithms": map[string]any{"canon": "jcs-rfc8785", "hash": "sha256", "root": `sha256(concat(content_hash + "\n"))`},
		"files":      map[string]any{"events.ndjson": map[string]any{"path": "events.ndjson", "bytes": len(stream), "sha256": Digest(stream)}},
	}
}

func (r *Recipe) manifest(stream []byte) []byte {
	if r.ManifestText != nil {
		return []byte(*r.ManifestText)
	}
	m := ManifestOf(stream)
	for path, value := range r.Manifest {
		object, name := within(m, path)
		object[name] = value
	}
	for _, path := range r.ManifestDrop {
		object, name := within(m, path)
		delete(object, name)
	}
	return Compact(m)
}

// within returns the object at path's parent and the last name of path.
func within(object map[string]any, path string) (map[string]any, string) {
	names := strings.Split(path, "/")
	for _, name := range names[:len(names)-1] {
		object = object[name].(map[string]any)
	}
	return object, names[len(names)-1]
}

// Bundle returns the bundle file.
func (r *Recipe) Bundle() []byte {
	if r.File != nil {
		return unhex(*r.File)
	}
	stream := r.Stream()
	archive := r.tar(stream, r.manifest(stream))
	archive = append(archive[:len(archive)-r.TarCut], unhex(r.TarMore)...)
	level := gzip.DefaultCompression
	if r.Stored {
		level = gzip.NoCompression
	}
	file := Gzip(archive, level)
	for _, patch := range r.Patch {
		at, value, _ := strings.Cut(patch, "=")
		i, err := strconv.Atoi(at)
		if err != nil {
			panic(err)
		}
		if i < 0 {
			i += len(file)
		}
		copy(file[i:], unhex(value))
	}
	return append(file[:len(file)-r.Cut], unhex(r.More)...)
}

// Gzip compresses like bundles: without name and time.
func Gzip(text []byte, level int) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

func unhex(digits string) []byte {
	b, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return b
}

func (r *Recipe) tar(stream, manifest []byte) []byte {
	members := r.Members
	if members == nil {
		members = []Member{{Name: "manifest.json", Of: "manifest"}, {Name: "events.ndjson", Of: "events"}}
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		body := []byte(m.Text)
		switch m.Of {
		case "manifest":
			body = manifest
		case "events":
			body = stream
		}
		body = slices.Concat(body, make([]byte, m.Zero))
		header := &tar.Header{Name: m.Name, Typeflag: tar.TypeReg, Linkname: m.Link, Mode: 0o644, Size: int64(len(body)), Format: tar.FormatGNU}
		if m.Type != "" {
			header.Typeflag = m.Type[0]
		}
		if m.Pax {
			header.Format, header.PAXRecords = tar.FormatPAX, map[string]string{"comment": "x"}
		}
		if header.Typeflag != tar.TypeReg {
			header.Size, body = 0, nil
		}
		if err := w.WriteHeader(header); err != nil {
			panic(err)
		}
		if _, err := w.Write(body); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
