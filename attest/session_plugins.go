package attest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"sync"
)

// rememberedPlugins is how many submitted plugin results an engine keeps.
const rememberedPlugins = 10_000

// pluginStore keeps the results that clients submit (§2.4) for assertions of the type
// plugin. A later submission replaces an earlier one; beyond its size the store
// forgets what was submitted first.
type pluginStore struct {
	mu      sync.Mutex
	results map[pluginKey]pluginResult
	order   []pluginKey // a ring, once full
	next    int         // the place in order that is overwritten next
}

// pluginKey is the digest of a trace_id, an assertion_id and a plugin_name.
type pluginKey [sha256.Size]byte

// pluginResult is what a plugin said of one trace.
type pluginResult struct {
	status      string
	score       float64
	explanation string
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

func (s *pluginStore) put(p pluginSubmission) {
	key := newPluginKey(p.traceID, p.assertionID, p.plugin)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.results == nil {
		s.results = map[pluginKey]pluginResult{}
	}
	if _, known := s.results[key]; !known {
		s.remember(key)
	}
	s.results[key] = pluginResult{p.status, p.score, strings.Clone(preview(p.explanation))}
}

// remember makes room for a key.
func (s *pluginStore) remember(key pluginKey) {
	if len(s.order) < rememberedPlugins {
		s.order = append(s.order, key)
		return
	}
	delete(s.results, s.order[s.next])
	s.order[s.next] = key
	s.next = (s.next + 1) % len(s.order)
}

func (s *pluginStore) get(traceID, assertionID, plugin string) (pluginResult, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.results[newPluginKey(traceID, assertionID, plugin)]
	return r, ok
}

// pluginCheck answers with the result that a client has submitted for the trace, the
// assertion and the plugin.
type pluginCheck struct {
	store       *pluginStore
	plugin      string
	assertionID string // set when the assertion is evaluated
}

func compilePlugin(s *spec) check {
	return pluginCheck{store: &s.engine.plugins, plugin: s.need("plugin_id")}
}

func (c pluginCheck) evaluate(_ context.Context, t *trace) verdict {
	r, ok := c.store.get(t.id, c.assertionID, c.plugin)
	if !ok {
		return verdict{outcome: violated, fleeting: true, explanation: fmt.Sprintf(
			"Not evaluated: plugin %s submitted no result for this trace and assertion; send submit_plugin_result first.", quote(c.plugin))}
	}
	return verdict{given: &r, explanation: r.explanation}
}
