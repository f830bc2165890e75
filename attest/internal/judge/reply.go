package judge

import (
	"fmt"
	"math"
	"strconv"

	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/say"
)

// Opinion is what a reply says.
type Opinion struct {
	Score  float64 // 0.0 to 1.0
	Reason string  // on one line; "" when the reply has none
}

// Unusable is a reply that is no opinion.
type Unusable struct{ what string }

func (u *Unusable) Error() string { return u.what }

// Detail is guidance for the developer.
func (*Unusable) Detail() string {
	return "Retry; if it happens again, judge with a model that follows instructions, or look at what the prompt asks for: it has to be JSON with a score from 0.0 to 1.0."
}

func useless(text string) bool {
	_, err := Read(text)
	return err != nil
}

// maxReason bounds how many code points of a reason an explanation repeats.
const maxReason = 1000

// Read reads a reply: the first JSON object in it, whatever stands around it, that has a
// number as "score", or a string that is one. It gives the reason of the same object, or its
// explanation. The error is an *Unusable.
func Read(text string) (Opinion, error) {
	found := firstScored(text)
	if found == nil {
		return Opinion{}, &Unusable{"the reply has no score: " + say.Quoted(text)}
	}
	score, err := strconv.ParseFloat(found.score, 64)
	if err != nil || !(score >= 0 && score <= 1) {
		return Opinion{}, &Unusable{fmt.Sprintf("the score %s is not between 0.0 and 1.0", say.Clip(found.score, 20))}
	}
	return Opinion{Score: math.Abs(score), Reason: say.Clip(wording.OneLine(found.why()), maxReason)}, nil // -0 is 0
}
