package session

import (
	"crypto/ed25519"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/second"
)

// Engine is an implementation that writes canonical forms and validates payloads.
type Engine string

// The engines. Canonicalizations other than RFC 8785 exist in cupel's own alone.
const (
	Fast      Engine = "fast"      // cupel's own
	Reference Engine = "reference" // independent libraries
	Both      Engine = "both"      // both; a disagreement is an error
)

// Options configures the verification of a session log. The zero value verifies strictly by the
// formats, under every canonicalization of real logs.
type Options struct {
	Engine Engine        // "" is Fast
	Second second.Engine // asked by Reference and Both, which need it

	StrictPayload bool // a member outside the payload table is an error, not a note
	IntegrityOnly bool // leave payload rules out: the verdict is that of the chain

	// Canonicalization is "" or "auto" for RFC 8785 and then each profile of real logs, "strict"
	// for RFC 8785 only, or a profile's name. See Canonicalizations.
	Canonicalization string

	HMACKey []byte // key of the seal's HMAC; nil leaves it unchecked
	// TrustedKeys are Ed25519 keys, one of which must have signed each event that the format signs.
	// Without keys, the key announced in the log is used.
	TrustedKeys []ed25519.PublicKey

	ExpectCount *int64  // how many events the log must have; nil asks for nothing
	ExpectHead  string  // the hash that its last event must have, 64 lower-case digits; "" asks for nothing
	Anchor      *Anchor // expected beginning, or nil
	After       *After  // the events before the log's first; nil: it begins with its first
	Set         *Set    // what many sessions must be; nil asks for nothing
	Unended     bool    // an intact log may end anywhere: rules about its end do not apply
	Growing     bool    // more events are to come: rules about the log's end do not apply
	// Complete is asked at the end of a growing log whether nothing more will come after all; nil says no.
	Complete func() bool
	// OnEnd, if set, is called after each block since the log has an end, sealed or not.
	OnEnd  func(sealed bool)
	Resume *State // where an earlier run stopped; nil starts afresh
	// LineName names another line in a message and reports whether it is in another file; nil: "line 12", same file.
	LineName func(line, from int) (name string, elsewhere bool)

	Trail *Trail // records the events; nil: nothing does

	Look bool // the log is shown, not verified: see Looker

	sums bool // lines are read for a summary, which keeps other sums of ids
	// Keys hashes ids, unless Resume sets it. The zero key is replaced by a random one, to prevent
	// crafted collisions.
	Keys siphash.Key
}

// open says, at the end of a log, that more events are to come.
func (o Options) open() bool { return o.Unended || o.Growing && (o.Complete == nil || !o.Complete()) }

// Check returns an error for a value of the options that is not known.
func (o Options) Check() error {
	_, err := profilesOf(o.Canonicalization)
	return err
}

// other returns the second engine when it is to be asked, else nil.
func (o Options) other() second.Engine {
	if o.Engine == Reference || o.Engine == Both {
		return o.Second
	}
	return nil
}

// notCovered returns the limitations due to options, for payloads with or without tables.
func (o Options) notCovered(tables bool) (list []string) {
	if o.open() {
		list = append(list, "the log's end: it is still being written")
	}
	if o.IntegrityOnly && tables {
		list = append(list, "payload rules: skipped on request")
	}
	return list
}
