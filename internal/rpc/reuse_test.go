package rpc

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestMemoryIsNotShared keeps many requests of all sizes under way, whose lines and
// answers use the memory of earlier ones: each answer must hold what its own request
// sent.
func TestMemoryIsNotShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const requests = 400
		sizes := []int{0, 1, 100, 5_000, 60_000, readChunk - 70, readChunk, 200_000, 700_000}
		params := func(id int) string {
			return `["` + strings.Repeat(string(rune('a'+id%26)), sizes[id%len(sizes)]) + fmt.Sprint(id) + `"]`
		}
		s := start(t.Context(), t, Options{})
		go func() {
			for id := range requests {
				method := []string{"work", "unread", "echo"}[id%3]
				s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params(id)))
				if id%50 == 0 {
					synctest.Wait() // for once, nothing else is under way
				}
			}
			_ = s.in.Close()
		}()
		for range requests {
			var id int
			got := s.readLine()
			if _, err := fmt.Sscanf(got, `{"jsonrpc":"2.0","id":%d,`, &id); err != nil {
				t.Fatalf("%.100s: %v", got, err)
			}
			if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, params(id)); got != want {
				t.Errorf("request %d: got %.60s…%s, want %.60s…", id, got, got[max(0, len(got)-20):], want)
			}
		}
		s.ends()
	})
}

// TestRelief sends one request that takes long while nothing else is under way, so that
// the goroutine that reads does its work, and then others: they are answered all the
// same, again and again.
func TestRelief(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t.Context(), t, Options{})
		for id := range 100 {
			s.write(call(2*id, "hold"))
			if id%2 == 1 {
				time.Sleep(time.Duration(id) * 50 * time.Microsecond) // in no time: around the patience of the relief
			}
			s.write(call(2*id+1, "work"))
			if got, want := s.readLine(), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":null}`, 2*id+1); got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
			s.fake.hold <- struct{}{}
			if got, want := s.readLine(), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":null}`, 2*id); got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
		}
		_ = s.in.Close()
		s.ends()
	})
}

// TestNothingStaysBehind: when the input has ended no goroutine is left; a bubble does not
// end before its last one has.
func TestNothingStaysBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 10 {
			serveAll(t, strings.Repeat(call(1, "work"), 200))
		}
	})
}
