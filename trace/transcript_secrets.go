package trace

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/transcript/check"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

type secretSearch struct {
	set     *secrets.Set
	scanner *secrets.Scanner
	add     func(Finding)
	text    []byte
}

func newSecretSearch(add func(Finding)) (*secretSearch, error) {
	set, err := secrets.Credentials()
	if err != nil {
		return nil, err
	}
	return &secretSearch{set: set, scanner: secrets.NewScanner(set), add: add}, nil
}

// take reports each kind of secret in a record once, with the count and first position. Findings do not contain the
// secret.
func (s *secretSearch) take(_ string, r *transcript.Record) {
	type place struct {
		n    int64
		node strictjson.Node
	}
	var rules []string
	found := map[string]*place(nil)
	note := func(rule string, n strictjson.Node) {
		if found == nil {
			found = map[string]*place{}
		}
		if found[rule] == nil {
			found[rule] = &place{node: n}
			rules = append(rules, rule)
		}
		found[rule].n++
	}
	for n := range r.Root.All() {
		if !n.Is(strictjson.String) {
			continue
		}
		s.text = append(s.text[:0], n.TextBytes(nil)...)
		if rule, secret := s.set.Member(n.KeyBytes(nil), s.text); secret {
			note(rule, n)
			continue
		}
		for _, h := range s.scanner.Scan(s.text) {
			note(h.Rule, n)
		}
	}
	slices.Sort(rules)
	for _, rule := range rules {
		p := found[rule]
		f := check.Finding(transcript.Fault{
			Rule: "secret", Line: r.LineOf(p.node), Type: r.Type,
			Message: fmt.Sprintf("%s of the kind %s in a record", say.Counted(p.n, "secret"), rule),
			Help:    "anyone who gets the file gets the secret: change it, and share a redacted copy",
		})
		f.Path = stream.DottedPath(p.node.Pointer())
		f.Severity = finding.Error
		s.add(f)
	}
}
