package session

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/cupel-dev/cupel/internal/jcs"
)

// Profiles are the canonicalizations of session logs in the order to try: RFC 8785 first, then by date.
var Profiles = []*jcs.Profile{
	jcs.RFC8785,
	{Name: "agentops-2026-01-22a", Python: true, Zero: "0", NegativeZero: "-0"},
	{Name: "agentops-2026-01-22b", Python: true, Zero: "0", NegativeZero: "-0", NFC: true},
	{Name: "agentops-2026-01-22c", Python: true, Zero: "0", NegativeZero: "-0", NFC: true, UTF16Order: true},
	{Name: "agentops-2026-01-29a", Python: true, Zero: "0", NegativeZero: "0", NFC: true, UTF16Order: true},
	{Name: "agentops-2026-01-29b", Python: true, Zero: "0", NegativeZero: "0", UTF16Order: true},
}

// Canonicalizations returns the valid values of Options.Canonicalization.
func Canonicalizations() []string {
	names := []string{"auto", "strict"}
	for _, p := range Profiles {
		names = append(names, p.Name)
	}
	return names
}

func profilesOf(choice string) (list []*jcs.Profile, err error) {
	switch choice {
	case "", "auto":
		return Profiles, nil
	case "strict":
		return Profiles[:1], nil
	}
	for _, p := range Profiles {
		if p.Name == choice {
			return []*jcs.Profile{p}, nil
		}
	}
	return nil, fmt.Errorf("unknown canonicalization %q", choice)
}

func namesOf(profiles []*jcs.Profile) string {
	if len(profiles) == 1 {
		return profiles[0].Name
	}
	return fmt.Sprintf("%s and %d older canonicalizations", profiles[0].Name, len(profiles)-1)
}

func profileBit(p *jcs.Profile) uint8 {
	for i, q := range Profiles {
		if p == q {
			return 1 << i
		}
	}
	return 0
}

// rfc8785Bit is the bit of RFC 8785 in a set of profiles.
const rfc8785Bit = 1 << 0

// profileLog records which canonicalizations matched a hash of the log.
type profileLog struct{ Profile uint8 }

func (p *profileLog) take(e *event) { p.Profile |= e.profiles }

func (p *profileLog) names() (names []string) {
	for rest := p.Profile; rest != 0; rest &= rest - 1 {
		names = append(names, Profiles[bits.TrailingZeros8(rest)].Name)
	}
	slices.Sort(names)
	return names
}
