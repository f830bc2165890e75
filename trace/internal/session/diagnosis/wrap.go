package diagnosis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// wrapper extracts wrapped records from lines.
type wrapper struct {
	scanner *strictjson.Scanner
	family  func(strictjson.Node) string
}

func (w *wrapper) record(text []byte) bool {
	doc, err := w.scanner.Scan(text)
	return err == nil && doc.Root().Is(strictjson.Object) && w.family(doc.Root()) != ""
}

var (
	criPrefix    = regexp.MustCompile(`^\S+ (stdout|stderr) [FP] $`)
	grepPrefix   = regexp.MustCompile(`^(.*[:-])?[0-9]+[:-]$`)
	indentPrefix = regexp.MustCompile(`^\s*$`)
)

// unwrap splits a line into record and wrapper.
func (w *wrapper) unwrap(line []byte) (inner []byte, as Wrap) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil, Wrap{}
	}
	switch line[0] {
	case '{':
		if inner, as = w.member(line); inner != nil {
			return inner, as
		}
	case '"':
		var text string
		if json.Unmarshal(line, &text) == nil && w.record([]byte(text)) {
			return []byte(text), Wrap{Name: "JSON strings", Help: "each record is a JSON string; unwrap with: jq -r . FILE"}
		}
	}
	if at, ok := bytes.CutPrefix(line, []byte("MESSAGE=")); ok && w.record(at) {
		return at, Wrap{Name: "journald export", Help: "unwrap with: grep -a ^MESSAGE= FILE | cut -c 9-"}
	}
	return w.prefix(line)
}

// member finds the record in a member of an object, as text or as an object.
func (w *wrapper) member(line []byte) (inner []byte, as Wrap) {
	doc, err := w.scanner.Scan(line)
	if err != nil || w.family(doc.Root()) != "" {
		return nil, Wrap{}
	}
	type candidate struct {
		name string
		text []byte
		raw  bool
	}
	var list []candidate
	root := doc.Root()
	shipper := root.Get("@timestamp").Exists() || root.Get("@metadata").Exists() || root.Get("agent").Exists()
	for n := range root.Children() {
		name := string(n.KeyBytes(nil))
		if text, ok := n.Text(); ok && len(text) > 1 {
			list = append(list, candidate{name, []byte(text), false})
		} else if n.Is(strictjson.Object) {
			list = append(list, candidate{name, bytes.Clone(n.Raw()), true})
		}
	}
	for _, c := range list {
		if !w.record(bytes.TrimSpace(c.text)) {
			continue
		}
		how := "jq -r"
		if c.raw {
			how = "jq -c"
		}
		as = Wrap{Name: fmt.Sprintf("objects with a member %q", c.name), Help: fmt.Sprintf("unwrap with: %s .%s FILE", how, c.name)}
		switch {
		case c.name == "log" && !c.raw:
			as = Wrap{Name: "docker json-file", Help: "unwrap with: jq -rj .log FILE"}
		case c.name == "message" && shipper:
			as = Wrap{Name: "filebeat", Help: "the record is in the member message; unwrap with: jq -r .message FILE"}
		case c.name == "MESSAGE":
			as = Wrap{Name: "journald JSON", Help: "unwrap with: jq -r .MESSAGE FILE"}
		}
		return bytes.TrimSpace(c.text), as
	}
	return nil, Wrap{}
}

// prefix finds the record after a prefix, before a comma.
func (w *wrapper) prefix(line []byte) (inner []byte, as Wrap) {
	at := bytes.IndexByte(line, '{')
	if at < 0 {
		return nil, Wrap{}
	}
	before, text := line[:at], line[at:]
	if comma, ok := bytes.CutSuffix(text, []byte(",")); ok {
		text = comma
		as = Wrap{Name: "a comma after each record", Help: "unwrap with: sed s/,$// FILE"}
	} else if at == 0 {
		return nil, Wrap{}
	}
	if !w.record(text) {
		return nil, Wrap{}
	}
	switch {
	case criPrefix.Match(before):
		as = Wrap{Name: "CRI", Help: "a container runtime put time, stream and tag before each record; unwrap with: cut -d ' ' -f 4- FILE"}
	case grepPrefix.Match(before):
		as = Wrap{Name: "grep -n", Help: "each line begins with its line number; unwrap with: cut -d : -f 2- FILE"}
	case !indentPrefix.Match(before):
		as = Wrap{Name: "a prefix before each record", Help: "cut off the text before the first brace of each line, and verify the rest"}
	}
	return text, as
}

// wrapped reports whether most records are wrapped, and how.
func wrapped(lines []stream.Line, d *logReader) (*Wrap, bool) {
	w := d.wrapper
	plain, unwrapped, first := 0, map[string]int{}, map[string]Wrap{}
	markers := 0
	for _, l := range lines {
		if isMarker(l.Bytes) {
			if markers++; markers == 1 {
				first["merge conflict markers"] = Wrap{Name: "merge conflict markers", Help: "the lines <<<<<<<, ======= and >>>>>>> are of an unfinished Git merge: choose one side", Line: l.Number}
			}
			continue
		}
		if l.Long || w.record(l.Bytes) {
			plain++
			continue
		}
		if inner, as := w.unwrap(l.Bytes); inner != nil {
			if unwrapped[as.Name]++; unwrapped[as.Name] == 1 {
				as.Line = l.Number
				first[as.Name] = as
			}
		}
	}
	best := ""
	for name, n := range unwrapped {
		if n > unwrapped[best] || n == unwrapped[best] && name < best {
			best = name
		}
	}
	switch {
	case markers >= 2 && plain > 0:
		as := first["merge conflict markers"]
		return &as, true
	case best != "" && unwrapped[best] > plain:
		as := first[best]
		return &as, true
	case plain == 0 && best == "":
		return pretty(lines, w)
	}
	return nil, false
}

// Limits of the lines searched for wrappers.
const (
	maxSniffed      = 1000
	maxSniffedBytes = 4 << 20
)

// sniff returns the first lines for the search for wrappers.
func (l *lines) sniff() (list []stream.Line) {
	size := 0
	for one := range l.all {
		if list, size = append(list, one), size+len(one.Bytes); len(list) == maxSniffed || size >= maxSniffedBytes {
			break
		}
	}
	return list
}

func isMarker(line []byte) bool {
	line = bytes.TrimRight(line, "\r")
	return bytes.HasPrefix(line, []byte("<<<<<<<")) || bytes.HasPrefix(line, []byte(">>>>>>>")) ||
		bytes.HasPrefix(line, []byte("|||||||")) || bytes.Equal(line, []byte("======="))
}

// pretty reports whether the first record spans several lines.
func pretty(lines []stream.Line, w *wrapper) (*Wrap, bool) {
	if len(lines) < 2 || lines[0].Long || !bytes.HasPrefix(bytes.TrimSpace(lines[0].Bytes), []byte("{")) {
		return nil, false
	}
	var text []byte
	for i, l := range lines {
		if l.Long {
			return nil, false
		}
		text = append(append(text, l.Bytes...), '\n')
		if i > 0 && bytes.HasSuffix(bytes.TrimSpace(l.Bytes), []byte("}")) && w.record(text) {
			return &Wrap{Name: "pretty-printed", Help: "each record is spread over several lines; unwrap with: jq -c . FILE", Line: lines[0].Number}, true
		}
	}
	return nil, false
}
