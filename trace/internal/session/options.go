package session

import (
	"crypto/ed25519"

	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/second"
)

// Engine selects the implementation that writes canonical forms and validates payloads.
type Engine string

// The engines. Only the fast one supports canonicalizations other than RFC 8785.
const (
	Fast      Engine = "fast"      // cupel's own
	Reference Engine = "reference" // independent libraries
	Both      Engine = "both"      // both; a disagreement is an error
)

// Options configures the verification of a session log. The zero value applies the formats strictly and tries all
// canonicalizations.
type Options struct {
	Engine Engine        // "" is Fast
	Second second.Engine // asked by Reference and Both, which need it

	StrictPayload bool // a member outside the payload table is an error, not a note
	IntegrityOnly bool // leave payload rules out: the verdict is that of the chain

	// Canonicalization is "" or "auto" for RFC 8785 and then each known profile, "strict" for RFC 8785 only, or the
	// name of a profile. See Canonicalizations.
	Canonicalization string

	HMACKey []byte // key of the seal's HMAC; nil leaves it unchecked
	// TrustedKeys are Ed25519 keys. If set, one of them must have signed each event that the format signs.
	// Otherwise, the key announced in the log is used.
	TrustedKeys []ed25519.PublicKey

	ExpectCount *int64  // how many events the log must have; nil asks for nothing
	ExpectHead  string  // the hash that its last event must have, 64 lower-case digits; "" asks for nothing
	Anchor      *Anchor // expected beginning, or nil
	After       *After  // the events before the log's first; nil: it begins with its first
	Set         *Set    // what many sessions must be; nil asks for nothing
	Unended     bool    // an intact log may end anywhere: rules about its end do not apply
	Growing     bool    // more events are to come: rules about the log's end do not apply
	// Complete reports, at the end of a growing log, whether the log is complete. nil means false.
	Complete func() bool
	// OnEnd, if set, is called after each block once the log has an end. sealed reports whether that is a seal.
	OnEnd  func(sealed bool)
	Resume *State // where an earlier run stopped; nil starts afresh
	// LineName returns the name of a line for a message and whether the line is in another file than line from. The
	// default is "line 12", in the same file.
	LineName func(line, from int) (name string, elsewhere bool)

	Trail *Trail // records the events; nil: nothing does

	Sources cite.Sources // the files that events cite; nil: citations are not checked

	Look bool // the log is shown, not verified: see Looker

	sums bool // lines are read for a summary, which keeps other sums of ids
	// Keys are the secret for hashing ids, unless Resume sets it. The zero key is replaced by a random one, to
	// prevent crafted collisions.
	Keys siphash.Key
}

// open reports, at the end of a log, whether more events are expected.
func (o Options) open() bool { return o.Unended || o.Growing && (o.Complete == nil || !o.Complete()) }

// Check returns an error for an invalid option value.
func (o Options) Check() error {
	_, err := profilesOf(o.Canonicalization)
	return err
}

// other returns the reference engine if it is used, else nil.
func (o Options) other() second.Engine {
	if o.Engine == Reference || o.Engine == Both {
		return o.Second
	}
	return nil
}

// notCovered returns the limitations caused by options. tables says whether payloads have schemas.
func (o Options) notCovered(tables bool) (list []string) {
	if o.open() {
		list = append(list, "the log's end: it is still being written")
	}
	if o.IntegrityOnly && tables {
		list = append(list, "payload rules: skipped on request")
	}
	return list
}
