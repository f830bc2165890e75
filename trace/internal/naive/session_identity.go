package naive

import (
	"fmt"
	"slices"
)

// identities checks the members that must be equal in all events.
type identities struct{ *session }

func (s identities) check() {
	s.names()
	s.versions()
}

// names checks that a log has one session and one authority. It reports a run of deviating events once.
func (s identities) names() {
	var sessions, authorities []named
	for _, e := range s.events {
		if e.hasID {
			sessions = append(sessions, named{e.line, e.session})
		}
		authorities = append(authorities, named{e.line, standard(e.members["chain_authority"])})
	}
	s.runs("session.mismatch", sessions)
	if s.is("session-v0", "session-bare") {
		s.runs("authority.mixed", authorities)
	}
}

// named is a value that must be equal in all events.
type named struct {
	line int
	name string
}

func (s identities) runs(rule string, list []named) {
	for i, e := range list {
		if e.name != list[0].name && list[i-1].name == list[0].name {
			s.wrong(rule, e.line)
		}
	}
}

// versions reports a log without versions, or with several.
func (s identities) versions() {
	if s.family != "session-v0" {
		return
	}
	seen := map[string]bool{}
	for _, e := range s.events {
		_, stated := text(e.members, "schema_ver")
		key := fmt.Sprint(stated, e.version)
		if seen[key] || stated && !slices.Contains([]string{"v0.2", "v0.4", "v0.5", "v0.6"}, e.version) {
			continue
		}
		if len(seen) > 0 {
			s.note("version.mixed", e.line)
		}
		seen[key] = true
		if !stated {
			s.note("version.absent", e.line)
		}
	}
}
