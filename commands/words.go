package commands

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// word is one of the values that a flag or an operand may have, with what it means: completion
// shows both.
type word struct{ name, means string }

// wordsOf gives names what they mean.
func wordsOf[T ~string](names []T, means map[string]string) []word {
	list := make([]word, len(names))
	for i, name := range names {
		list[i] = word{string(name), means[string(name)]}
	}
	return list
}

// wordNames are the words alone, as a mistake lists them.
func wordNames(list []word) []string {
	all := make([]string, len(list))
	for i, w := range list {
		all[i] = w.name
	}
	return all
}

// vocabulary is what is known of the values of a flag.
type vocabulary struct {
	words func() []word
	many  bool // several, with commas between
	files bool // `=PATH` may follow one
	open  bool // the words are the known ones; there are others
}

// spoken is a flag with a vocabulary.
type spoken interface {
	cli.Flag
	vocabulary() vocabulary
}

type (
	wordFlag struct {
		*cli.StringFlag
		known vocabulary
	}
	wordsFlag struct {
		*cli.StringSliceFlag
		known vocabulary
	}
	numberFlag struct {
		*cli.IntFlag
		known vocabulary
	}
)

func (f *wordFlag) vocabulary() vocabulary   { return f.known }
func (f *wordsFlag) vocabulary() vocabulary  { return f.known }
func (f *numberFlag) vocabulary() vocabulary { return f.known }

// amongst is a flag whose value is one of some words.
func amongst(f *cli.StringFlag, list ...word) cli.Flag {
	return &wordFlag{f, vocabulary{words: func() []word { return list }}}
}

// suchAs is a flag whose value may be one of some words, or something else.
func suchAs(f *cli.StringFlag, words func() []word) cli.Flag {
	return &wordFlag{f, vocabulary{words: words, open: true}}
}

// suchAsThese is suchAs for a repeatable flag.
func suchAsThese(f *cli.StringSliceFlag, words func() []word) cli.Flag {
	return &wordsFlag{f, vocabulary{words: words, open: true}}
}

// numbered is a flag whose value is one of some numbers.
func numbered(f *cli.IntFlag, words func() []word) cli.Flag {
	return &numberFlag{f, vocabulary{words: words}}
}

// ofRules is a repeatable flag with the ids of rules, and commas between.
func ofRules(f *cli.StringSliceFlag, rules func() []finding.Rule) cli.Flag {
	return &wordsFlag{f, vocabulary{words: func() []word { return rulesAsWords(rules()) }, many: true}}
}

// ofFormats is --format of a report.
func ofFormats(f *cli.StringSliceFlag, names []string) cli.Flag {
	return &wordsFlag{f, vocabulary{words: func() []word { return wordsOf(names, formatMeans) }, files: true}}
}

// rulesAsWords are the ids of rules, each once, with the title of the first that has it.
func rulesAsWords(rules []finding.Rule) (list []word) {
	seen := make(map[string]bool, len(rules))
	for _, r := range rules {
		if !seen[r.ID] {
			seen[r.ID] = true
			list = append(list, word{r.ID, r.Title})
		}
	}
	return list
}

var (
	colorWords = []word{
		{"auto", "colour on a terminal, unless the environment says otherwise"},
		{"always", "colour wherever the output goes"},
		{"never", "no colour, and no links"},
	}
	severityWords = []word{
		{"error", "only errors make the answer no"},
		{"warning", "warnings do, too"},
		{"info", "every finding does"},
	}
	engineWords = []word{
		{"fast", "cupel's own code, made for large files"},
		{"reference", "public libraries and a naive checker"},
		{"both", "run the two, and stop where they differ"},
	}
)

// formatMeans says what each format of any command is for.
var formatMeans = map[string]string{
	"text":              "for people: each finding with its line and a caret",
	"short":             "one line for each finding: file:line:column",
	"json":              "one document",
	"jsonl":             "one element on each line, as it is found",
	"sarif":             "SARIF 2.1.0, for code scanning",
	"github":            "annotations of GitHub Actions",
	"junit":             "JUnit XML, for build servers",
	"html":              "one page for a browser, without anything around it",
	"markdown":          "for comments and summaries of pull requests",
	"ndjson":            "the events alone, one on each line",
	"cloudevents-batch": "the events alone, as one JSON array",
	"dot":               "a graph for Graphviz",
}

// projectionMeans says what of tools and of policies each projection digests.
var projectionMeans = map[string]string{
	"p56b":        "a tool's definition: jcs:mcp_tool_definition.v1",
	"manifest-v0": "what a manifest has of a tool: assay.mcp_manifest_projection.v0",
	"mcp_policy":  "the policy as it is loaded, which events record",
	"declared":    "the policy as its file declares it",
}

// fileWords are the words for a value, or an operand, that is the name of a file; those of
// folderWords of a folder.
var (
	fileWords   = []string{"FILE", "PATH", "FORMAT[=PATH]", "DOC", "TRACE", "BUNDLE", "A", "B", "PRIVATE", "PUBLIC", "STREAM", "PROOF", "REPORT"}
	folderWords = []string{"DIR"}
)

// metavar is the word for a flag's value in the help, "" for a switch.
func metavar(f cli.Flag) string {
	names, _ := nameFlag(f)
	_, value, _ := strings.Cut(names, "=")
	return value
}

func commandWords(list []*cli.Command) (words []word) {
	for _, cmd := range list {
		if !cmd.Hidden {
			words = append(words, word{cmd.Name, cmd.Usage})
		}
	}
	return words
}

func topicWords(app *cli.App) (words []word) {
	for _, t := range topics(app) {
		words = append(words, word{t.name, t.title})
	}
	return words
}

var shellMeans = map[string]string{
	"bash":       "source <(cupel completion bash)",
	"fish":       "~/.config/fish/completions/cupel.fish",
	"powershell": "cupel completion powershell | Out-String | Invoke-Expression",
	"zsh":        "a file _cupel in a folder of $fpath",
}

// takesMore reports whether another operand may follow so many.
func takesMore(cmd *cli.Command, given int) bool {
	return strings.Contains(cmd.ArgsUsage, "…") || given < len(strings.Fields(cmd.ArgsUsage))
}

// operandName is the word for the operands of a command: PATH of "[PATH…]".
func operandName(cmd *cli.Command) string {
	name, _, _ := strings.Cut(strings.Trim(cmd.ArgsUsage, "[]"), " ")
	return strings.TrimSuffix(name, "…")
}

// inShort is what a text begins with, for a list beside other words.
func inShort(text string) string {
	const most = 72
	text, _, _ = strings.Cut(text, "; ")
	return fmt.Sprint(say.Clip(strings.Join(strings.Fields(text), " "), most))
}
