package envelope

import (
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/cite"
)

// View is an event's typed envelope. Absent, null and mistyped members have the zero value or the
// default. Texts are unescaped and can refer to the event's text.
type View struct {
	Type        []byte
	ContentType []byte
	Source      []byte
	ID          []byte
	RunID       []byte
	Subject     []byte // nil if missing; not nil if it is the empty text

	Sequence  uint64
	Sequenced bool // there is a sequence number

	Time  Time
	Timed bool // there is a time; one that departs from the contract's form counts

	Producer        []byte
	ProducerVersion []byte
	Git             []byte // "unknown" when it is not there
	PII, Secrets    bool   // false when they are not there

	Cites     bool // the data cites a source, as package cite describes it
	Canonical bool // the event is written in canonical JSON (RFC 8785); false unless an option asks
}

// unknownGit is assaygit if the producer's commit is unknown.
var unknownGit = []byte("unknown")

func (v *View) read(e *evidence.Event) {
	text := func(a evidence.Attribute) []byte { return e.Get(a).TextBytes(nil) }
	v.Type, v.ContentType = text(evidence.AttrType), text(evidence.AttrContentType)
	v.Source, v.ID, v.RunID = text(evidence.AttrSource), text(evidence.AttrID), text(evidence.AttrRunID)
	v.Subject = text(evidence.AttrSubject)
	v.Producer, v.ProducerVersion = text(evidence.AttrProducer), text(evidence.AttrProducerVersion)
	if v.Git = text(evidence.AttrGit); v.Git == nil {
		v.Git = unknownGit
	}
	v.Cites = e.Get(evidence.AttrData).Get(cite.Name).Get("content_path").Exists()
	v.PII, _ = e.Get(evidence.AttrPII).Bool()
	v.Secrets, _ = e.Get(evidence.AttrSecrets).Bool()
}
