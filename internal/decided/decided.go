// Package decided lists the files other than inputs that affect verdicts, such as configuration, baseline, anchor
// and plan, each with its digest and effect.
package decided

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// File is a file that affects the verdicts.
type File struct {
	Role    string   `json:"role"` // Configuration, Baseline, "anchor", "plan", …
	Name    string   `json:"name"`
	SHA256  string   `json:"sha256"` // of its bytes, in hex
	Bytes   int64    `json:"bytes"`
	Effects []Effect `json:"effects"` // empty: it was compared with the inputs, and left nothing out
}

// Effect is the effect of a file.
type Effect struct {
	Effect string `json:"effect"`          // one of the constants below
	By     string `json:"by,omitempty"`    // the place of the line that did it, and the line's words
	Count  int    `json:"count,omitempty"` // files or findings
}

// The roles of files that exclude something.
const (
	Configuration = "configuration"
	Baseline      = "baseline"
)

// The effects.
const (
	FilesExcluded    = "files_excluded"
	FindingsIgnored  = "findings_ignored"
	FindingsAccepted = "findings_accepted" // by a baseline
	Sets             = "sets"              // a setting counts instead of the default
)

// leavings are the effects that exclude something, with their descriptions.
var leavings = []struct{ effect, word string }{
	{FindingsIgnored, "ignored"}, {FindingsAccepted, "accepted"}, {FilesExcluded, "excluded"},
}

// LeavesOut describes on one line which findings files excluded, or returns "". It omits baselines unless accepted
// is set.
func LeavesOut(list []File, accepted bool) string {
	var parts []string
	for _, f := range list {
		by := f.Name
		if f.Role == Baseline {
			by = "the baseline " + f.Name
		}
		for _, l := range leavings {
			n := f.count(l.effect)
			if n == 0 || l.effect == FindingsAccepted && !accepted {
				continue
			}
			what := strconv.Itoa(n) + " findings"
			switch {
			case l.effect == FilesExcluded:
				what = strconv.Itoa(n)
			case n == 1:
				what = "1 finding"
			}
			parts = append(parts, what+" "+l.word+" by "+by)
		}
	}
	return strings.Join(parts, "; ")
}

func (f *File) count(effect string) (n int) {
	for _, e := range f.Effects {
		if e.Effect == effect {
			n += e.Count
		}
	}
	return n
}

func (f *File) did(effect, by string, count int) {
	i := slices.IndexFunc(f.Effects, func(e Effect) bool { return e.Effect == effect && e.By == by })
	if i < 0 {
		i = len(f.Effects)
		f.Effects = append(f.Effects, Effect{Effect: effect, By: by})
	}
	f.Effects[i].Count += count
}

// sorted sorts files by role and name, and their effects by line.
func sorted(list []File) []File {
	slices.SortFunc(list, func(a, b File) int {
		return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Name, b.Name), cmp.Compare(a.SHA256, b.SHA256))
	})
	for _, f := range list {
		slices.SortFunc(f.Effects, func(a, b Effect) int { return cmp.Or(cmp.Compare(a.By, b.By), cmp.Compare(a.Effect, b.Effect)) })
	}
	return list
}
