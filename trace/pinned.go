package trace

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/session"
)

// pinSessions compares a log's sessions with its anchor. Findings on single sessions go to their reports.
func pinSessions(opt *Options, most int, r *Report, seen map[[sha256.Size]byte]*session.One) {
	known := map[[sha256.Size]byte]bool{}
	var list []Finding
	add := func(message, hint string) {
		f := rules[sessionsDiffer].New(message)
		f.File, f.Help = r.Input, hint
		list = append(list, f)
	}
	for _, s := range opt.Anchor.Sessions {
		if known[s.key()] = true; seen[s.key()] == nil {
			add(fmt.Sprintf("session %s, which the anchor has with %s, is missing", sessionName(s.Session), say.Counted(s.Events, "event")), "")
		}
	}
	if !opt.AnchorGrowing {
		for _, key := range slices.SortedFunc(maps.Keys(seen), func(a, b [sha256.Size]byte) int { return seen[a].Line - seen[b].Line }) {
			if one := seen[key]; !known[key] {
				var id *string
				if one.Named {
					id = &one.ID
				}
				add(fmt.Sprintf("session %s is not in the anchor: it was added", sessionName(id)), "pass --growing to accept added sessions and longer ones")
			}
		}
	}
	if len(list) == 0 {
		return
	}
	r.Verdict = worst([]Verdict{r.Verdict, Invalid}, Rejected, Invalid)
	r.Integrity = worst([]Integrity{r.Integrity, IntegrityInvalid}, IntegrityRejected, IntegrityInvalid)
	r.EvidenceClass = ""
	r.Errors += len(list)
	kept := min(len(list), most)
	r.Findings, r.Omitted = append(r.Findings, list[:kept]...), r.Omitted+len(list)-kept
}

func sessionName(id *string) string {
	if id == nil {
		return "without an id"
	}
	return strconv.Quote(*id)
}
