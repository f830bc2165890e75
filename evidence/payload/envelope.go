package payload

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/internal/say"
)

// envelopeRules maps details of the verification to rules.
var envelopeRules = map[string]rule{
	"member.missing":        attributeMissing,
	"hash.missing":          attributeMissing,
	"member.type":           attributeType,
	"specversion.invalid":   versionOther,
	"run_id.empty":          identity,
	"run_id.colon":          identity,
	"id.mismatch":           identity,
	"source.not_uri":        sourceNotURI,
	"time.syntax":           timeNotUTC,
	"time.not_utc":          timeNotUTC,
	"time.leap_second":      leapSecond,
	"seq.syntax":            sequenceRange,
	"seq.range":             sequenceRange,
	"seq.wide":              sequenceWide,
	"traceparent.malformed": traceParent,
}

// Covers returns the rule equivalent to a finding of the verification, by detail and pointer. Callers that report
// both omit one.
func Covers(detail, pointer string) (id string, ok bool) {
	r, ok := envelopeRules[detail]
	if !ok || assumed(detail, pointer) {
		return "", false
	}
	return rules[r].ID, true
}

// assumed reports whether a fault is a missing datacontenttype, which the verification requires and ADR-006 does
// not list.
func assumed(detail, pointer string) bool {
	return detail == "member.missing" && pointer == "/"+evidence.AttrContentType.String()
}

func (c *Checker) checkEnvelope(r *evidence.Result) envelope.View {
	view, faults := c.envelope.Check(r)
	for i := range faults {
		c.translate(&faults[i])
	}
	c.unlisted()
	c.source(view.Source)
	c.traceContext()
	c.subject(view.Subject)
	c.eventType(view.Type)
	c.digestPair()
	c.contentType()
	c.extensions()
	c.texts()
	return view
}

// translate reports the verification's envelope faults as this package's rules.
func (c *Checker) translate(f *envelope.Fault) {
	r, ok := envelopeRules[f.Detail]
	if !ok || assumed(f.Detail, f.Finding.Path) {
		return
	}
	found := f.Finding
	found.Rule, found.Severity = rules[r].ID, rules[r].Severity
	if words := c.discreet(f.Detail); words != "" {
		found.Message = words
	}
	c.said = append(c.said, found)
}

// discreet returns a message without a possibly private value, or "" if the original has none.
func (c *Checker) discreet(detail string) string {
	switch detail {
	case "specversion.invalid":
		return `member specversion is a string other than "1.0"`
	case "source.not_uri":
		return "member source is not a URI: a scheme, a colon and the rest"
	case "time.syntax":
		return "member time is not an RFC 3339 timestamp such as 2026-01-02T03:04:05Z"
	case "run_id.colon":
		return "member assayrunid has a colon, which separates run and number in id"
	case "seq.syntax":
		return "member assayseq is not an integer from 0 in digits alone"
	case "traceparent.malformed":
		return "member traceparent " + envelope.TraceParentFault(c.event.Get(evidence.AttrTraceParent).TextBytes(c.scratch))
	}
	return ""
}

// unlisted reports attributes that the contract's readers require and ADR-006 does not list.
func (c *Checker) unlisted() {
	var missing []string
	for _, a := range [...]evidence.Attribute{evidence.AttrContentType, evidence.AttrGit, evidence.AttrPII, evidence.AttrSecrets} {
		if c.event.Get(a).Missing() && !(a == evidence.AttrContentType && c.opt.Verified) {
			missing = append(missing, a.String())
		}
	}
	if missing != nil {
		c.at(attributeAssumed, c.event.Root(), "assumed attributes: "+strings.Join(missing, ", "))
	}
}

func (c *Checker) source(source []byte) {
	if bytes.IndexByte(source, ':') <= 0 {
		return // said already
	}
	v := c.event.Get(evidence.AttrSource)
	switch scheme, ok := uriScheme(source); {
	case !ok:
		c.at(sourceScheme, v, "member source is not an absolute URI")
	case !bytes.EqualFold(scheme, []byte("urn")) && !bytes.EqualFold(scheme, []byte("https")):
		c.at(sourceScheme, v, "member source has a URI scheme other than urn and https")
	}
}

func (c *Checker) traceContext() {
	if c.event.Get(evidence.AttrTraceParent).Missing() {
		c.at(traceParentAbsent, c.event.Root(), "member traceparent is missing")
	}
	if v := c.event.Get(evidence.AttrTraceState); isText(v) {
		if fault := traceStateFault(v.TextBytes(c.scratch)); fault != "" {
			c.at(traceState, v, "member tracestate "+fault)
		}
	}
}

func (c *Checker) subject(subject []byte) {
	if subject != nil && len(bytes.TrimSpace(subject)) == 0 {
		c.at(subjectEmpty, c.event.Get(evidence.AttrSubject), "member subject is empty or blank, expected a text, or no subject")
	}
}

