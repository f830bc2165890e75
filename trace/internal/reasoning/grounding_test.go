package reasoning

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// TestGround says of claims what they rest on, and of evidence whether anyone cites it.
func TestGround(t *testing.T) {
	const text = "All bytes count."
	files := &fstest.MapFS{"e1": {Data: []byte(text)}, "e2": {Data: []byte("Not these.")}, "e3": {Data: []byte(text)}}
	register := func(id string) string {
		return fmt.Sprintf(`{"kind":"evidence_registered","evidence":{"id":%q,"uri":"mem://%s","content_path":%q}}`, id, id, id)
	}
	claim := func(id, supports string) string {
		return fmt.Sprintf(`{"kind":"claim_emitted","claim":{"id":%q,"supports":[%s]}}`, id, supports)
	}
	cite := func(ref string, from, to int, quote string) string {
		return fmt.Sprintf(`{"evidence_id":%q,"span":[%d,%d],"snippet_sha256":%q}`, ref, from, to, reasoningtest.Hash(quote))
	}
	log := strings.Join([]string{
		register("e1"), register("e1"), `{"event":` + register("e2") + `}`, register("e3"), register("e4"), "no JSON", "[]",
		claim("holds", cite("e1", 0, 3, "All")), claim("broken", cite("e2", 0, 3, "All")), claim("found", cite("", 4, 9, "bytes")),
		claim("nowhere", cite("", 4, 9, "x")), claim("unread", `{"ref_id":"e4","span":[5,2]},{"ref_id":"e4","span":[0,2],"snippet_sha256":"x"}`),
		claim("beyond", cite("e1", 0, 99, "x")), claim("not there", cite("e4", 0, 3, "All")), claim("unknown", cite("e9", 0, 3, "All")),
		claim("above", `{"kind":"claim","ref_id":"holds","span":[0,1]}`), claim("further", `{"kind":"claim","ref_id":"above","span":[0,1]},{"kind":"tool_call","ref_id":"c1","span":[0,1]}`),
		claim("round", `{"kind":"claim","ref_id":"round","span":[0,1]}`), claim("called", `{"kind":"tool_call","ref_id":"c1","span":[0,1]}`),
		`{"kind":"claim_emitted","claim":{"claim_type":"observed","statement":"It is so."}}`,
	}, "\n")
	g, err := Ground(t.Context(), strings.NewReader(log), files, stream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range g.Claims {
		line := fmt.Sprintf("%s: %s, reaches %v", c.ID, c.RestsOn, c.Reaches)
		for _, s := range c.Supports {
			if s.Holds != nil {
				line += fmt.Sprintf(", %s %v %q", s.Ref, *s.Holds, s.Text)
			}
		}
		got = append(got, line)
	}
	want := []string{
		`holds: evidence, reaches true, e1 true "All"`, `broken: evidence, reaches false, e2 false "Not"`, `found: evidence, reaches true, e3 true "bytes"`,
		`nowhere: evidence, reaches false`, `unread: evidence, reaches true`, `beyond: evidence, reaches true`, `not there: evidence, reaches true`, `unknown: evidence, reaches false`,
		`above: claims, reaches true`, `further: claims, reaches true`, `round: claims, reaches false`, `called: calls, reaches false`, `line 20: nothing, reaches false`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	last := g.Claims[len(g.Claims)-1]
	if g.Evidence != 5 || len(g.Unused) != 1 || g.Unused[0] != (UnusedEvidence{"e1", "mem://e1", 2}) || last.Type != "observed" || last.Statement != "It is so." {
		t.Errorf("%d pieces, unused %v, %+v", g.Evidence, g.Unused, last)
	}
	if unread, err := Ground(t.Context(), strings.NewReader(log), nil, stream.Limits{}); err != nil || unread.Claims[0].Supports[0].Holds != nil {
		t.Errorf("without files: %v", err)
	}
}

func TestGroundFails(t *testing.T) {
	if _, err := Ground(t.Context(), iotest.ErrReader(fs.ErrInvalid), nil, stream.Limits{}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a disk that fails: %v", err)
	}
	log := string(newRun(reasoningtest.Incident(reasoningtest.Flat).Files()).trace)
	var limit *stream.LimitError
	if _, err := Ground(t.Context(), strings.NewReader(log), nil, stream.Limits{IDs: 1}); !errors.As(err, &limit) || limit.Flag != "--max-ids" {
		t.Errorf("more than the limit: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Ground(ctx, strings.NewReader(log), nil, stream.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
