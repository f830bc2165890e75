package commands

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/unpack"
	"github.com/cupel-dev/cupel/internal/walk"
)

// What a run refuses may be mistaken for something else: it is of another command, or JSON in a
// layout that the command does not read. Where the beginning of a file shows that for sure, a hint
// says what to do. It changes no finding and no exit code.

// sight is what the beginning of a file surely is.
type sight struct {
	what    string // with its article; "": nothing is sure
	kind    kind   // kindNone: no command takes it as its operand
	command string // that reads it
	made    bool   // traces are made of it, whatever its layout
	spread  spread
}

// sights are what a file may be that a command reads, and the command.
func sights() map[kind]sight {
	return map[kind]sight{
		kindTrace:    {what: "a trace or a session log", command: traceVerifyRun.Command + " FILE"},
		kindEvidence: {what: "evidence", command: evidenceVerifyRun.Command + " FILE"},
		kindDocument: {what: "an OATF document", command: oatfLintRun.Command + " FILE"},
		kindDialog:   {what: "a trace of the attest protocol", command: attestValidateRun.Command + " FILE"},
		kindSuite:    {what: "a suite of assertions", command: attestEvalRun.Command + " --assertions FILE TRACE"},
	}
}

// hint says which command reads what was seen, or what lays it out on lines; "" where a command
// that takes what it reads for the kind has no better reason to refuse it.
func (s sight) hint(name string, as kind) string {
	switch {
	case s.what != "" && s.kind != as:
		return fmt.Sprintf("%q looks like %s: `cupel %s` reads it", name, s.what, s.command)
	case as == kindDocument || as == kindSuite: // YAML, which is read as a whole
		return ""
	case s.spread == inArray && as != kindTrace:
		return fmt.Sprintf("%q looks like an array: `jq -c \".[]\" FILE` makes lines of it", name)
	case s.spread == severalSpread, s.spread == oneSpread && (as == kindTrace || as == kindDialog && namedLike(name, jsonLines)):
		return fmt.Sprintf("%q looks like JSON over several lines: `jq -c . FILE` makes one of each value", name)
	}
	return ""
}

// spread is how JSON lies over lines.
type spread int

const (
	onLines       spread = iota // each value on one, or nothing is sure
	oneSpread                   // it is one value
	severalSpread               // it is several values, of which the first takes several lines
	inArray                     // it is one array
)

// sightOf tells what a file is that begins so. What is no JSON from its first byte on may be
// YAML; JSON shows it by its first record, and counts only as far as it has no fault.
func sightOf(head []byte) (s sight) {
	if first, rest, is := firstValue(head); is {
		if s = sightOfRecord(first); !s.made {
			s.spread = spreadOf(head, rest)
		}
		return s
	}
	if member, err := tar.NewReader(bytes.NewReader(head)).Next(); err == nil {
		if slices.Contains([]string{bundle.ManifestName, bundle.EventsName}, path.Clean(member.Name)) {
			s = sightOfKind(kindEvidence)
		}
		return s
	}
	rootKeys(bytes.NewReader(head), func(key string) bool {
		s = sightOfKey(key)
		return s.what == ""
	})
	return s
}

func sightOfKind(is kind) sight {
	s := sights()[is]
	s.kind = is
	return s
}

// sightOfKey knows a document or a suite by a key at its root.
func sightOfKey(key string) sight {
	switch key {
	case rootKey:
		return sightOfKind(kindDocument)
	case "assertions":
		return sightOfKind(kindSuite)
	}
	return sight{}
}

// sightOfRecord knows what holds a record.
func sightOfRecord(text []byte) sight {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		return sight{}
	}
	record := doc.Root()
	if is := kindOfRecord(record); is != kindNone {
		return sightOfKind(is)
	}
	for member := range record.Children() {
		if s := sightOfKey(member.Key()); s.what != "" {
			return s
		}
	}
	if record.Get("jsonrpc").Exists() {
		return sight{what: "JSON-RPC messages", command: "oatf eval DOCUMENT --trace FILE"}
	}
	if format := importer.Looks(text); format != "" {
		return sight{what: "the format " + string(format), kind: kindDialog, made: true, command: attestEvalRun.Command + " --assertions SUITE --from " + string(format) + " FILE"}
	}
	return sight{}
}

