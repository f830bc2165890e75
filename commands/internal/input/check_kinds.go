package input

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
	"github.com/cupel-dev/cupel/trace"
)

// kind is what check takes a file for.
type kind int

const (
	KindNone     kind = iota // it is passed over
	KindTrace                // a reasoning trace or a session log
	KindEvidence             // a bundle, a stream or an event
	KindDocument             // OATF
	KindDialog               // a trace of the attest protocol
	KindSuite                // of assertions, which cupel.yaml pairs with traces
)

// Identified is what a file looks like.
type Identified struct {
	Kind    kind
	guessed bool   // for having no readable record: its name says it
	Why     string // it is passed over
	Unknown bool   // … but may be a record
	Err     error  // it could not be looked into
}

// InRun is what the file is that lies in the folder of a reasoning run: one in which nothing can
// be read is rather one of the run's than a trace or a stream of its own.
func (s Identified) InRun(run string) Identified {
	switch {
	case s.guessed:
		return unknownTo("it has no readable record, and lies in the run " + run)
	case s.Kind == KindNone && !s.Unknown:
		s.Why = "it is a file in the run " + run
	}
	return s
}

// IsNoRecord is a file that is passed over for the reason.
func IsNoRecord(why string) Identified { return Identified{Kind: KindNone, Why: why} }

// unknownTo is a file that is passed over for the reason, and may be a record.
func unknownTo(why string) Identified { return Identified{Kind: KindNone, Why: why, Unknown: true} }

// Teller tells the kinds of record apart: by the name and by one record in the beginning of the
// file, whichever it is, so that one that was edited hides nothing. It is safe for concurrent use.
type Teller struct {
	Packed  *packedInput
	Changed bool
}

// Tell tells what a file is.
func (t *Teller) Tell(in walk.Input) Identified {
	switch {
	case in.Failed() != nil:
		return Identified{Err: in.Failed()}
	case path.Base(in.Name) == RunFile:
		return Identified{Kind: KindTrace}
	case path.Base(in.Name) == config.Name:
		return IsNoRecord("it configures cupel")
	case NamedLike(in.Name, BundleFiles):
		return t.archive(in)
	case NamedLike(in.Name, JSONLines, unpack.Extensions...):
		return t.lines(in)
	case NamedLike(in.Name, YamlFiles):
		return t.document(in)
	case NamedLike(in.Name, JSONFiles):
		return t.value(in)
	case in.Explicit && !t.Changed:
		return t.whatever(in)
	}
	return IsNoRecord("no record has such a name")
}

// whatever tells a file that was named, whatever its name.
func (t *Teller) whatever(in walk.Input) Identified {
	if in.Size < 0 {
		return IsNoRecord("it can be read only once")
	}
	is := IsNoRecord("")
	for _, tell := range []func(walk.Input) Identified{t.lines, t.value, t.document} {
		if is = tell(in); is.Err != nil || is.Kind != KindNone && !is.guessed {
			return is
		}
	}
	return IsNoRecord("neither its name nor what it begins with is of a known kind")
}

// archive tells a bundle of evidence from other archives.
func (t *Teller) archive(in walk.Input) (is Identified) {
	is.Err = in.Packed(source.Gzip).Peek(func(r io.Reader) {
		text := unpack.New(t.Packed.env.Context, io.NopCloser(r), source.Gzip, 0)
		defer func() { _ = text.Close() }() // opened for reading: nothing can be lost
		first, err := tar.NewReader(io.LimitReader(text, probeBytes)).Next()
		members := []string{bundle.ManifestName, bundle.EventsName}
		switch {
		case err != nil:
			is.Kind, is.guessed = KindEvidence, true
		case slices.Contains(members, path.Clean(first.Name)):
			is.Kind = KindEvidence
		default:
			is = unknownTo(fmt.Sprintf("an archive that begins with %q, while a bundle of evidence begins with %s", first.Name, bundle.ManifestName))
		}
	})
	return is
}

