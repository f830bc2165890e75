package archtest

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/voicetest"
)

// unvoiced are the faults that no message has.
var unvoiced = []struct {
	what  string
	fault *regexp.Regexp
}{
	{"begins with a capital, expected lower case but for names", regexp.MustCompile(`^\p{Lu}\p{Ll}+ `)},
	{"ends with a full stop, expected none", regexp.MustCompile(`[^.]\.\n?$`)},
	{"has single quotes, expected double ones", regexp.MustCompile(`(^|[ (])'[^' ]+'`)},
	{"has curly quotes, expected straight ones", regexp.MustCompile(`[“”‘]`)},
	{`expected "cannot"`, regexp.MustCompile(`(?i)\b(failed to|unable to|can't)\b`)},
	{"speaks of feelings, expected what to do", regexp.MustCompile(`(?i)\b(please|sorry|oops)\b|! |[a-z]!$`)},
	{"has British spelling, expected American, as in the specifications", regexp.MustCompile(`(?i)\b(colour|behaviour|normalis|summaris|recognis|serialis|canonicalis|organis|favour|honour|catalogue|centre)`)},
	{"has two blanks in a row", regexp.MustCompile(`\S  \S`)},
}

// ofPhrases is the number of them that are about phrases.
const ofPhrases = 2

// misspeltUnit matches a number and a unit without a blank between them, or a unit in another spelling.
var misspeltUnit = regexp.MustCompile(`\d ?(kB|KB|MB|GB|TB|kib|mib|gib|Kbytes|Mbytes|megabytes?|kilobytes?|msec|secs?|millis|milliseconds)\b|\d(B|bytes?|KiB|MiB|GiB|TiB|ms|s|m|h|min)\b`)

// asGiven matches texts that show what to type: there the unit follows its number directly.
var asGiven = regexp.MustCompile(`--\w+ \d|such as|for example|^write a number|cupel oatf try|: 30s, PT5M$`)

// sentences are the rooms whose errors go to clients of the attest protocol, which shows them as sentences with
// names in single quotes; for people the command line takes the capital and the full stop away.
var sentences = []string{"attest/importer", "attest/internal/", "attest/serve"}

// asTheyAre are texts that are right with what looks like a fault, and why.
var asTheyAre = map[string]string{
	"request.":  "the beginning of a path",
	"response.": "the beginning of a path",
	`give --tag a word from the list "tags" of an assertion, and --filter a glob such as 'refund-*'`: "for a shell",
	"for example --filter 'refund-*'":   "for a shell",
	`raise it with --limits '{"‹›":N}'`: "for a shell",
}

// TestOneVoice holds every message of the source, as commands/testdata/messages.md lists them, to one voice.
func TestOneVoice(t *testing.T) {
	all, err := voicetest.Collect(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	held, met := 0, map[string]bool{}
	for _, m := range all {
		text := strings.Trim(m.Text(), "\n")
		for _, wrong := range misspeltUnit.FindAllString(text, -1) {
			if !asGiven.MatchString(text) {
				t.Errorf("%s: %q has %q, expected the number, a blank and one of the units %s", m.Places[0], text, wrong, "bytes, KiB, MiB, GiB, TiB, ms, s")
			}
		}
		if m.Kind == "text" || m.Kind == "title" || speaksInSentences(m.Room) {
			continue
		}
		held++
		if asTheyAre[text] != "" {
			met[text] = true
			continue
		}
		for i, rule := range unvoiced {
			if m.Kind == voicetest.Page && i < ofPhrases {
				continue // pages have headings and sentences
			}
			if rule.fault.MatchString(text) {
				t.Errorf("%s: %q %s", m.Places[0], text, rule.what)
			}
		}
	}
	for text := range asTheyAre {
		if !met[text] {
			t.Errorf("no message %q: take it out of the exceptions", text)
		}
	}
	if held < 1000 {
		t.Errorf("%d messages: most are not found", held)
	}
	t.Logf("%d messages in one voice, of %d texts", held, len(all))
}

func speaksInSentences(room string) bool {
	for _, prefix := range sentences {
		if strings.HasPrefix(room, prefix) {
			return true
		}
	}
	return false
}

// saidTwice are texts that occur in more than one place of the source, and why they can.
var saidTwice = map[string]string{
	"the requests that are sent, one after the other": "of two keys that hold the same",
	"where the user is sent":                          "of two keys that hold the same",
	"whose messages are looked at":                    "of two keys that hold the same",
}

// TestEachSaidOnce checks that no two places of the source make the same text: a message leads to one place, and a
// change of that place changes every occurrence. It ignores names and parts of messages: texts of one word, texts of
// less than five words that are not an error, hint, warning or finding, and labels in the layout of pages.
func TestEachSaidOnce(t *testing.T) {
	all, err := voicetest.Collect(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	places := map[string][]string{}
	for _, m := range all {
		words := len(strings.Fields(strings.ReplaceAll(m.Text(), voicetest.Value, "")))
		if m.Kind != "title" && m.Kind != voicetest.Page && (words >= 5 || words >= 2 && m.Kind != "text") {
			places[m.Text()] = append(places[m.Text()], m.Places...)
		}
	}
	for text, at := range places {
		if len(at) > 1 && saidTwice[text] == "" {
			t.Errorf("%q is made at %d places, expected one function or constant: %s", text, len(at), strings.Join(at, ", "))
		}
	}
	for text := range saidTwice {
		if len(places[text]) < 2 {
			t.Errorf("%q is not said twice: take it out of the exceptions", text)
		}
	}
	t.Logf("%d texts", len(places))
}
