package session

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// looseReader looks for members that have a meaning only in envelopes with hashes.
type looseReader struct{}

func (looseReader) read(_ *record, e *event) {
	for _, m := range []member{eventID, timestampWall, timestampMonotonic, timestamp} {
		if e.has(m) {
			e.unproven |= looseMember
		}
	}
}

// scope records which kinds of content cannot be verified.
type scope struct{ Unproven unproven }

func (p *scope) take(e *event) { p.Unproven |= e.unproven }

// ofEvents returns the limitations for event members other than payloads.
func (p *scope) ofEvents() []string {
	if p.Unproven&looseMember == 0 {
		return nil
	}
	return []string{"event ids and times: the log carries no hashes that would tie them to their events, so they are not read"}
}

func (p *scope) ofPayloads(saw func(eventType) bool) (list []string) {
	if names := typesWithoutTable(saw); len(names) > 0 {
		list = append(list, fmt.Sprintf("payloads of %s: the schema has no table for them; only the rules of seals and dropped events apply", strings.Join(names, ", ")))
	}
	if p.Unproven&objectHash != 0 {
		list = append(list, "hashes next to objects and arrays: the schema does not define the bytes of args_hash, result_hash and messages_hash")
	}
	if p.Unproven&redactedValue != 0 {
		list = append(list, "redacted values: only the presence and form of their hashes are checked; comparing needs the removed values and the salt")
	}
	if saw(decisionTrace) {
		list = append(list, "freeform thoughts: only a reader can judge whether a justification names a policy, rule or logic, as the schema requires")
	}
	return list
}

// typesWithoutTable returns the types that occurred and do not have a payload schema.
func typesWithoutTable(saw func(eventType) bool) (names []string) {
	for _, t := range []struct {
		kind eventType
		name string
	}{{stateSnapshot, "AGENT_STATE_SNAPSHOT"}, {chainSeal, "CHAIN_SEAL"}, {logDrop, "LOG_DROP"}} {
		if saw(t.kind) {
			names = append(names, t.name)
		}
	}
	return names
}

func isContainer(n strictjson.Node) bool {
	return n.Is(strictjson.Object) || n.Is(strictjson.Array)
}
