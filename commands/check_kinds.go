package commands

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/unpack"
	"github.com/cupel-dev/cupel/internal/walk"
)

// kind is what check takes a file for.
type kind int

const (
	kindNone     kind = iota // it is passed over
	kindTrace                // a reasoning trace or a session log
	kindEvidence             // a bundle, a stream or an event
	kindDocument             // OATF
	kindDialog               // a trace of the attest protocol
	kindSuite                // of assertions, which cupel.yaml pairs with traces
)

// identified is what a file looks like.
type identified struct {
	kind    kind
	guessed bool   // for having no readable record: its name says it
	why     string // it is passed over
	unknown bool   // … but may be a record
	err     error  // it could not be looked into
}

// inRun is what the file is that lies in the folder of a reasoning run: one in which nothing can
// be read is rather one of the run's than a trace or a stream of its own.
func (s identified) inRun(run string) identified {
	switch {
	case s.guessed:
		return unknownTo("it has no readable record, and lies in the run " + run)
	case s.kind == kindNone && !s.unknown:
		s.why = "it is a file in the run " + run
	}
	return s
}

func isNoRecord(why string) identified { return identified{kind: kindNone, why: why} }

// unknownTo is a file that is passed over for the reason, and may be a record.
func unknownTo(why string) identified { return identified{kind: kindNone, why: why, unknown: true} }

// teller tells the kinds of record apart: by the name and by one record in the beginning of the
// file, whichever it is, so that one that was edited hides nothing. It is safe for concurrent use.
type teller struct {
	packed  *packedInput
	changed bool
}

func (t *teller) tell(in walk.Input) identified {
	switch {
	case in.Failed() != nil:
		return identified{err: in.Failed()}
	case path.Base(in.Name) == runFile:
		return identified{kind: kindTrace}
	case path.Base(in.Name) == config.Name:
		return isNoRecord("it configures cupel")
	case namedLike(in.Name, bundleFiles):
		return t.archive(in)
	case namedLike(in.Name, jsonLines, unpack.Extensions...):
		return t.lines(in)
	case namedLike(in.Name, yamlFiles):
		return t.document(in)
	case namedLike(in.Name, jsonFiles):
		return t.value(in)
	case in.Explicit && !t.changed:
		return t.whatever(in)
	}
	return isNoRecord("no record has such a name")
}

// whatever tells a file that was named, whatever its name.
func (t *teller) whatever(in walk.Input) identified {
	if in.Size < 0 {
		return isNoRecord("it can be read only once")
	}
	is := isNoRecord("")
	for _, tell := range []func(walk.Input) identified{t.lines, t.value, t.document} {
		if is = tell(in); is.err != nil || is.kind != kindNone && !is.guessed {
			return is
		}
	}
	return isNoRecord("neither its name nor what it begins with is of a known kind")
}

// archive tells a bundle of evidence from other archives.
func (t *teller) archive(in walk.Input) (is identified) {
	is.err = in.Packed(source.Gzip).Peek(func(r io.Reader) {
		text := unpack.New(t.packed.env.Context, io.NopCloser(r), source.Gzip, 0)
		defer func() { _ = text.Close() }() // opened for reading: nothing can be lost
		first, err := tar.NewReader(io.LimitReader(text, probeBytes)).Next()
		members := []string{bundle.ManifestName, bundle.EventsName}
		switch {
		case err != nil:
			is.kind, is.guessed = kindEvidence, true
		case slices.Contains(members, path.Clean(first.Name)):
			is.kind = kindEvidence
		default:
			is = unknownTo(fmt.Sprintf("an archive that begins with %q, while a bundle of evidence begins with %s", first.Name, bundle.ManifestName))
		}
	})
	return is
}

// lines tells JSON lines.
func (t *teller) lines(in walk.Input) (is identified) {
	look := t.packed.probe(func(r io.Reader) walk.Look {
		is = kindOfLines(r, in.Name)
		return walk.Look{}
	})
	if err := in.Packed(unpack.Formats...).Peek(func(r io.Reader) { look(r) }); err != nil {
		return identified{err: err}
	}
	return is
}

// seenLines is what JSON lines may be besides records.
type seenLines struct {
	any      bool
	messages bool            // of JSON-RPC
	format   importer.Format // of which traces are made
}

func (s *seenLines) note(value strictjson.Node) {
	if !s.any {
		s.format = importer.Looks(value.Raw())
	}
	s.any, s.messages = true, s.messages || value.Get("jsonrpc").Exists()
}

