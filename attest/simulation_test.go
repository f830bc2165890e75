package attest_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
)

// saying returns a model that says one thing.
func saying(text string) *fakeChat {
	return &fakeChat{answer: func(context.Context, model.ChatRequest) (model.ChatReply, error) {
		return model.ChatReply{Text: text}, nil
	}}
}

// TestFaultsRepeat: the same turns meet the same faults, in every engine, and others meet
// others; their share is the error rate.
func TestFaultsRepeat(t *testing.T) {
	outcomes := func() (list []string, failed int) {
		e := attest.NewEngine(attest.Options{Judge: saying("Nothing but words, and some more of them.")})
		for n := range 400 {
			text, err := e.GenerateUserMessage(t.Context(), attest.UserTurn{
				Persona: attest.Persona{Name: "u"}, Number: uint64(n), Faults: attest.Faults{ErrorRate: 0.25, ContentCorruption: true},
			})
			if err != nil {
				failed++
			}
			list = append(list, fmt.Sprint(text, err))
		}
		return list, failed
	}
	one, failed := outcomes()
	if another, _ := outcomes(); !slices.Equal(one, another) {
		t.Error("two runs differ")
	}
	if failed < 60 || failed > 140 {
		t.Errorf("%d of 400 fail", failed)
	}
	if slices.Sort(one); len(slices.Compact(one)) < 200 {
		t.Error("many turns meet the same faults")
	}
}

// TestReplyStaysAsItIs without faults; a corrupted one keeps its length and loses something.
func TestReplyStaysAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune(" \n\"{}`")))).Draw(t, "reply")
		e := attest.NewEngine(attest.Options{Judge: saying(said)})
		turn := attest.UserTurn{Number: rapid.Uint64().Draw(t, "number"), Faults: attest.Faults{LatencyJitter: time.Microsecond, TimeoutAfter: time.Hour}}
		if got, err := e.GenerateUserMessage(t.Context(), turn); err != nil || got != said {
			t.Fatalf("%q, %v", got, err)
		}
		turn.Faults.ContentCorruption = true
		got, err := e.GenerateUserMessage(t.Context(), turn)
		if err != nil || utf8.RuneCountInString(got) != utf8.RuneCountInString(said) || said != "" && !slices.Contains([]rune(got), '\uFFFD') {
			t.Fatalf("%q becomes %q, %v", said, got, err)
		}
	})
}