// firstValue is the object that a text begins with, or that an array does which it begins with,
// and what is behind the value; is is false where there is no such value without a fault.
func firstValue(text []byte) (first, rest []byte, is bool) {
	text = trimmed(text)
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return nil, nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if text[0] == '[' {
		if _, err := decoder.Token(); err != nil || !decoder.More() {
			return nil, nil, false
		}
	}
	var value json.RawMessage
	if err := decoder.Decode(&value); err != nil || value[0] != '{' {
		return nil, nil, false
	}
	return value, text[decoder.InputOffset():], true
}

// trimmed is a text without what may stand before its first value.
func trimmed(text []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
}

// spreadOf is how the values of a text lie, which is cut where it is as long as a probe. rest is
// what follows the first. All of it must be JSON: damaged lines are no layout.
func spreadOf(text, rest []byte) spread {
	cut := len(text) == probeBytes
	text = trimmed(text)
	first := text[:len(text)-len(rest)]
	more := len(trimmed(rest)) > 0
	switch {
	case !wellFormed(text, cut):
		return onLines
	case text[0] == '[':
		return inArray
	case !bytes.Contains(first, []byte("\n")):
		return onLines
	case more:
		return severalSpread
	}
	return oneSpread
}

// wellFormed says whether a text is JSON values to its end, or to where it is cut.
func wellFormed(text []byte, cut bool) bool {
	decoder := json.NewDecoder(bytes.NewReader(text))
	for depth := 0; ; {
		token, err := decoder.Token()
		switch {
		case err == io.EOF:
			return depth == 0 || cut
		case err != nil:
			return cut && errors.Is(err, io.ErrUnexpectedEOF)
		case token == json.Delim('{'), token == json.Delim('['):
			depth++
		case token == json.Delim('}'), token == json.Delim(']'):
			depth--
		}
	}
}

// taken is what a command has read, and for what it takes it.
type taken struct {
	as   kind
	list []walk.Input
}

const (
	takenKey    = "inputs" // where a run keeps them
	takenLooked = 100      // … and so many are looked at
)

// take notes inputs of a run.
func take(c *cli.Context, as kind, list []walk.Input) {
	if as != kindNone {
		known, _ := c.App.Metadata[takenKey].([]taken)
		c.App.Metadata[takenKey] = append(known, taken{as, list})
	}
}

// forgetTaken lets the next run of the same command line begin anew.
func forgetTaken(app *cli.App) { delete(app.Metadata, takenKey) }

// withHints adds to the failure of a run, or to its no, what its inputs may be mistaken for. A
// hint is said once, of the first input that it is about.
func withHints(env Env, app *cli.App, err error) error {
	if _, usage := errors.AsType[*usageError](err); err == nil || usage || unheard(err) || env.Context.Err() != nil {
		return err
	}
	for _, advice := range takenHints(env.Context, app) {
		if !errors.Is(err, errNo) && !errors.Is(err, errSaid) {
			sayError(env, err)
			err = errSaid
		}
		hint(env, advice)
	}
	return err
}

// takenHints are the hints on the inputs of a run.
func takenHints(ctx context.Context, app *cli.App) (hints []string) {
	all, _ := app.Metadata[takenKey].([]taken)
	known := map[string]bool{}
	for _, t := range all {
		for _, in := range t.list[:min(len(t.list), takenLooked)] {
			advice := sightOf(headOf(ctx, in)).hint(in.Name, t.as)
			about := strings.ReplaceAll(advice, in.Name, "")
			if advice != "" && !known[about] {
				hints = append(hints, advice)
			}
			known[about] = true
		}
	}
	return hints
}

// headOf is how a file begins, unpacked. What is no regular file is not read twice.
func headOf(ctx context.Context, in walk.Input) (head []byte) {
	if in.Size < 0 || in.Path == "" {
		return nil
	}
	_ = in.Packed(unpack.Formats...).Peek(func(r io.Reader) { // the run has said what is wrong with reading it
		text := source.NewText(r, unpack.Formats...)
		var from io.Reader = text
		if format := text.Format(); format != "" {
			packed := unpack.New(ctx, io.NopCloser(text), format, 0)
			defer func() { _ = packed.Close() }() // opened for reading: nothing can be lost
			from = packed
		}
		head, _ = io.ReadAll(io.LimitReader(from, probeBytes))
	})
	return head
}
