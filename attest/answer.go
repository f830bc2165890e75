package attest

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
)

// maxLine limits the line of an answer with up to maxFitting results, because some clients read at most 64 KiB.
// envelope is reserved for the JSON-RPC members.
const (
	maxLine    = 65_535
	envelope   = 256
	maxFitting = 400
)

// minExplanation is the number of characters that an explanation keeps when a long answer is shortened.
const minExplanation = 20

// appendBatch appends a batch result (§2.2). If it would exceed maxLine, it omits details, then shortens
// explanations to a common length. It never drops a result.
func appendBatch(dst []byte, results []Result, elapsed time.Duration) []byte {
	dst = slices.Grow(dst, 256*len(results)+64)
	start, most := len(dst), len(dst)+maxLine-envelope
	dst = appendResults(dst, results, elapsed)
	if len(dst) > most && hasDetails(results) {
		for _, cut := range shortenings {
			if len(dst) > most {
				for i := range results {
					cut(&results[i])
				}
				dst = appendResults(dst[:start], results, elapsed)
			}
		}
	}
	if len(dst) > most {
		shorten(results, len(dst)-most)
		dst = appendResults(dst[:start], results, elapsed)
	}
	return dst
}

func appendResults(dst []byte, results []Result, elapsed time.Duration) []byte {
	dst = append(dst, `{"results":[`...)
	for i := range results {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = results[i].AppendJSON(dst)
	}
	dst = appendFloat(append(dst, `],"total_cost":`...), totalCost(results))
	dst = strconv.AppendInt(append(dst, `,"total_duration_ms":`...), elapsed.Milliseconds(), 10)
	return append(dst, '}')
}

func totalCost(results []Result) float64 {
	var sum Costs
	for i := range results {
		sum.Add(results[i].Cost)
	}
	return sum.Total()
}

// shorten truncates explanations to the greatest common length that saves excess bytes, or to the minimum.
func shorten(results []Result, excess int) {
	longest := 0
	for i := range results {
		text := &results[i].Explanation
		*text = strings.ToValidUTF8(*text, "\uFFFD") // as it is written
		longest = max(longest, utf8.RuneCountInString(*text))
	}
	saves := func(length int) bool {
		saved := 0
		for i := range results {
			_, less := clipped(results[i].Explanation, length)
			saved += less
		}
		return saved >= excess
	}
	least := minExplanation
	if hasToFit(results) && !saves(least) {
		least = 1
	}
	length := least - 1 + sort.Search(max(0, longest-least), func(more int) bool { return !saves(least + more) })
	length = max(length, least)
	for i := range results {
		results[i].Explanation, _ = clipped(results[i].Explanation, length)
	}
}

// clipped truncates a text to length characters and returns the bytes of JSON saved. It returns the text unchanged
// if that saves nothing.
func clipped(text string, length int) (cut string, saved int) {
	cut = say.Clip(text, length)
	if saved = quotedSize(text) - quotedSize(cut); saved <= 0 {
		return text, 0
	}
	return cut, saved
}

// hasToFit reports whether an answer must fit maxLine.
func hasToFit(results []Result) bool {
	return len(results) <= maxFitting && !slices.ContainsFunc(results, func(r Result) bool { return r.RequestID != "" })
}

func quotedSize(s string) int {
	size := len(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '\n' || c == '\t':
			size++
		case c < ' ':
			size += len(`\u0000`) - 1
		}
	}
	return size
}
