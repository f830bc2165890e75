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

// fingerprints identify findings by content rather than line, so that they stay the same when lines move. Equal
// findings are numbered.
type fingerprints struct {
	before map[string]int
}

// mostPrints limits the remembered fingerprints (about 150 bytes each). Beyond, numbering restarts.
const mostPrints = 1 << 18

// of returns a finding's fingerprint: its Detail's, or the SHA-256 of its content. Repeated ones get ":2", ":3".
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

// saying returns the digest of rule, file, member, event number, message and comparison.
func saying(f finding.Finding) string {
	index := ""
	if f.Index != nil {
		index = strconv.FormatInt(*f.Index, 10)
	}
	text, _ := json.Marshal([]string{ // strings always marshal
		f.Rule, path.Clean(f.File), f.Path, index, unplaced(f.Message), unplaced(f.Expected), unplaced(f.Found),
	})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// linesNamed matches line numbers in messages, which change when lines move.
var linesNamed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(lines?) \d+( (?:and|to) \d+)?`) })

func unplaced(text string) string {
	if !strings.Contains(text, "line") {
		return text
	}
	return linesNamed().ReplaceAllString(text, "$1")
}
