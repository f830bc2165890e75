package evidence

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
)

// A Doctor searches for the producer mistake that explains a hash mismatch: it hashes the event with each known
// mistake, singly and in pairs. It has a budget for all events of an input. It is not safe for concurrent use.
type Doctor struct {
	hasher *Hasher
	reader reader
	last   []mistake // what explained the event before: one producer repeats itself
	failed int       // events that nothing explained
	budget int       // bytes that may still be hashed in search of a mistake
}

// Limits of the search, so that all searches of an input take a fraction of a second. Pairs are some hundred
// hashes. They are tried only on events of usual size, and not after many events remained unexplained, which were
// probably changed. The explanation of the previous event is always tried.
const (
	pairBytes    = 64 << 10
	pairTrials   = 50
	searchBudget = 64 << 20
)

// Diagnose explains a mismatch of the recorded hash in sentences. It returns none without a known mistake.
func Diagnose(event []byte, recorded string, limits Limits) []string {
	return NewDoctor(limits).Diagnose(event, recorded)
}

// NewDoctor returns a doctor for the events of one input.
func NewDoctor(limits Limits) *Doctor {
	limits = limits.WithDefaults()
	return &Doctor{
		hasher: NewHasher(Options{Limits: limits, MaxFindings: -1}),
		reader: newReader(limits), budget: searchBudget,
	}
}

// Diagnose is [Diagnose] for one of several events. Once the budget is used up, it says so.
func (d *Doctor) Diagnose(event []byte, recorded string) []string {
	answer, err := d.hasher.Hash(event)
	if err != nil || !answer.Hashed {
		return nil
	}
	return d.notes(event, []byte(recorded), answer.Sum)
}

// notes explains the recorded hash in sentences for a finding.
func (d *Doctor) notes(event, recorded []byte, computed Sum) []string {
	claimed, form := parseRecorded(recorded)
	if form != nil && form.unreadable {
		return []string{form.says}
	}
	var notes []string
	if form != nil {
		notes = append(notes, form.says)
	}
	if claimed.Equal(computed) {
		return notes
	}
	e, fault := d.reader.read(place{event, 1})
	if fault != nil {
		return notes
	}
	return append(notes, d.cause(e, claimed))
}

// cause returns the explanation of the recorded digest, or "".
func (d *Doctor) cause(e *Event, claimed Sum) string {
	found := d.search(e, claimed)
	switch {
	case found != nil:
		return "the recorded value is the hash with this mistake: " + describe(found)
	case d.budget < 0:
		return "cupel did not search for the cause of the recorded value: too many hashes of the input differ"
	}
	if pointer := looksRedacted(e); pointer != "" {
		return pointer + " looks redacted: an event redacted after hashing no longer has its recorded hash"
	}
	return "no known mistake reproduces the recorded value: the content was changed after hashing, or the hash belongs to another event"
}

// search returns the smallest set of mistakes that produces the recorded digest. The budget becomes negative if the
// search is aborted.
func (d *Doctor) search(e *Event, claimed Sum) []mistake {
	if d.last != nil {
		if found, _ := reproduces(e, d.last, claimed); found {
			return d.last
		}
	}
	for _, m := range mistakes {
		if d.tries(e, claimed, m) {
			return d.last
		}
	}
	if len(e.place.text) > pairBytes || d.failed >= pairTrials {
		return nil
	}
	for i, m := range mistakes {
		for _, n := range mistakes[i+1:] {
			if m.axis&n.axis == 0 && d.tries(e, claimed, m, n) {
				return d.last
			}
		}
	}
	d.failed++
	return nil
}

// tries reports whether mistakes produce the recorded digest, and remembers them if so. It returns false once the
// budget is used up.
func (d *Doctor) tries(e *Event, claimed Sum, list ...mistake) bool {
	if d.budget < 0 {
		return false
	}
	found, cost := reproduces(e, list, claimed)
	d.budget -= cost
	if found {
		d.last = list
	}
	return found
}

// reproduces reports whether hashing an event with mistakes gives the recorded digest, and how many bytes it
// processed.
func reproduces(e *Event, list []mistake, claimed Sum) (found bool, cost int) {
	text, ok := newRecipe(e.root(), list).preimage()
	return ok && digest.Of(text).Equal(claimed), max(len(text), len(e.place.text))
}

func describe(list []mistake) string {
	says := make([]string, len(list))
	for i, m := range list {
		says[i] = m.says
	}
	return strings.Join(says, ", and ")
}

// hashForm describes a recorded hash that is not in the text form.
type hashForm struct {
	says       string
	unreadable bool // no SHA-256 digest can be read from it
}

// parseRecorded reads a digest in any notation. form is nil if it is in the text form.
func parseRecorded(recorded []byte) (sum Sum, form *hashForm) {
	if sum, ok := digest.Parse(recorded); ok {
		return sum, nil
	}
	text := strings.TrimSpace(string(recorded))
	digits := text
	if i := strings.LastIndexAny(text, ":=-"); i >= 0 {
		digits = text[i+1:]
	}
	if sum, ok := digest.ParseHex([]byte(strings.ToLower(digits))); ok {
		return sum, &hashForm{says: "the recorded value is " + formFault(string(recorded), digits)}
	}
	return sum, &hashForm{says: unreadableForm(digits), unreadable: true}
}

// formFault describes how a readable digest differs from the text form.
func formFault(recorded, digits string) string {
	var faults []string
	if strings.TrimSpace(recorded) != recorded {
		faults = append(faults, "surrounded by white space")
	}
	switch prefix := strings.TrimSuffix(strings.TrimSpace(recorded), digits); {
	case prefix == "":
		faults = append(faults, `bare digits without the prefix "sha256:"`)
	case strings.EqualFold(prefix, digest.Prefix) && prefix != digest.Prefix:
		faults = append(faults, `written with the prefix in upper case, expected "sha256:"`)
	case prefix != digest.Prefix:
		faults = append(faults, fmt.Sprintf("written with the prefix %q, expected %q", preview([]byte(prefix)), digest.Prefix))
	}
	if digits != strings.ToLower(digits) {
		faults = append(faults, "written with digits in upper case, expected lower case")
	}
	return strings.Join(faults, ", and ")
}

// unreadableForm guesses what a value without a SHA-256 digest is.
func unreadableForm(digits string) string {
	if _, err := hex.DecodeString(digits); err == nil {
		switch len(digits) {
		case 32:
			return "the recorded value has the length of an MD5 digest, expected SHA-256"
		case 40:
			return "the recorded value has the length of a SHA-1 digest, expected SHA-256"
		case 96:
			return "the recorded value has the length of a SHA-384 digest, expected SHA-256"
		case 128:
			return "the recorded value has the length of a SHA-512 digest, expected SHA-256"
		}
	}
	return `the recorded value is not a SHA-256 digest, expected "sha256:" and 64 lower-case hexadecimal digits`
}

// redactionMarks are texts that redaction leaves behind.
var redactionMarks = [][]byte{[]byte("***"), []byte("~/**/"), []byte("<redacted"), []byte("[redacted"), []byte("[REDACTED"), []byte("<REDACTED"), []byte("█")}

// looksRedacted returns the pointer of the first hashed text that looks redacted, or "".
func looksRedacted(e *Event) string {
	for _, a := range []Attribute{AttrSubject, AttrData} {
		for n := range e.get(a).All() {
			text := n.TextBytes(nil)
			if slices.ContainsFunc(redactionMarks, func(mark []byte) bool { return bytes.Contains(text, mark) }) {
				return n.Pointer()
			}
		}
	}
	return ""
}
