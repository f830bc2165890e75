package commands_test

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// readers are the commands that say what their input may be mistaken for.
var readers = [][]string{
	{"trace", "verify"},
	{"trace", "verify", "--format", "json"},
	{"trace", "report"},
	{"trace", "seal"},
	{"evidence", "verify"},
	{"evidence", "hash"},
	{"evidence", "lint"},
	{"evidence", "show"},
	{"evidence", "redact"},
	{"oatf", "lint"},
	{"oatf", "normalize"},
	{"oatf", "fmt"},
	{"oatf", "migrate"},
	{"attest", "validate"},
	{"attest", "eval", "--assertions", "../testdata/examples/attest/refund-suite.yaml"},
}

// readerShare is to how many of the texts a command is given one.
const readerShare = 3

// TestPipesHaveHints: what is read from a pipe has the hint that a file of the same bytes and the same
// name has. A named foreign file is refused, but a pipe is judged: both name the same command, unless
// the pipe passes; a layout is named for the pipe alone. A run that ends early has seen a piece of the pipe at least; where it refuses a compressed
// form, it has seen that alone.
func TestPipesHaveHints(t *testing.T) {
	said := map[string]bool{}
	for i, of := range racetest.Some(t, mistakable(t)) {
		random := rand.New(rand.NewPCG(uint64(i), 23))
		name := filepath.Join(t.TempDir(), of.name) // a run lies in a folder of its own
		if err := os.WriteFile(name, of.text, 0o600); err != nil {
			t.Fatal(err)
		}
		for j, command := range readers {
			if (i+j)%readerShare != 0 {
				continue
			}
			file := program(t, nil, name, append(slices.Clone(command), name)...)
			want := hintsOf(file)
			pipe := &piecewise{of.text, 4096 + random.IntN(100<<10)}
			piped := program(t, pipe, name, append(slices.Clone(command), "--stdin-name", name, "-")...)
			got := hintsOf(piped)
			if refused.MatchString(file) {
				got = slices.DeleteFunc(got, func(hint string) bool { return !readsIt.MatchString(hint) })
				if strings.HasPrefix(piped, "exit 0\n") && len(got) == 0 {
					continue
				}
			}
			if !slices.Equal(got, want) && (len(got) > 0 || !refusesPacked(command, of.name)) {
				t.Errorf("%q on %s: the hints of a pipe are\n%s\nthose of the file\n%s", command, of.name, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			for _, hint := range want {
				said[inQuotes.ReplaceAllString(hint, "")] = true
			}
		}
	}
	if len(said) < 8 {
		t.Errorf("of all hints, few were given: %v", said)
	}
}

// refusesPacked reports whether a command reads no compressed text.
func refusesPacked(command []string, name string) bool {
	packed := slices.Contains([]string{".gz", ".zst"}, filepath.Ext(name))
	return packed && (command[0] == "oatf" || command[1] == "redact")
}

// piecewise is a pipe that others write to in pieces of one size.
type piecewise struct {
	text []byte
	size int
}

func (p *piecewise) Read(b []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.text[:min(len(p.text), p.size)])
	p.text = p.text[n:]
	return n, nil
}

// refused is the error of a named file that is of another kind.
var refused = regexp.MustCompile(`(?m)^cupel: error: "-" is not .*: `)

var readsIt = regexp.MustCompile("read it with `cupel [^`]*`")

var inQuotes = regexp.MustCompile(`"[^"]*"`)

// hintsOf are what an input may be mistaken for, of all that a run says: the command that reads it, or
// the layout. The error of a file that is not read says what it looks like, so that its hint does not.
func hintsOf(said string) (hints []string) {
	for line := range strings.Lines(said) {
		hint, is := strings.CutPrefix(line, "cupel: hint: ")
		if command := readsIt.FindString(hint); is && command != "" {
			hints = append(hints, command)
		} else if is && strings.HasPrefix(hint, `"-" looks like `) {
			hints = append(hints, hint)
		}
	}
	return hints
}

type namedText struct {
	name string
	text []byte
}

// mistakable returns the examples, in the layouts and the compressed forms that they may come in, and
// some that are longer than what is looked at.
func mistakable(t *testing.T) (list []namedText) {
	t.Helper()
	err := filepath.WalkDir("../testdata/examples", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			list = append(list, namedText{filepath.Base(path), read(t, path)})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range slices.Clone(list) {
		var values []json.RawMessage
		for decoder := json.NewDecoder(bytes.NewReader(of.text)); ; {
			var v json.RawMessage
			if decoder.Decode(&v) != nil {
				break
			}
			values = append(values, v)
		}
		if len(values) > 0 {
			list = append(list, laidOut(values, of.name)...)
		}
	}
	random := rand.New(rand.NewPCG(1, 23))
	for _, of := range slices.Clone(list)[:len(list)/4] {
		list = append(list,
			namedText{of.name + ".gz", packedIn(t, toGzip, of.text, random)},
			namedText{of.name + ".zst", packedIn(t, toZstd, of.text, random)})
	}
	return list
}

// laidOut are values as a pretty-printer, an array and a longer file have them.
func laidOut(values []json.RawMessage, name string) []namedText {
	var pretty bytes.Buffer
	for _, v := range values {
		_ = json.Indent(&pretty, v, "", "  ") // it is JSON
		pretty.WriteByte('\n')
	}
	array, _ := json.Marshal(values)
	list := []namedText{{"pretty-" + name, pretty.Bytes()}, {"array-" + name, array}}
	if len(name)%4 == 0 {
		long, _ := json.MarshalIndent(map[string]any{"a": values[0], "z": strings.Repeat("long ", 300_000)}, "", "  ")
		list = append(list, namedText{"long-" + name, long}, namedText{"many-" + name, bytes.Repeat(pretty.Bytes(), 1+(100<<10)/pretty.Len())})
	}
	return list
}