// others are lines that are no records.
func (s *seenLines) others() identified {
	switch {
	case s.messages:
		return isNoRecord("it holds JSON-RPC messages, as `cupel oatf eval DOCUMENT --trace` reads them")
	case s.format != "":
		return isImported(s.format)
	}
	return unknownTo("its lines are JSON, but no record of a known kind")
}

// isImported is what another program has recorded.
func isImported(format importer.Format) identified {
	return isNoRecord(fmt.Sprintf("it looks like the format %s, of which `cupel attest eval --from %[1]s` makes traces", format))
}

// kindOfLines finds the first record that shows its kind. Where nothing can be read, the file may
// be damaged, and its name or a piece of it says by whom it is judged.
func kindOfLines(r io.Reader, name string) identified {
	var head bytes.Buffer
	r = io.MultiReader(io.TeeReader(io.LimitReader(r, headBytes), &head), r)
	var seen seenLines
	for value := range values(r) {
		seen.note(value)
		if is := kindOfRecord(value); is != kindNone {
			return identified{kind: is}
		}
		for element := range value.Children() {
			if is := kindOfRecord(element); value.Is(strictjson.Array) && is != kindNone {
				return identified{kind: is}
			}
		}
	}
	switch {
	case seen.any:
		return seen.others()
	case bytes.Contains(head.Bytes(), []byte(`"specversion"`)), head.Len() == 0 && namedLike(name, []string{"*.ndjson"}, unpack.Extensions...):
		return identified{kind: kindEvidence, guessed: true}
	}
	return identified{kind: kindTrace, guessed: true}
}

// kindOfRecord is the kind of a record that has what only its kind has.
func kindOfRecord(record strictjson.Node) kind {
	has := func(name string) bool { return record.Get(name).Exists() }
	switch {
	case isAssayEvent(record):
		return kindEvidence
	case isTraceRecord(record):
		return kindTrace
	case has("trace_id") && (has("output") || has("steps")):
		return kindDialog
	}
	return kindNone
}

// document tells an OATF document from other YAML.
func (t *teller) document(in walk.Input) (is identified) {
	probe := looksLikeOATF
	if t.changed {
		probe = claimsOATF
	}
	is.err = in.Packed().Peek(func(r io.Reader) {
		switch look := probe(r); {
		case look.Passes:
			is.kind = kindDocument
		case look.Resembles != "":
			is = unknownTo("it resembles " + look.Resembles)
		default:
			is = isNoRecord(fmt.Sprintf("it is YAML without the root key %q", rootKey))
		}
	})
	return is
}

// value tells a JSON document: an event of evidence or a trace of the attest protocol. Nobody
// looks further into it than into JSON lines.
func (t *teller) value(in walk.Input) (is identified) {
	if err := in.Packed().Peek(func(r io.Reader) { is = kindOfValue(io.LimitReader(r, probeBytes)) }); err != nil {
		return identified{err: err}
	}
	return is
}

func kindOfValue(r io.Reader) identified {
	text, _ := io.ReadAll(r) // Peek has the error
	has, assay := map[string]bool{}, false
	whole := members(text, func(name string, value json.RawMessage) {
		has[name] = true
		assay = assay || strings.HasPrefix(name, "assay") || name == "type" && bytes.HasPrefix(value, []byte(`"assay.`))
	})
	if !whole { // what is left of it may show the kind
		assay = assay || bytes.Contains(text, []byte(`"assay`))
		for _, name := range []string{"specversion", "trace_id", "output", "steps"} {
			has[name] = has[name] || bytes.Contains(text, []byte(`"`+name+`"`))
		}
	}
	switch {
	case has["specversion"] && assay:
		return identified{kind: kindEvidence}
	case has["trace_id"] && (has["output"] || has["steps"]):
		return identified{kind: kindDialog}
	}
	format := importer.Looks(text)
	switch {
	case format != "":
		return isImported(format)
	case whole || json.NewDecoder(bytes.NewReader(text)).Decode(new(json.RawMessage)) == nil, len(text) == probeBytes, comment.Match(text):
		return isNoRecord("it is JSON of no known kind")
	}
	return unknownTo("it is named like JSON, but is none that can be read")
}

// comment is what no record has, but the JSON of some programs' settings.
var comment = regexp.MustCompile(`(?m)^\s*(//|/\*)`)

// members hands on those at the root of a JSON object, and says whether it could be read to its
// end.
func members(text []byte, visit func(name string, value json.RawMessage)) (whole bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return false
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return false
		}
		member, _ := name.(string)
		var value json.RawMessage
		err = dec.Decode(&value)
		if visit(member, value); err != nil {
			return false
		}
	}
	_, err := dec.Token()
	return err == nil
}
