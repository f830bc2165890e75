package selftest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/reference"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Form is a log format's canonical form and its writer.
type Form struct {
	Name  string
	Write func(text []byte) ([]byte, error)
}

// canonicalCase is a JSON text and its canonical forms by name, by default that of RFC 8785.
type canonicalCase struct {
	Input    string
	Expected map[string]string
}

// Canonical tests the fast engine with vectors/canonical.jsonl: RFC 8785 and the log formats' forms.
func Canonical(forms []Form) Suite {
	s := Suite{Name: "canonical JSON, fast engine"}
	forms = append([]Form{{jcs.RFC8785.Name, rfc8785}}, forms...)
	each(&s, canonicalCases, func(c canonicalCase) {
		for _, form := range forms {
			want, ok := c.Expected[form.Name]
			if !ok {
				want = c.Expected[jcs.RFC8785.Name]
			}
			if got, err := form.Write([]byte(c.Input)); err != nil || string(got) != want {
				s.fail("%s under %s: %s, %v; expected %s", c.Input, form.Name, got, err, want)
			}
		}
	})
	return s
}

func rfc8785(text []byte) ([]byte, error) {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		return nil, err
	}
	return jcs.NewWriter(nil).Append(nil, doc.Root()), nil
}

// Reference runs the RFC 8785 cases on the reference engine.
func Reference() Suite {
	s := Suite{Name: "canonical JSON, reference engine"}
	each(&s, canonicalCases, func(c canonicalCase) {
		got, err := reference.Canonical([]byte(c.Input))
		if want := c.Expected[jcs.RFC8785.Name]; err != nil || string(got) != want {
			s.fail("%s: %s, %v; expected %s", c.Input, got, err, want)
		}
	})
	return s
}

// es6Checksums are the published checksums of the number test file (RFC 8785, appendix B) by line count.
var es6Checksums = map[int]string{
	1_000:     "be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687",
	10_000:    "b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892",
	100_000:   "22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7",
	1_000_000: "49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16",
}

// Numbers generates the first lines of that file ("hex-ieee,text\n"), compares the published
// checksums, and compares each text with the fast and the reference engine.
func Numbers(lines int) Suite {
	s := Suite{Name: "ECMAScript numbers, both engines", Cases: lines}
	hash := sha256.New()
	next := doubles()
	var line, again []byte
	scanner, writer := strictjson.NewScanner(strictjson.Limits{}), jcs.NewWriter(nil)
	for n := 1; n <= lines; n++ {
		f := next()
		line = fmt.Appendf(line[:0], "%x,", math.Float64bits(f))
		start := len(line)
		line = jcs.AppendFloat(line, f)
		text := line[start:]
		if doc, err := scanner.Scan(text); err != nil {
			s.fail("%s: %v", text, err)
		} else if again = writer.Append(again[:0], doc.Root()); !bytes.Equal(again, text) {
			s.fail("%s becomes %s", text, again)
		}
		if want, err := reference.Number(f); err != nil || string(text) != want {
			s.fail("%x: %s, the reference engine writes %s, %v", math.Float64bits(f), text, want, err)
		}
		line = append(line, '\n')
		hash.Write(line)
		if want, ok := es6Checksums[n]; ok && hex.EncodeToString(hash.Sum(nil)) != want {
			s.fail("the first %d numbers have the checksum %x, expected %s", n, hash.Sum(nil), want)
		}
	}
	return s
}

// doubles generates the numbers of the file: 168 fixed ones, 2,000 consecutive ones, then iterated SHA-256.
func doubles() func() float64 {
	var first []uint64
	for field := range strings.FieldsSeq(chosenDoubles) {
		var bits [8]byte
		_, _ = hex.Decode(bits[:], []byte(field)) // the checksum detects a damaged file
		first = append(first, binary.BigEndian.Uint64(bits[:]))
	}
	for i := range uint64(2000) {
		first = append(first, 0x0010000000000000+i)
	}
	var block [sha256.Size]byte
	at := len(block)
	return func() float64 {
		if len(first) > 0 {
			bits := first[0]
			first = first[1:]
			return math.Float64frombits(bits)
		}
		for {
			if at == len(block) {
				block, at = sha256.Sum256(block[:]), 0
			}
			f := math.Float64frombits(binary.LittleEndian.Uint64(block[at:]))
			at += 8
			if f != 0 && !math.IsNaN(f) && !math.IsInf(f, 0) {
				return f
			}
		}
	}
}
