package trace

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// Terms are the parameters that a session log's verdict depends on: cupel's version and each relevant option, by
// flag. Values are SHA-256 digests, so that keys are not stored.
type Terms map[string]string

// termsOf returns the terms of a run. It omits concurrency, report limits and memory limits, which do not change
// the verdict.
func termsOf(o *Options) Terms {
	limits := stream.Limits(o.Limits).WithDefaults()
	terms := Terms{}
	for name, value := range map[string]any{
		"version of cupel":   buildinfo.Version,
		"--engine":           cmp.Or(o.Engine, Fast),
		"--strict":           o.Strict,
		"--max-line-bytes":   limits.LineBytes,
		"--max-depth":        limits.Depth,
		"--max-keys":         limits.Keys,
		"--max-values":       limits.Values,
		"--strict-payload":   o.Session.StrictPayload,
		"--integrity-only":   o.Session.IntegrityOnly,
		"--canonicalization": cmp.Or(o.Session.Canonicalization, "auto"),
		"--hmac-key-file":    string(o.Session.HMACKey),
		"--key":              slices.SortedFunc(slices.Values(o.Session.TrustedKeys), func(a, b ed25519.PublicKey) int { return bytes.Compare(a, b) }),
	} {
		terms.add(name, value)
	}
	if o.Session.Sources != nil {
		terms.add("--sources", true)
	}
	return terms
}

func (t Terms) add(name string, value any) {
	sum := sha256.Sum256(fmt.Append(nil, name, "=", value))
	t[name] = hex.EncodeToString(sum[:])
}

// differ returns the sorted names of terms that are missing or different in other.
func (t Terms) differ(other Terms) (names []string) {
	all := maps.Clone(other)
	maps.Copy(all, t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if t[name] != other[name] {
			names = append(names, name)
		}
	}
	return names
}

// others formats terms for an error message: "another --strict, another --max-keys".
func others(differ []string) string { return "another " + strings.Join(differ, ", another ") }

func (t Terms) put(w *wire.Writer) {
	w.Uint(uint64(len(t)))
	for _, name := range slices.Sorted(maps.Keys(t)) {
		w.Text(name)
		w.Text(t[name])
	}
}

func readTerms(r *wire.Reader) (t Terms) {
	before := ""
	for range r.Count(2) {
		name, value := r.Text(), r.Text()
		if name <= before {
			r.Fail("terms that are not in order")
			return nil
		}
		if before = name; t == nil {
			t = Terms{}
		}
		t[name] = value
	}
	return t
}

func (t Terms) digest() digest.Sum {
	var w wire.Writer
	t.put(&w)
	return digest.Of(w.Bytes)
}
