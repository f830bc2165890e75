package evidence

import (
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// defaultContentType replaces a missing or null datacontenttype: it is the default of CloudEvents' JSON format.
const defaultContentType = "application/json"

const specVersion = "1.0"

// checkEnvelope reports what prevents hashing the event. It returns true if nothing does.
func checkEnvelope(e *Event, f *findings) (hashable bool) {
	if data := e.get(AttrData); !data.Exists() {
		f.at(e, data, ruleDataMissing, "/data", "member data is missing")
	}
	if eventType := e.get(AttrType); !eventType.Is(strictjson.String) {
		f.at(e, eventType, ruleTypeMissing, "/type", stringWanted("type", eventType))
	}
	if version := e.get(AttrSpecVersion); !version.TextIs(specVersion) {
		f.at(e, version, ruleSpecVersion, "/specversion", specVersionMessage(version))
	}
	if subject := e.get(AttrSubject); !subject.Missing() && !subject.Is(strictjson.String) {
		f.at(e, subject, ruleSubject, "/subject", stringWanted("subject", subject)+" or null")
	}
	contentType := e.get(AttrContentType)
	if !contentType.Missing() && !contentType.Is(strictjson.String) {
		f.at(e, contentType, ruleContentType, "/datacontenttype", stringWanted("datacontenttype", contentType))
	}
	checkIntegers(e, f)
	hashable = f.counts.Errors == 0
	checkWide(e, f)
	if contentType.Missing() {
		f.at(e, contentType, ruleAssumed, "/datacontenttype",
			"member datacontenttype is "+absence(contentType)+", hashed as "+defaultContentType)
	}
	return hashable
}

// maxExact is the largest power of two up to which a double represents every integer.
const maxExact = 1 << 53

// checkIntegers reports integers in the data that a double cannot represent uniquely.
func checkIntegers(e *Event, f *findings) {
	const shortest = len("9007199254740993")
	for n := range e.get(AttrData).All() {
		if !n.Integer() || len(n.Raw()) < shortest {
			continue
		}
		if d, _ := n.Float(); d > maxExact || d < -maxExact || isRounded(n, d) {
			if f.full() { // a pointer takes a walk to the value: not for each of thousands
				f.omit(ruleUnsafe)
				continue
			}
			f.at(e, n, ruleUnsafe, n.Pointer(),
				"integer "+preview(n.Raw())+" is beyond 2^53; RFC 8785 hashes it as "+string(jcs.AppendFloat(nil, d)))
		}
	}
}

// isRounded reports whether a number of magnitude 2^53 was rounded from an adjacent integer.
func isRounded(n strictjson.Node, d float64) bool {
	i, ok := n.Int()
	return ok && float64(i) == d && (i > maxExact || i < -maxExact)
}

// checkWide reports the first number that exceeds a double. Only numbers that are not hashed remain here.
func checkWide(e *Event, f *findings) {
	if !e.doc.Wide {
		return
	}
	n := firstWide(e.root())
	f.at(e, n, ruleOutside, n.Pointer(),
		"number "+preview(n.Raw())+" is beyond a double: the content hash does not cover it, and the event has no envelope digest")
}

func absence(n strictjson.Node) string {
	if n.Exists() {
		return "null"
	}
	return "missing"
}

func stringWanted(name string, n strictjson.Node) string {
	if !n.Exists() {
		return "member " + name + " is missing"
	}
	return "member " + name + " is " + say.Article(n.Kind().String()) + ", expected a string"
}

func specVersionMessage(n strictjson.Node) string {
	if !n.Exists() {
		return `member specversion is missing, expected "1.0"`
	}
	return "member specversion is " + preview(n.Raw()) + `, expected the string "1.0"`
}
