package trace

import (
	"testing"

	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// TestNamesAgree holds the names that callers see to those that the checkers write.
func TestNamesAgree(t *testing.T) {
	for _, names := range [][2]string{
		{string(IntegrityValid), string(stream.IntegrityValid)},
		{string(IntegrityInvalid), string(stream.IntegrityInvalid)},
		{string(IntegrityRejected), string(stream.IntegrityRejected)},
		{string(IntegrityAbsent), string(stream.IntegrityAbsent)},
		{string(AuthoritativeEvidence), string(stream.AuthoritativeEvidence)},
		{string(PartialAuthoritativeEvidence), string(stream.PartialAuthoritativeEvidence)},
		{string(NonAuthoritativeEvidence), string(stream.NonAuthoritativeEvidence)},
		{string(UnknownEvidence), string(stream.UnknownEvidence)},
		{string(DamageEdited), string(stream.DamageEdited)},
		{string(DamageRemoved), string(stream.DamageRemoved)},
		{string(DamageInserted), string(stream.DamageInserted)},
		{string(DamageSwapped), string(stream.DamageSwapped)},
		{string(DamageRepeated), string(stream.DamageRepeated)},
		{string(DamageCut), string(stream.DamageCut)},
		{string(SignatureAbsent), string(stream.SignatureAbsent)},
		{string(SignatureValid), string(stream.SignatureValid)},
		{string(SignatureInvalid), string(stream.SignatureInvalid)},
		{string(SignatureUnchecked), string(stream.SignatureUnchecked)},
	} {
		if names[0] != names[1] {
			t.Errorf("%q is %q to the checkers", names[0], names[1])
		}
	}
}
