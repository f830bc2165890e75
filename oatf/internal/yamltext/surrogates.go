package yamltext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"go.yaml.in/yaml/v4"
)

// pairs are the characters that a JSON text writes as pairs of surrogates. YAML rejects such escapes, so the parser
// reads a stand-in of the same length for each pair.
type pairs struct {
	standIn    string // as the parser returns it
	characters []string
}

// escapes matches an escape, and a whole pair of surrogates if there is one.
var escapes = regexp.MustCompile(`\\u[dD][89abAB][[:xdigit:]]{2}\\u[dD][c-fC-F][[:xdigit:]]{2}|\\.`)

// readPairs replaces the pairs of a text. Another text than JSON is unchanged.
func readPairs(input []byte) ([]byte, *pairs) {
	lower := bytes.ToLower(input)
	if !bytes.Contains(lower, []byte(`\ud`)) || !json.Valid(bytes.TrimPrefix(input, []byte("\ufeff"))) {
		return input, nil
	}
	for r := rune(0xfdd0); r <= 0xfdef; r++ { // characters without a meaning: the first that the text does not contain
		escaped := fmt.Sprintf(`\u%04x`, r)
		if bytes.ContainsRune(input, r) || bytes.Contains(lower, []byte(escaped)) {
			continue
		}
		p := &pairs{standIn: string([]rune{r, r})}
		return escapes.ReplaceAllFunc(input, func(escape []byte) []byte {
			if len(escape) == 2 {
				return escape
			}
			p.characters = append(p.characters, string(utf16.DecodeRune(surrogate(escape[2:6]), surrogate(escape[8:]))))
			return []byte(escaped + escaped)
		}), p
	}
	return input, nil
}

func surrogate(digits []byte) rune {
	n, _ := strconv.ParseUint(string(digits), 16, 16) // the expression matches only digits
	return rune(n)
}

// restore replaces the stand-ins in a parsed document. Scalars have the order of the text.
func (p *pairs) restore(root *yaml.Node) {
	if p == nil {
		return
	}
	rest := p.characters
	EachScalar(root, func(n *yaml.Node) {
		for len(rest) > 0 && strings.Contains(n.Value, p.standIn) {
			n.Value, rest = strings.Replace(n.Value, p.standIn, rest[0], 1), rest[1:]
		}
	})
}