func (c *Checker) eventType(eventType []byte) {
	if eventType == nil {
		return
	}
	v := c.event.Get(evidence.AttrType)
	odd, ascii := len(eventType) == 0, true
	for _, b := range eventType {
		odd = odd || b <= ' ' || b == 0x7f
		ascii = ascii && b < utf8.RuneSelf
	}
	if !ascii {
		c.at(typeNotASCII, v, "member type has characters that are not ASCII")
		odd = odd || bytes.IndexFunc(eventType, isBlank) >= 0
	}
	if odd {
		c.at(typeBlank, v, "member type is empty, or has white space or a control character")
	} else if dot := bytes.IndexByte(eventType, '.'); dot <= 0 || dot == len(eventType)-1 {
		c.at(typeAlone, v, "member type has no namespace, such as com.example before a dot")
	}
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

func (c *Checker) digestPair() {
	digest, profile := c.event.Get(evidence.AttrSemanticDigest), c.event.Get(evidence.AttrDigestProfile)
	switch {
	case profile.Missing() && !digest.Missing():
		c.at(digestPair, digest, "member assaysemanticdigest is present without assaydigestprofile")
	case digest.Missing() && !profile.Missing():
		c.at(digestPair, profile, "member assaydigestprofile is present without assaysemanticdigest")
	}
}

// longestName is the maximum length of an attribute name recommended by CloudEvents.
const longestName = 20

// extensions checks the names of the attributes that the contract does not name.
func (c *Checker) extensions() {
	known := 0
	for a := evidence.AttrOther + 1; a <= evidence.AttrDigestProfile; a++ {
		if c.event.Get(a).Exists() {
			known++
		}
	}
	root := c.event.Root()
	if known == root.Len() {
		return
	}
	var odd, long, unlike nameList
	for v := range root.Children() {
		if v.Attribute() != evidence.AttrOther {
			continue
		}
		name := v.NameBytes(c.scratch)
		if string(name) == dataBase64 {
			if c.event.Get(evidence.AttrData).Exists() {
				c.at(dataTwice, v, "members data and data_base64 are both present, expected one")
			}
			continue
		}
		if string(name) == "dataschema" {
			c.dataSchema(v)
		} else if !isAttributeValue(v) {
			unlike.add(v)
		}
		if len(name) == 0 || bytes.ContainsFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
			odd.add(v)
		} else if len(name) > longestName {
			long.add(v)
		}
	}
	if odd.count > 0 {
		c.at(extensionName, odd.first, "attributes have names of other characters than a to z and 0 to 9: "+odd.String())
	}
	if unlike.count > 0 {
		c.at(extensionValue, unlike.first, "attributes are not strings, booleans or integers of 32 bits: "+unlike.String())
	}
	if long.count > 0 {
		c.at(extensionLong, long.first, "attributes have names of more than 20 characters: "+long.String())
	}
}

func (c *Checker) dataSchema(v evidence.Value) {
	switch {
	case v.Missing():
	case !isText(v):
		c.at(dataSchema, v, "member dataschema is "+say.Article(v.Kind().String())+", expected an absolute URI")
	default:
		if _, ok := uriScheme(v.TextBytes(c.scratch)); !ok {
			c.at(dataSchema, v, "member dataschema is not an absolute URI such as https://example.com/schema")
		}
	}
}

// contentType compares datacontenttype with the data.
func (c *Checker) contentType() {
	v, data := c.event.Get(evidence.AttrContentType), c.event.Get(evidence.AttrData)
	if !isText(v) {
		return
	}
	kind, _, _ := bytes.Cut(v.TextBytes(c.scratch), []byte{';'})
	kind = bytes.TrimSpace(kind)
	main, sub, ok := bytes.Cut(kind, []byte{'/'})
	switch {
	case !ok || !isToken(main) || !isToken(sub):
		c.at(contentType, v, "member datacontenttype is not a media type such as application/json")
	case bytes.EqualFold(sub, []byte("json")) || len(sub) > 5 && bytes.EqualFold(sub[len(sub)-5:], []byte("+json")):
	case !data.Missing() && !isText(data):
		c.at(contentType, v, "member datacontenttype is not JSON, and the data are "+say.Article(data.Kind().String())+", expected a string or data_base64")
	}
}

// texts checks the characters of all attributes except the type, which has a separate rule.
func (c *Checker) texts() {
	var odd nameList
	for v := range c.event.Root().Children() {
		if v.Kind() != evidence.KindString || isPlain(v.Raw()) {
			continue
		}
		if a := v.Attribute(); a == evidence.AttrData || a == evidence.AttrType {
			continue
		}
		if string(v.NameBytes(c.scratch)) != dataBase64 && bytes.ContainsFunc(v.TextBytes(c.scratch), isExcluded) {
			odd.add(v)
		}
	}
	if odd.count > 0 {
		c.at(attributeText, odd.first, "attributes have control characters, or noncharacters: "+odd.String())
	}
}
