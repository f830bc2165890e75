package trace

import (
	_ "embed"
	"strings"
	"sync"
)

// examplesText contains the examples of rules: "=== RULE bad" or "=== RULE good", then a run. A run is a
// trace.jsonl, or an archive whose files start with "-- NAME --". Lines that start with "# " are directives:
//
//	# flags: --strict            flags of the command; ./NAME is a file of the run; without a flag, it is verified first
//	# unquote NAME               the file is a Go string literal
//	# symlink NAME -> TARGET     a link
//	# rotated NAME, rewritten NAME   a log followed before, and its end
//
//go:embed examples.txt
var examplesText string

// transcriptExamples contains the examples of transcript rules.
//
//go:embed examples_transcript.txt
var transcriptExamples string

// examples maps "RULE bad" and "RULE good" to runs.
var examples = sync.OnceValue(func() map[string]string {
	byName := map[string]string{}
	for part := range strings.SplitSeq("\n"+examplesText+"\n"+transcriptExamples, "\n=== ") {
		name, run, ok := strings.Cut(part, "\n")
		if ok && name != "" {
			byName[name] = run + "\n"
		}
	}
	return byName
})

func withExamples(rules []Rule) []Rule {
	for i := range rules {
		if bad, ok := examples()[rules[i].ID+" bad"]; ok {
			rules[i].Bad, rules[i].Good = bad, examples()[rules[i].ID+" good"]
		}
	}
	return rules
}
