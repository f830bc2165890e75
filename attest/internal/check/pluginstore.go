package check

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// rememberedPlugins limits the stored plugin results.
const rememberedPlugins = 10_000

// PluginStore holds submitted results (§2.4) for assertions of type plugin. A later submission replaces an earlier
// one. Beyond its size, it drops the oldest.
type PluginStore struct {
	mu      sync.Mutex
	results map[pluginKey]PluginResult
	order   []pluginKey // a ring, once full
	next    int         // the place in order that is overwritten next
}

// pluginKey is the digest of a trace_id, an assertion_id and a plugin_name.
type pluginKey [sha256.Size]byte

// PluginResult is a plugin's result for a trace.
type PluginResult struct {
	Status      string
	Score       float64
	Explanation string
	Cost        float64 // USD
	DurationMS  int64   // that the plugin took
	Metadata    string  // a JSON object, or "": of a size that the caller bounds
	Omitted     int     // members that Metadata lacks
}

func newPluginKey(traceID, assertionID, plugin string) (k pluginKey) {
	h := sha256.New()
	for _, part := range []string{traceID, assertionID, plugin} {
		_, _ = fmt.Fprintf(h, "%d ", len(part)) // hashing never fails
		_, _ = io.WriteString(h, part)
	}
	h.Sum(k[:0])
	return k
}

func (s *PluginStore) Put(traceID, assertionID, plugin string, r PluginResult) {
	key := newPluginKey(traceID, assertionID, plugin)
	r.Explanation = strings.Clone(wording.Preview(r.Explanation))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.results == nil {
		s.results = map[pluginKey]PluginResult{}
	}
	if _, known := s.results[key]; !known {
		s.remember(key)
	}
	s.results[key] = r
}

// remember adds a key and drops the oldest if there are too many.
func (s *PluginStore) remember(key pluginKey) {
	if len(s.order) < rememberedPlugins {
		s.order = append(s.order, key)
		return
	}
	delete(s.results, s.order[s.next])
	s.order[s.next] = key
	s.next = (s.next + 1) % len(s.order)
}

func (s *PluginStore) get(traceID, assertionID, plugin string) (PluginResult, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.results[newPluginKey(traceID, assertionID, plugin)]
	return r, ok
}
