package evidencecmd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/page"
)

// TestEventsView checks that the pieces of an event are its hash input, each member marked with its own name, and
// that omissions are reported.
func TestEventsView(t *testing.T) {
	v := &eventsView{room: pagedInputs}
	for i, data := range []string{"a", strings.Repeat("b", 2*pagedInput), "it's <script>", "\u202e"} {
		text := fmt.Sprintf(`{"specversion":"1.0","id":"e%d","source":"s","type":"t","subject":"u","datacontenttype":"application/json","data":{"x":%q}}`, i, data)
		var e *evidence.Result
		_, err := evidence.HashStream(t.Context(), strings.NewReader(text), evidence.Options{Explain: true}, func(r *evidence.Result) error {
			e = r
			v.take(r)
			return nil
		})
		if err != nil || e == nil {
			t.Fatal(err)
		}
		shown := v.view.Events[i]
		var whole string
		for _, p := range shown.Pieces {
			whole += p.Text
			if p.Mark != "" && !strings.Contains(string(e.Explanation.Input), `"`+p.Mark+`":`+p.Text) && shown.Whole {
				t.Errorf("%q is marked %s", p.Text, p.Mark)
			}
		}
		if (whole == string(e.Explanation.Input)) != shown.Whole || shown.Bytes != len(e.Explanation.Input) || shown.Whole != (len(data) < pagedInput) {
			t.Errorf("%d: %q of %q, whole %v", i, whole, e.Explanation.Input, shown.Whole)
		}
		if recipe := shown.Recipe != ""; recipe != (i == 0 || i == 2) {
			t.Errorf("%d: the recipe is %q", i, shown.Recipe)
		}
		if shown.Computed != e.ContentHash() || shown.Mark != page.Plain {
			t.Errorf("%d: %+v", i, shown)
		}
	}
	for range pagedEvents {
		v.take(&evidence.Result{})
	}
	if len(v.view.Events) != pagedEvents || v.view.More != 4 {
		t.Errorf("%d events and %d more", len(v.view.Events), v.view.More)
	}
}
