package archtest

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/docs"
	"github.com/cupel-dev/cupel/internal/voicetest"
)

// unplain are the constructions of translated English that plain technical English avoids.
var unplain = regexp.MustCompile(strings.Join([]string{
	`(?i)\b(stands?|standing|stood)\b`,
	`(?i)\b(is|are|was|were) no\b`,
	`(?i)\b(is|are) there\b`,
	`(?i)(^|[.:;,] )(who|whoever) (has|reads|writes|names|adds|wants|sees|rewrites)\b`,
	`(?i)\b(has|have) none\b`,
	`(?i), too\b`,
	`(?i)\bwhat (is|are|it|they|a|the|was|comes|stands|goes|lies|there)\b`,
	`(?i)\b(of|in|by|from|on|at|behind|below|with) which\b`,
	`(?i)\b(behind|beside|apart)\b`,
	`(?i)\b(has|have) it\b`,
	`(?i)\bmay (be|not)\b`,
	`(?i)\bso that\b`,
	`(?i)\bof (its|their|his|her) own\b`,
	`(?i)\b(which|that) one\b`,
	`(?i)\b(a|one) (line|row|word|file) each\b`,
}, "|"))

// allowed is what looks like one of them and is plain.
var allowed = regexp.MustCompile(`(?i)\b(stands? for|(is|are|was|were) no (longer|more))\b`)

var (
	codeBlock = regexp.MustCompile("(?ms)^```.*?^```$")
	codeSpan  = regexp.MustCompile("`[^`\n]*`")
	word      = regexp.MustCompile(`[A-Za-z']+`)
)

// bounds are the constructions allowed per 1,000 words of each kind of text. Lower them when the texts get better.
var bounds = map[string]float64{"documents": 2, "rules": 2, "help": 2, "messages": 2, "comments": 4}

// TestPlainEnglish bounds the constructions that a stranger has to read twice.
func TestPlainEnglish(t *testing.T) {
	texts := map[string]string{"documents": "", "help": helpTexts(t), "comments": commentTexts(t)}
	for _, name := range docs.Names() {
		text, _ := docs.Text(name)
		texts["documents"] += prose(text)
	}
	for _, path := range []string{"README.md", "CONTRIBUTING.md"} {
		texts["documents"] += prose(readText(t, path))
	}
	texts["rules"] = prose(readText(t, "docs/rules.md"))
	all, err := voicetest.Collect(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	var messages strings.Builder
	for _, m := range all {
		messages.WriteString(prose(m.Text()) + "\n")
	}
	texts["messages"] = messages.String()
	for kind, text := range texts {
		words, found := len(word.FindAllString(text, -1)), unplain.FindAllString(allowed.ReplaceAllString(text, ""), -1)
		if words < 2000 {
			t.Errorf("%s: %d words: most are not found", kind, words)
		}
		rate := 1000 * float64(len(found)) / float64(max(words, 1))
		if rate > bounds[kind] {
			t.Errorf("%s: %.1f constructions of translated English per 1,000 words, expected at most %v; write a plain sentence: %s",
				kind, rate, bounds[kind], counted(found))
		}
		t.Logf("%s: %d words, %.1f per 1,000", kind, words, rate)
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// prose returns a document without code.
func prose(text string) string {
	return codeSpan.ReplaceAllString(codeBlock.ReplaceAllString(text, ""), "") + "\n"
}

// helpTexts returns the text of the manual pages.
func helpTexts(t *testing.T) string {
	t.Helper()
	pages, _ := filepath.Glob("docs/cupel*.1")
	var b strings.Builder
	for _, path := range pages {
		b.WriteString(readText(t, path))
	}
	return b.String()
}

// commentTexts returns the comments of the code outside of tests.
func commentTexts(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			if d != nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != "." {
				return fs.SkipDir
			}
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			b.WriteString(commentText(group))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func commentText(group *ast.CommentGroup) string {
	return strings.ReplaceAll(group.Text(), "\n", " ") + "\n"
}

// counted lists what was found, the most frequent first.
func counted(found []string) string {
	count := map[string]int{}
	for _, f := range found {
		count[strings.ToLower(strings.Trim(f, ".:;, "))]++
	}
	var list []string
	for f, n := range count {
		list = append(list, fmt.Sprintf("%3d %s", n, f))
	}
	slices.Sort(list)
	slices.Reverse(list)
	text, _ := json.Marshal(list[:min(len(list), 12)])
	return string(text)
}

// taskPages are the documents that a user follows step by step. Their sentences have at most sentenceWords words, and
// their readability after Flesch is at least readable.
var taskPages = []string{"check", "cli", "session-logs", "reasoning-traces", "transcripts", "evidence-verify", "evidence-hash", "evidence-redact", "evidence-lint", "troubleshooting", "attest-cassettes"}

const (
	sentenceWords = 30
	longSentences = 0.02 // the part of longer ones that is allowed, for enumerations
	readable      = 50
)

var (
	notProse    = regexp.MustCompile(`(?m)^(#.*|\|.*|    .*|!\[.*)$`)
	listItem    = regexp.MustCompile(`(?m)^\s*(- |\d+\. )`)
	link        = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	sentenceEnd = regexp.MustCompile(`[.!?:;]\s+|\n\n+`)
	vowels      = regexp.MustCompile(`(?i)[aeiouy]+`)
)

// TestReadablePages holds the length of sentences and the readability of the pages about tasks. What follows a colon or a
// semicolon counts as a sentence.
func TestReadablePages(t *testing.T) {
	for _, name := range taskPages {
		text, ok := docs.Text(name)
		if !ok {
			t.Errorf("no document %s", name)
			continue
		}
		// Code counts as one short word, so that a command does not make a page hard to read.
		text = codeSpan.ReplaceAllString(codeBlock.ReplaceAllString(text, "\n\n"), "code")
		text = link.ReplaceAllString(notProse.ReplaceAllString(text, "\n"), "$1")
		text = listItem.ReplaceAllString(text, "\n\n")
		sentences, words, syllables, long := 0, 0, 0, []string{}
		for _, sentence := range sentenceEnd.Split(text, -1) {
			list := word.FindAllString(sentence, -1)
			if len(list) < 2 {
				continue
			}
			sentences, words = sentences+1, words+len(list)
			for _, w := range list {
				syllables += syllablesOf(w)
			}
			if len(list) > sentenceWords {
				long = append(long, strings.Join(strings.Fields(sentence), " "))
			}
		}
		flesch := 206.835 - 1.015*float64(words)/float64(sentences) - 84.6*float64(syllables)/float64(words)
		if flesch < readable {
			t.Errorf("%s: readability %.0f (Flesch), expected %d or more: shorter sentences, shorter words", name, flesch, readable)
		}
		if float64(len(long)) > 1+longSentences*float64(sentences) {
			t.Errorf("%s: %d sentences of more than %d words, such as: %s", name, len(long), sentenceWords, long[0])
		}
		t.Logf("%s: %d sentences, %.1f words each, readability %.0f, %d long", name, sentences, float64(words)/float64(sentences), flesch, len(long))
	}
}

// syllablesOf counts the groups of vowels of a word, without a silent e at its end.
func syllablesOf(w string) int {
	n := len(vowels.FindAllString(w, -1))
	if strings.HasSuffix(w, "e") && !strings.HasSuffix(w, "le") || strings.HasSuffix(w, "es") || strings.HasSuffix(w, "ed") {
		n--
	}
	return max(n, 1)
}
