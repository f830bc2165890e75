package transcript

import (
	"bytes"
	"io"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// HeadBytes limits the input that Detect needs.
const HeadBytes = 1 << 20

const (
	voters = 50 // records that vote on the format
	enough = 3  // number of agreeing votes that is sufficient
	strays = 8  // records of no format before detection gives up
)

// Kind is the result of Detect.
type Kind struct {
	Format   Format
	Document bool // one JSON document, not JSON lines
}

// Detect detects a file's format from its start. whole means that head is the complete file;
// otherwise decided is false while more input, up to HeadBytes, can change the result. The first
// readable records vote, to tolerate a damaged first line. other (can be nil) reports whether a
// record belongs to another family; then the file is not a transcript.
func Detect(head []byte, whole bool, other func(strictjson.Node) bool) (kind Kind, decided bool) {
	whole = whole || len(head) >= HeadBytes
	if f := detectDocument(head); f != None {
		return Kind{f, true}, true
	}
	return detectLines(head, whole, other)
}

// detectDocument detects a document by its members within head.
func detectDocument(head []byte) Format {
	d := NewDocument(bytes.NewReader(head), len(head)+1)
	first := map[string]strictjson.Node{}
	scanner := strictjson.NewScanner(Limits(strictjson.Limits{}))
	for {
		e, err := d.Next()
		if err != nil {
			break
		}
		if _, known := first[e.List]; known {
			continue
		}
		doc, refused := scanner.Scan(e.Text)
		if refused != nil {
			continue
		}
		kept, _ := doc.Copy(nil)
		kept.Source = bytes.Clone(e.Text)
		first[e.List] = kept.Root()
	}
	for i := range formats {
		if f := &formats[i]; f.document != nil && len(first) > 0 && f.document(first) {
			return f.name
		}
	}
	return None
}

func detectLines(head []byte, whole bool, other func(strictjson.Node) bool) (Kind, bool) {
	var votes, proofs [8]int
	read := 0
	scanner := strictjson.NewScanner(Limits(strictjson.Limits{}))
	for rest := bytes.TrimPrefix(head, byteOrderMark); len(rest) > 0 && read < voters; {
		line, after, ended := bytes.Cut(rest, []byte{'\n'})
		if rest = after; !ended && !whole {
			break
		}
		for _, value := range valuesOf(scanner, bytes.Trim(line, "\x00 \t\r")) {
			doc, err := scanner.Scan(value)
			if err != nil || !isObject(doc.Root()) {
				continue
			}
			root := doc.Root()
			read++
			voted := false
			for i := range formats {
				f := &formats[i]
				if f.is == nil || !f.is(root) {
					continue
				}
				votes[i]++
				voted = true
				if f.proof == nil || f.proof(root) {
					proofs[i]++
				}
				break
			}
			if !voted && other != nil && other(root) {
				return Kind{}, true
			}
		}
		if kind, ok := elected(votes[:], proofs[:], read, enough); ok {
			return kind, true
		}
		if read >= strays && votes == [8]int{} {
			return Kind{}, true
		}
	}
	if kind, ok := elected(votes[:], proofs[:], read, 1); ok && (whole || read >= voters) {
		return kind, true
	}
	if whole && read == 0 {
		return Kind{Format: resembled(head, other != nil)}, true
	}
	return Kind{}, whole || read >= voters
}

// resembled returns the format of a text without a readable record by the member names in its first line.
// others says that it can be a log of another family.
func resembled(head []byte, others bool) Format {
	line, _, _ := bytes.Cut(bytes.TrimSpace(bytes.TrimPrefix(head, byteOrderMark)), []byte{'\n'})
	names := func(list ...string) int {
		n := 0
		for _, name := range list {
			if bytes.Contains(line, []byte(`"`+name+`"`)) {
				n++
			}
		}
		return n
	}
	trace := others && names("event_type", "event_hash", "prev_hash", "record", "kind") > 0
	if trace || !bytes.HasPrefix(line, []byte("{")) {
		return None
	}
	for i := range formats {
		if f := &formats[i]; f.marks != nil && names(f.marks...) == len(f.marks) {
			return f.name
		}
	}
	return None
}

// elected returns the format with at least least votes and a majority.
func elected(votes, proofs []int, read, least int) (Kind, bool) {
	for i := range formats {
		if votes[i] >= least && proofs[i] > 0 && 2*votes[i] >= read {
			return Kind{Format: formats[i].name}, true
		}
	}
	return Kind{}, false
}

var byteOrderMark = []byte("\ufeff")

// valuesOf splits a line into its leading complete values, usually one.
func valuesOf(scanner *strictjson.Scanner, line []byte) (list [][]byte) {
	for len(line) > 0 {
		end := firstValue(scanner, line)
		if end <= 0 {
			return list
		}
		list = append(list, line[:end])
		line = bytes.TrimLeft(line[end:], " \t\r\x00")
	}
	return list
}

// firstValue returns the length of a text's first complete value, or 0.
func firstValue(scanner *strictjson.Scanner, text []byte) int {
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return 0
	}
	_, err := scanner.Scan(text)
	if err == nil {
		return len(text)
	}
	if e, ok := asError(err); ok && e.Code == strictjson.Trailing {
		return e.Offset
	}
	return 0
}

func asError(err error) (*strictjson.Error, bool) {
	e, ok := err.(*strictjson.Error) //nolint:errorlint // Scan returns no other type
	return e, ok
}

// Peek reads as much of r as Detect needs. io.EOF is not an error. other is that of Detect. With
// live, r can wait for future lines: then an unreadable first line is not held back for more votes than
// those of the complete lines after it.
func Peek(r io.Reader, live bool, other func(strictjson.Node) bool) (head []byte, kind Kind, err error) {
	head = make([]byte, 0, 8<<10)
	for next := 1; ; {
		if len(head) == cap(head) {
			head = append(head, 0)[:len(head)]
		}
		n, err := r.Read(head[len(head):min(cap(head), HeadBytes)])
		head = head[:len(head)+n]
		whole := err == io.EOF
		if err != nil && !whole {
			return head, Kind{}, err
		}
		if n == 0 && !whole || !whole && len(head) < next && bytes.IndexByte(head[len(head)-n:], '\n') < 0 {
			continue
		}
		kind, decided := Detect(head, whole, other)
		if !decided && live && bytes.HasSuffix(head, []byte{'\n'}) && brokenFirst(head) {
			kind, decided = Detect(head, true, other)
		}
		if decided || whole {
			return head, kind, nil
		}
		next = min(2*len(head), HeadBytes) // read no more than HeadBytes
	}
}

// brokenFirst reports whether the complete first line starts with no complete value.
func brokenFirst(head []byte) bool {
	line, _, ended := bytes.Cut(bytes.TrimPrefix(head, byteOrderMark), []byte{'\n'})
	scanner := strictjson.NewScanner(Limits(strictjson.Limits{}))
	return ended && firstValue(scanner, bytes.Trim(line, "\x00 \t\r")) == 0
}
