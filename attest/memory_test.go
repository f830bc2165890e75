package attest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cupel-dev/cupel/attest"
)

// TestTextsWithinTexts: texts that contain each other, more than are kept, are checked as if
// each were alone.
func TestTextsWithinTexts(t *testing.T) {
	const levels, word = 12, "Needle"
	tree := strings.Repeat(`{"a":`, levels) + `"` + strings.Repeat("hay ", 500_000) + word + `"` + strings.Repeat("}", levels)
	var list []string
	for i := range levels {
		for _, value := range []string{"needle", "nowhere"} {
			list = append(list, fmt.Sprintf(`{"assertion_id":"%d %s","type":"content","spec":{"target":"output.tree%s","check":"contains","value":"%s"}}`, i, value, strings.Repeat(".a", i), value))
		}
	}
	params := fmt.Sprintf(`{"trace":`+smallTrace+`,"assertions":[%s]}`, tree, strings.Join(list, ","))
	got := answer(attest.NewEngine(attest.Options{}), []byte(params))
	if strings.Count(got, "contains 'needle'.") != levels || strings.Count(got, "does not contain 'nowhere'.") != levels {
		t.Errorf("got %.3000s", got)
	}
}

// TestSchemasOfParts: values within each other, more than stay decoded, and a schema on each
// of many elements.
func TestSchemasOfParts(t *testing.T) {
	const levels = 5
	tree := strings.Repeat(`{"a":`, levels) + `[` + strings.Repeat("1,", 15_000) + `"x"]` + strings.Repeat("}", levels)
	var list []string
	for i := range 2 * levels {
		list = append(list, fmt.Sprintf(`{"assertion_id":"%d","type":"schema","spec":{"target":"output.tree%s","schema":{"type":"object","title":"%d"}}}`, i, strings.Repeat(".a", i%levels), i))
	}
	list = append(list, fmt.Sprintf(`{"assertion_id":"each","type":"schema","spec":{"target":"output.tree%s[*]","schema":{"type":"integer"}}}`, strings.Repeat(".a", levels)))
	params := fmt.Sprintf(`{"trace":`+smallTrace+`,"assertions":[%s]}`, tree, strings.Join(list, ","))
	got := answer(attest.NewEngine(attest.Options{}), []byte(params))
	if strings.Count(got, `"status":"pass"`) != 2*levels || !strings.Contains(got, "value 'x' is a string, expected integer") {
		t.Errorf("got %.3000s", got)
	}
}

// TestManyCompiling checks that requests whose assertions take much memory are all evaluated in turn, and that a
// cancelled one leaves its turn to the others.
func TestManyCompiling(t *testing.T) {
	e := attest.NewEngine(attest.Options{})
	params := func(i int) []byte {
		return request("1", "content", fmt.Sprintf(`{"target":"output.message","check":"regex_match","value":"m|%d[ab]{900}[cd]{900}[ef]{900}[gh]{900}[ij]{900}[kl]{900}"}`, i))
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			if i%4 == 0 {
				if _, err := e.EvaluateBatch(cancelled, params(i)); protocolError(err) == nil || protocolError(err).Code != attest.CodeTimeout {
					t.Errorf("got %v", err)
				}
				return
			}
			if got := answer(e, params(i)); !strings.Contains(got, `"status":"pass"`) {
				t.Error(got)
			}
		})
	}
	all.Wait()
}

// TestSameSpecs: what many assertions share takes memory once.
func TestSameSpecs(t *testing.T) {
	e := attest.NewEngine(attest.Options{Limits: attest.Limits{Compiled: 600_000}})
	var list []string
	for i := range 500 {
		list = append(list, fmt.Sprintf(`{"assertion_id":"%d","type":"schema","spec":{"target":"output","schema":{"title":"%s"},"x":%d}}`, i, strings.Repeat("x", 1000), i%20))
	}
	got := answer(e, fmt.Appendf(nil, `{"trace":`+smallTrace+`,"assertions":[%s]}`, "1", strings.Join(list, ",")))
	if strings.Count(got, `"status":"pass"`) != 500 {
		t.Errorf("got %.300s", got)
	}
}

// TestWeight: the weight of a text does not fall with its length or its values, small ones
// weigh nothing, and no text weighs more than the limits let it take.
func TestWeight(t *testing.T) {
	e := attest.NewEngine(attest.Options{Limits: attest.Limits{Values: 20_000}})
	before := int64(0)
	for _, size := range []int{1, 10_000, 20_000, 100_000, 1_000_000} {
		text, values := e.Weight([]byte(strings.Repeat("x", size))), e.Weight([]byte(strings.Repeat(",", size)))
		if size <= 10_000 && (text != 0 || values != 0) || size > 20_000 && (text <= before || values <= text) || values > 100*20_000+2*int64(size) {
			t.Errorf("%d bytes weigh %d, %d values weigh %d; before %d", size, text, size, values, before)
		}
		before = text
	}
}

// TestTooManyValues checks the limit for a single trace.
func TestTooManyValues(t *testing.T) {
	e := attest.NewEngine(attest.Options{Limits: attest.Limits{Values: 10}})
	var refused *attest.Error
	err := e.ValidateTrace(fmt.Appendf(nil, smallTrace, "[1,2,3,4,5,6]"))
	if !errors.As(err, &refused) || refused.Code != attest.CodeInvalidTrace || !strings.Contains(refused.Message, "beyond 10 JSON values") {
		t.Errorf("got %v", err)
	}
	if err := e.ValidateTrace(fmt.Appendf(nil, smallTrace, "[1,2]")); err != nil {
		t.Error(err)
	}
}
