package session

import (
	"crypto/ed25519"

	"github.com/cupel-dev/cupel/internal/rfc6962"
	"github.com/cupel-dev/cupel/internal/siphash"
)

// State is the state from which the next run over a growing log continues: a snapshot of each part. Its JSON form
// is private to this version.
type State struct {
	Memory   memory
	Sums     []byte      // the running digest of the seals
	ToolIDs  []byte      // 16 bytes for each call
	EventIDs []byte      // 8 bytes for each event
	Keys     siphash.Key // what ids are remembered under
	Rejected bool
}

// memory holds the snapshots of the parts. Its size is fixed except for at most 1,000 damages; State adds 16 to 28
// bytes per tool call and 8 per event id.
type memory struct {
	tally
	Last   position
	Chain  tracker
	Leaves rfc6962.Tree
	Key    ed25519.PublicKey
	identityState
	authorityState
	courseState
	eventIDsState
	Clocks   clocksState
	Unproven unproven
	Versions uint8
	Profile  uint8
	Seal     sealState
	Signed   [sigStates - 1]int64
	Merkle   sigState
	MAC      sigState
}

// tally counts records and findings.
type tally struct {
	Records int64
	Events  int64
	Misfits int64
	Broken  int64 // errors that touch integrity
}

// snapshot returns the state of all parts, which shares memory with them.
func (p *parts) snapshot(t tally) (*State, error) {
	sums, err := p.seal.digest.sums()
	if err != nil {
		return nil, err
	}
	return &State{
		Memory: memory{
			tally: t, Last: p.chain.last, Chain: p.chain.track, Leaves: p.merkle.Leaves, Key: p.signatures.Key,
			identityState: p.identity.identityState, authorityState: p.authority.authorityState, courseState: p.course.courseState,
			eventIDsState: p.eventIDs.eventIDsState, Clocks: p.clocks.clocksState, Unproven: p.scope.Unproven,
			Versions: p.versions.Versions, Profile: p.profiles.Profile, Seal: p.seal.Seal, Signed: p.signatures.Signed,
			Merkle: p.merkle.Merkle, MAC: p.seal.MAC,
		},
		Sums: sums, ToolIDs: p.tools.ids.bytes(), EventIDs: p.eventIDs.bytes(),
	}, nil
}

func (p *parts) restore(s *State) error {
	m := &s.Memory
	p.chain.last, p.chain.track = m.Last, m.Chain
	p.merkle.Leaves, p.merkle.Merkle = m.Leaves, m.Merkle
	p.signatures.Key, p.signatures.Signed = m.Key, m.Signed
	p.identity.identityState, p.authority.authorityState, p.course.courseState = m.identityState, m.authorityState, m.courseState
	p.eventIDs.eventIDsState, p.clocks.clocksState, p.scope.Unproven = m.eventIDsState, m.Clocks, m.Unproven
	p.versions.Versions, p.profiles.Profile = m.Versions, m.Profile
	p.seal.Seal, p.seal.MAC = m.Seal, m.MAC
	if err := p.seal.digest.load(s.Sums); err != nil {
		return err
	}
	if err := p.eventIDs.load(s.EventIDs); err != nil {
		return err
	}
	return p.tools.ids.load(s.ToolIDs)
}
