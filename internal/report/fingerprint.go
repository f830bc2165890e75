package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/finding"
)

// fingerprints tell the findings of a run apart by what they say, never by the line where they
// stand: a finding has the same one when lines come and go above it, and after reports are
// merged. Equal findings are numbered in their order.
type fingerprints struct {
	before map[string]int
}

// mostPrints bounds what is remembered of a run, at about 150 bytes each: beyond it the numbers
// begin anew.
const mostPrints = 1 << 18

// of is the fingerprint of the next finding: its family's, or else the SHA-256 digest of what
// it says; from the second equal one on with ":2", ":3".
func (p *fingerprints) of(f finding.Finding) string {
	print := f.Fingerprint()
	if print == "" {
		print = saying(f)
	}
	if p.before == nil || len(p.before) >= mostPrints {
		p.before = map[string]int{}
	}
	p.before[print]++
	if n := p.before[print]; n > 1 {
		return print + ":" + strconv.Itoa(n)
	}
	return print
}

// saying is the digest of what every family's findings say: rule, file, member, number of the
// event, message and comparison.
func saying(f finding.Finding) string {
	index := ""
	if f.Index != nil {
		index = strconv.FormatInt(*f.Index, 10)
	}
	text, _ := json.Marshal([]string{ // texts are always JSON
		f.Rule, path.Clean(f.File), f.Path, index, unplaced(f.Message), unplaced(f.Expected), unplaced(f.Found),
	})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// linesNamed are the places that a message names: they move with the finding's own.
var linesNamed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(lines?) \d+( (?:and|to) \d+)?`) })

func unplaced(text string) string {
	if !strings.Contains(text, "line") {
		return text
	}
	return linesNamed().ReplaceAllString(text, "$1")
}
