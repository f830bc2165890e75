package evidence

import "github.com/cupel-dev/cupel/internal/enum"

// Attribute is a member of the envelope that the contract defines.
type Attribute uint8

// The attributes with their required values. AttrOther is any other member, an extension, which is accepted and
// kept.
const (
	AttrOther Attribute = iota

	AttrData        // data: any JSON value
	AttrContentType // datacontenttype: a string
	AttrSpecVersion // specversion: the string "1.0"
	AttrSubject     // subject: a string or null
	AttrType        // type: a string

	AttrID              // id: a string: the run's id, a colon and the sequence number
	AttrSource          // source: a string, the URI of the runner
	AttrTime            // time: a string, an RFC 3339 timestamp in UTC
	AttrRunID           // assayrunid: a string
	AttrSequence        // assayseq: an integer from 0, the event's place in its run
	AttrContentHash     // assaycontenthash: a string, the recorded content hash
	AttrTraceParent     // traceparent: a string, the W3C trace parent, or null
	AttrTraceState      // tracestate: a string, the W3C trace state, or null
	AttrProducer        // assayproducer: a string
	AttrProducerVersion // assayproducerversion: a string
	AttrGit             // assaygit: a string, the producer's commit
	AttrPolicyID        // assaypolicyid: a string or null
	AttrPII             // assaypii: true or false
	AttrSecrets         // assaysecrets: true or false
	AttrSemanticDigest  // assaysemanticdigest: a string or null
	AttrDigestProfile   // assaydigestprofile: a string or null

	attributes // how many there are
)

// covered are the attributes under the content hash, in canonical order.
var covered = [5]Attribute{AttrData, AttrContentType, AttrSpecVersion, AttrSubject, AttrType}

// Covered reports whether the content hash covers the attribute.
func (a Attribute) Covered() bool { return AttrOther < a && a <= AttrType }

var attributeNames = [attributes]string{
	AttrOther: "other",

	AttrData: "data", AttrContentType: "datacontenttype", AttrSpecVersion: "specversion", AttrSubject: "subject", AttrType: "type",

	AttrID: "id", AttrSource: "source", AttrTime: "time",
	AttrRunID: "assayrunid", AttrSequence: "assayseq", AttrContentHash: recordedName,
	AttrTraceParent: "traceparent", AttrTraceState: "tracestate",
	AttrProducer: "assayproducer", AttrProducerVersion: "assayproducerversion", AttrGit: "assaygit",
	AttrPolicyID: "assaypolicyid", AttrPII: "assaypii", AttrSecrets: "assaysecrets",
	AttrSemanticDigest: "assaysemanticdigest", AttrDigestProfile: "assaydigestprofile",
}

const recordedName = "assaycontenthash"

// String returns the member's name, or "other" for AttrOther.
func (a Attribute) String() string { return attributeNames[min(a, attributes-1)] }

// MarshalText returns the attribute's name, or an error.
func (a Attribute) MarshalText() ([]byte, error) { return enum.Text(attributeNames[:], a) }

// UnmarshalText sets the attribute to the one with the name text.
func (a *Attribute) UnmarshalText(text []byte) error {
	return enum.Read("attribute", attributeNames[:], a, text)
}

// AttributeOf returns the attribute with a name, or AttrOther for a name that the contract does not define.
func AttributeOf(name string) Attribute { return attributeOf([]byte(name)) }

// attributeOf uses a switch for speed, because it is called for every member of every event.
func attributeOf(name []byte) Attribute {
	switch string(name) {
	case "data":
		return AttrData
	case "datacontenttype":
		return AttrContentType
	case "specversion":
		return AttrSpecVersion
	case "subject":
		return AttrSubject
	case "type":
		return AttrType
	case "id":
		return AttrID
	case "source":
		return AttrSource
	case "time":
		return AttrTime
	case "assayrunid":
		return AttrRunID
	case "assayseq":
		return AttrSequence
	case recordedName:
		return AttrContentHash
	case "traceparent":
		return AttrTraceParent
	case "tracestate":
		return AttrTraceState
	case "assayproducer":
		return AttrProducer
	case "assayproducerversion":
		return AttrProducerVersion
	case "assaygit":
		return AttrGit
	case "assaypolicyid":
		return AttrPolicyID
	case "assaypii":
		return AttrPII
	case "assaysecrets":
		return AttrSecrets
	case "assaysemanticdigest":
		return AttrSemanticDigest
	case "assaydigestprofile":
		return AttrDigestProfile
	}
	return AttrOther
}