// lines tells JSON lines.
func (t *Teller) lines(in walk.Input) (is Identified) {
	look := t.Packed.probe(func(r io.Reader) walk.Look {
		is = kindOfLines(r, in.Name)
		return walk.Look{}
	})
	if err := in.Packed(unpack.Formats...).Peek(func(r io.Reader) { look(r) }); err != nil {
		return Identified{Err: err}
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
func (s *seenLines) others() Identified {
	switch {
	case s.messages:
		return IsNoRecord("it holds JSON-RPC messages, as `cupel oatf eval DOCUMENT --trace` reads them")
	case s.format != "":
		return isImported(s.format)
	}
	return unknownTo("its lines are JSON, but no record of a known kind")
}

// isImported is what another program has recorded.
func isImported(format importer.Format) Identified {
	return IsNoRecord(fmt.Sprintf("it looks like the format %s, of which `cupel attest eval --from %[1]s` makes traces", format))
}

// kindOfLines finds the first record that shows its kind. Where nothing can be read, the file may
// be damaged, and its name or a piece of it says by whom it is judged.
func kindOfLines(r io.Reader, name string) Identified {
	start, _ := io.ReadAll(io.LimitReader(r, headBytes)) // Peek has the error
	if _, ok := trace.IsTranscript(start, len(start) < headBytes); ok {
		return Identified{Kind: KindTrace}
	}
	r = io.MultiReader(bytes.NewReader(start), r)
	var head bytes.Buffer
	r = io.MultiReader(io.TeeReader(io.LimitReader(r, headBytes), &head), r)
	var seen seenLines
	for value := range values(r) {
		seen.note(value)
		if is := kindOfRecord(value); is != KindNone {
			return Identified{Kind: is}
		}
		for element := range value.Children() {
			if is := kindOfRecord(element); value.Is(strictjson.Array) && is != KindNone {
				return Identified{Kind: is}
			}
		}
	}
	switch {
	case seen.any:
		return seen.others()
	case bytes.Contains(head.Bytes(), []byte(`"specversion"`)), head.Len() == 0 && NamedLike(name, []string{"*.ndjson"}, unpack.Extensions...):
		return Identified{Kind: KindEvidence, guessed: true}
	}
	return Identified{Kind: KindTrace, guessed: true}
}

// kindOfRecord is the kind of a record that has what only its kind has.
func kindOfRecord(record strictjson.Node) kind {
	has := func(name string) bool { return record.Get(name).Exists() }
	switch {
	case isAssayEvent(record):
		return KindEvidence
	case isTraceRecord(record):
		return KindTrace
	case has("trace_id") && (has("output") || has("steps")):
		return KindDialog
	}
	return KindNone
}

// document tells an OATF document from other YAML.
func (t *Teller) document(in walk.Input) (is Identified) {
	probe := LooksLikeOATF
	if t.Changed {
		probe = ClaimsOATF
	}
	is.Err = in.Packed().Peek(func(r io.Reader) {
		switch look := probe(r); {
		case look.Passes:
			is.Kind = KindDocument
		case look.Resembles != "":
			is = unknownTo("it resembles " + look.Resembles)
		default:
			is = IsNoRecord(fmt.Sprintf("it is YAML without the root key %q", RootKey))
		}
	})
	return is
}

// value tells a JSON document: an event of evidence or a trace of the attest protocol. Nobody
// looks further into it than into JSON lines.
func (t *Teller) value(in walk.Input) (is Identified) {
	if err := in.Packed().Peek(func(r io.Reader) { is = kindOfValue(io.LimitReader(r, probeBytes)) }); err != nil {
		return Identified{Err: err}
	}
	return is
}

func kindOfValue(r io.Reader) Identified {
	text, _ := io.ReadAll(r) // Peek has the error
	if _, ok := trace.IsTranscript(text, len(text) < probeBytes); ok {
		return Identified{Kind: KindTrace}
	}
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
		return Identified{Kind: KindEvidence}
	case has["trace_id"] && (has["output"] || has["steps"]):
		return Identified{Kind: KindDialog}
	}
	format := importer.Looks(text)
	switch {
	case format != "":
		return isImported(format)
	case whole || json.NewDecoder(bytes.NewReader(text)).Decode(new(json.RawMessage)) == nil, len(text) == probeBytes, comment.Match(text):
		return IsNoRecord("it is JSON of no known kind")
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
