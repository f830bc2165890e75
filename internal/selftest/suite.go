package selftest

import (
	"bufio"
	"bytes"
	_ "embed" // test cases
	"encoding/json"
	"fmt"
)

// Suite is the result of a set of cases.
type Suite struct {
	Name     string
	Cases    int
	Failures []string // the first failed cases, one sentence each
}

// maxFailures limits the described failures.
const maxFailures = 20

func (s *Suite) fail(format string, args ...any) {
	if len(s.Failures) < maxFailures {
		s.Failures = append(s.Failures, fmt.Sprintf(format, args...))
	}
}

//go:embed vectors/strict.jsonl
var strictCases []byte

//go:embed vectors/canonical.jsonl
var canonicalCases []byte

//go:embed vectors/doubles.txt
var chosenDoubles string

// each decodes every line of an embedded file into a T.
func each[T any](s *Suite, file []byte, do func(T)) {
	lines := bufio.NewScanner(bytes.NewReader(file))
	for lines.Scan() {
		var c T
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			s.fail("unreadable case %s: %v", lines.Bytes(), err)
		}
		s.Cases++
		do(c)
	}
	if s.Cases == 0 {
		s.fail("no cases")
	}
}
