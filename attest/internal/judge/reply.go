package judge

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/say"
)

// Opinion is a parsed reply.
type Opinion struct {
	Score  float64 // 0.0 to 1.0
	Reason string  // on one line, or ""
}

// Unusable is the error for a reply without an opinion.
type Unusable struct{ what string }

func (u *Unusable) Error() string { return u.what }

// Detail is guidance for the developer.
func (*Unusable) Detail() string {
	return "Retry; if it happens again, judge with a model that follows instructions, or check that the prompt asks for JSON with a score from 0.0 to 1.0."
}

// maxReason limits the characters of a reason that an explanation quotes.
const maxReason = 1000

// Read parses the verdict in a reply: a JSON object with a "score" (a number, or a string with one) and a reason or
// explanation. It ignores initial reasoning and objects quoted from the judged texts. Several verdicts must agree.
// The error is an *Unusable: no verdict, different ones, or a score outside of 0 to 1.
func Read(reply string, judged ...string) (Opinion, error) {
	text, ok := answer(reply)
	if !ok {
		return Opinion{}, &Unusable{"the reply ends inside the reasoning: " + say.Quoted(reply)}
	}
	found, open := verdicts(text)
	found = unquoted(found, judged)
	switch {
	case len(found) == 0:
		return Opinion{}, &Unusable{"the reply has no score: " + say.Quoted(reply)}
	case open:
		return Opinion{}, &Unusable{"the reply has a second verdict, which is cut off: " + say.Quoted(reply)}
	}
	score, err := strconv.ParseFloat(found[0].score, 64)
	for _, s := range found {
		if other, failed := strconv.ParseFloat(s.score, 64); s.twice || failed == nil && err == nil && other != score {
			return Opinion{}, &Unusable{"the reply has several scores: " + say.Quoted(reply)}
		}
	}
	if err != nil || !(score >= 0 && score <= 1) {
		return Opinion{}, &Unusable{fmt.Sprintf("the reply has the score %s, expected 0.0 to 1.0", say.Clip(found[0].score, 20))}
	}
	return Opinion{Score: math.Abs(score), Reason: say.Clip(wording.OneLine(found[0].reason), maxReason)}, nil // -0 is 0
}

// unquoted removes the objects that a judged text contains, regardless of spaces.
func unquoted(found []scored, judged []string) []scored {
	for _, text := range judged {
		if len(found) == 0 || !strings.Contains(text, "score") {
			continue
		}
		quoted, _ := verdicts(text)
		found = slices.DeleteFunc(found, func(s scored) bool {
			return strings.Contains(text, string(s.text)) || slices.ContainsFunc(quoted, func(q scored) bool { return bytes.Equal(q.text, s.text) })
		})
	}
	return found
}
