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

// AnchorSchema names the JSON form of Anchor.
const AnchorSchema = "cupel.anchor/1"

// Anchor pins a log as it was: how many events, which one last, and all of its bytes.
// Kept where the log's writer cannot reach it, it proves later that the log was not
// cut or rewritten, and that a longer log still begins with this one.
type Anchor struct {
	Schema string `json:"schema"`
	Input  string `json:"input"` // the log's name then; for the reader alone
	Family Family `json:"family"`
	Events int64  `json:"events"`
	Head   string `json:"head"`   // hash of the last event; "" for a log without hashes
	Bytes  int64  `json:"bytes"`  // length of the log
	SHA256 string `json:"sha256"` // digest of these bytes, 64 lower-case digits

	// Of a log of many sessions, whose order does not matter: By is the member that tells them apart,
	// and Head, Bytes and SHA256 are not compared.
	By       string          `json:"by,omitempty"`
	Sessions []SessionAnchor `json:"sessions,omitempty"`
}

// SessionAnchor pins one session of a log.
type SessionAnchor struct {
	Session *string `json:"session_id"` // nil: the events that name none
	Family  Family  `json:"family"`
	Events  int64   `json:"events"`
	Head    string  `json:"head"`
}

// set is what the sessions of a log must be, as their checkers take it.
func (a *Anchor) set(growing bool) *session.Set {
	set := &session.Set{Of: map[[sha256.Size]byte]session.Anchor{}, Growing: growing}
	for _, s := range a.Sessions {
		set.Of[s.key()] = session.Anchor{Events: s.Events, Head: s.Head}
	}
	return set
}

// key is what the session is found by.
func (s SessionAnchor) key() (key [sha256.Size]byte) {
	if s.Session != nil {
		key = sha256.Sum256([]byte(*s.Session))
	}
	return key
}

// pinSessions compares the sessions that a log has with those that its anchor knows. Faults of single
// sessions are findings of theirs.
func (v *verification) pinSessions(r *Report, seen map[[sha256.Size]byte]*session.One) {
	known := map[[sha256.Size]byte]bool{}
	var list []Finding
	add := func(message, hint string) {
		f := rules[sessionsDiffer].New(message)
		f.File, f.Help = r.Input, hint
		list = append(list, f)
	}
	for _, s := range v.opt.Anchor.Sessions {
		if known[s.key()] = true; seen[s.key()] == nil {
			add(fmt.Sprintf("session %s, which the anchor has with %s, is missing", sessionName(s.Session), say.Counted(s.Events, "event")), "")
		}
	}
	if !v.opt.AnchorGrowing {
		for _, key := range slices.SortedFunc(maps.Keys(seen), func(a, b [sha256.Size]byte) int { return seen[a].Line - seen[b].Line }) {
			if one := seen[key]; !known[key] {
				var id *string
				if one.Named {
					id = &one.ID
				}
				add(fmt.Sprintf("session %s is not in the anchor: it was added", sessionName(id)), "--growing accepts sessions that were added, and longer ones")
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
	kept := min(len(list), v.limits.Findings)
	r.Findings, r.Omitted = append(r.Findings, list[:kept]...), r.Omitted+len(list)-kept
}

// sessionName is a session's id in a message.
func sessionName(id *string) string {
	if id == nil {
		return "without an id"
	}
	return strconv.Quote(*id)
}
