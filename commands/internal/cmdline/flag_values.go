package cmdline

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// Word is a possible value with its meaning, for completion.
type Word struct{ Name, Means string }

// WordsOf combines names and meanings.
func WordsOf[T ~string](names []T, means map[string]string) []Word {
	list := make([]Word, len(names))
	for i, name := range names {
		list[i] = Word{string(name), means[string(name)]}
	}
	return list
}

func WordNames(list []Word) []string {
	all := make([]string, len(list))
	for i, w := range list {
		all[i] = w.Name
	}
	return all
}

// vocabulary is a flag's known values.
type vocabulary struct {
	Words func() []Word
	Many  bool // several, with commas between
	files bool // `=PATH` may follow one
	Open  bool // the words are the known ones; there are others
}

// Spoken is a flag with a vocabulary.
type Spoken interface {
	cli.Flag
	Vocabulary() vocabulary
}

type (
	WordFlag struct {
		*cli.StringFlag
		known vocabulary
	}
	wordsFlag struct {
		*cli.StringSliceFlag
		known vocabulary
	}
	NumberFlag struct {
		*cli.IntFlag
		known vocabulary
	}
)

func (f *WordFlag) Vocabulary() vocabulary   { return f.known }
func (f *wordsFlag) Vocabulary() vocabulary  { return f.known }
func (f *NumberFlag) Vocabulary() vocabulary { return f.known }

// OneOf returns a flag with a fixed list of values.
func OneOf(f *cli.StringFlag, list ...Word) cli.Flag {
	return &WordFlag{f, vocabulary{Words: func() []Word { return list }}}
}

// Suggest returns a flag with suggested values.
func Suggest(f *cli.StringFlag, words func() []Word) cli.Flag {
	return &WordFlag{f, vocabulary{Words: words, Open: true}}
}

// SuggestAll is Suggest for a repeatable flag.
func SuggestAll(f *cli.StringSliceFlag, words func() []Word) cli.Flag {
	return &wordsFlag{f, vocabulary{Words: words, Open: true}}
}

// Numbered returns a flag with a fixed list of numbers.
func Numbered(f *cli.IntFlag, words func() []Word) cli.Flag {
	return &NumberFlag{f, vocabulary{Words: words}}
}

// OfRules returns a repeatable flag with the ids of rules, and commas between.
func OfRules(f *cli.StringSliceFlag, rules func() []finding.Rule) cli.Flag {
	return &wordsFlag{f, vocabulary{Words: func() []Word { return RulesAsWords(rules()) }, Many: true}}
}

// OfFormats is --format of a report.
func OfFormats(f *cli.StringSliceFlag, names []string) cli.Flag {
	return &wordsFlag{f, vocabulary{Words: func() []Word { return WordsOf(names, FormatMeans) }, files: true}}
}

// RulesAsWords returns the distinct ids of rules, with the first title.
func RulesAsWords(rules []finding.Rule) (list []Word) {
	seen := make(map[string]bool, len(rules))
	for _, r := range rules {
		if !seen[r.ID] {
			seen[r.ID] = true
			list = append(list, Word{r.ID, r.Title})
		}
	}
	return list
}

var (
	ColorWords = []Word{
		{"auto", "colour on a terminal, unless the environment says otherwise"},
		{"always", "colour wherever the output goes"},
		{"never", "no colour, and no links"},
	}
	SeverityWords = []Word{
		{"error", "only errors cause exit code 1"},
		{"warning", "warnings cause it, too"},
		{"info", "every finding causes it"},
	}
	EngineWords = []Word{
		{"fast", "cupel's own code, made for large files"},
		{"reference", "public libraries and a naive checker"},
		{"both", "run both, and stop at a difference"},
	}
)

// FormatMeans describes all formats of commands.
var FormatMeans = map[string]string{
	"text":              "for people: each finding with its line and a caret",
	"short":             "one line for each finding: file:line:column",
	"json":              "one document",
	"jsonl":             "one element on each line, as it is found",
	"sarif":             "SARIF 2.1.0, for code scanning",
	"github":            "annotations of GitHub Actions",
	"junit":             "JUnit XML, for build servers",
	"gitlab":            "GitLab's code quality report",
	"checkstyle":        "Checkstyle XML, for build servers and editors",
	"tap":               "Test Anything Protocol, one test per input",
	"html":              "one page for a browser, without anything around it",
	"markdown":          "for comments and summaries of pull requests",
	"ndjson":            "the events alone, one on each line",
	"cloudevents-batch": "the events alone, as one JSON array",
	"dot":               "a graph for Graphviz",
}

// ProjectionMeans describes what each projection covers of tools and policies.
var ProjectionMeans = map[string]string{
	"p56b":        "a tool's definition: jcs:mcp_tool_definition.v1",
	"manifest-v0": "the part of a manifest about a tool: assay.mcp_manifest_projection.v0",
	"mcp_policy":  "the policy as it is loaded, which events record",
	"declared":    "the policy as its file declares it",
}

// fileWords are names of values and operands that are files, folderWords of those that are folders.
var (
	fileWords   = []string{"FILE", "PATH", "FORMAT[=PATH]", "DOC", "TRACE", "BUNDLE", "A", "B", "PRIVATE", "PUBLIC", "STREAM", "PROOF", "REPORT"}
	folderWords = []string{"DIR"}
)

// metavar returns the name of a flag's value in the help, "" for a switch.
func metavar(f cli.Flag) string {
	names, _ := NameFlag(f)
	_, value, _ := strings.Cut(names, "=")
	return value
}

func commandWords(list []*cli.Command) (words []Word) {
	for _, cmd := range list {
		if !cmd.Hidden {
			words = append(words, Word{cmd.Name, cmd.Usage})
		}
	}
	return words
}

// ShellMeans describes where each shell's script is installed.
var ShellMeans = map[string]string{
	"bash":       "source <(cupel completion bash)",
	"fish":       "~/.config/fish/completions/cupel.fish",
	"powershell": "cupel completion powershell | Out-String | Invoke-Expression",
	"zsh":        "a file _cupel in a folder of $fpath",
}

// takesMore reports whether a command accepts another operand.
func takesMore(cmd *cli.Command, given int) bool {
	return strings.Contains(cmd.ArgsUsage, "…") || given < len(strings.Fields(cmd.ArgsUsage))
}

// operandName returns the name of a command's operands: PATH for "[PATH…]".
func operandName(cmd *cli.Command) string {
	name, _, _ := strings.Cut(strings.Trim(cmd.ArgsUsage, "[]"), " ")
	return strings.TrimSuffix(name, "…")
}

// inShort returns the start of a text, for a list.
func inShort(text string) string {
	const most = 72
	text, _, _ = strings.Cut(text, "; ")
	return fmt.Sprint(say.Clip(strings.Join(strings.Fields(text), " "), most))
}
