package envelope_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/evidence/internal/envelope"
)

// naive returns the check of an event from the contract's tables alone, with the standard
// library: what the checker must say, without its place in the text. The text is an object
// in strict JSON, except for names that come twice.
func naive(text string, opt envelope.Options) []string {
	if pointer, twice := repeatedName(text); twice {
		return []string{"ContractInvalidJson error json.duplicate_key " + pointer}
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		panic(err)
	}
	n := &naiveEvent{members: members, opt: opt}
	if n.tooLarge() {
		return []string{"ContractInvalidJson error json.number_range"} // of several, the first in the text
	}
	n.shape()
	n.version()
	n.names()
	n.beyond()
	if n.said == nil {
		n.said = []string{}
	}
	return n.said
}

type naiveEvent struct {
	members map[string]json.RawMessage
	opt     envelope.Options
	said    []string
}

func (n *naiveEvent) say(code, severity, detail, member string) {
	n.said = append(n.said, fmt.Sprintf("%s %s %s /%s", code, severity, detail, member))
}

// order is that of the contract's tables; ? may be missing, * only without
// upstream-compatible.
const order = `specversion type source id time datacontenttype subject? traceparent? tracestate? assayrunid assayseq
	assayproducer assayproducerversion assaygit* assaypolicyid? assaypii* assaysecrets* assaycontenthash? assaysemanticdigest? assaydigestprofile? data`

func (n *naiveEvent) tooLarge() bool {
	for _, field := range strings.Fields(order) {
		raw, there := n.members[strings.Trim(field, "?*")]
		if there && hasWide(raw) {
			return true
		}
	}
	return false
}

func hasWide(raw json.RawMessage) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		if number, ok := token.(json.Number); ok {
			if _, err := strconv.ParseFloat(number.String(), 64); errors.Is(err, strconv.ErrRange) {
				return true
			}
		}
	}
}

// value returns a member as encoding/json reads it; there is false when it is absent or
// null, which only data may be.
func (n *naiveEvent) value(name string) (value any, there bool) {
	raw, ok := n.members[name]
	if !ok {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		panic(err)
	}
	return value, value != nil || name == "data"
}

func (n *naiveEvent) text(name string) (string, bool) {
	value, _ := n.value(name)
	s, ok := value.(string)
	return s, ok
}

func (n *naiveEvent) shape() {
	for _, field := range strings.Fields(order) {
		name := strings.Trim(field, "?*")
		value, there := n.value(name)
		if !there {
			if !strings.HasSuffix(field, "?") && (!strings.HasSuffix(field, "*") || n.opt.UpstreamCompatible) {
				n.say("ContractInvalidJson", "error", "member.missing", name)
			}
			continue
		}
		ok := true
		switch name {
		case "data":
		case "assayseq":
			_, ok = value.(json.Number)
		case "assaypii", "assaysecrets":
			_, ok = value.(bool)
		default:
			_, ok = value.(string)
		}
		if !ok {
			n.say("ContractInvalidJson", "error", "member.type", name)
			continue
		}
		if _, _, good := n.time(); name == "time" && !good {
			n.say("ContractInvalidJson", "error", "time.syntax", name)
		}
		if _, good := n.sequence(); name == "assayseq" && !good {
			n.say("ContractInvalidJson", "error", "seq.syntax", name)
		}
	}
}

func (n *naiveEvent) sequence() (*big.Int, bool) {
	value, _ := n.value("assayseq")
	number, ok := value.(json.Number)
	if !ok || !regexp.MustCompile(`^[0-9]+$`).MatchString(number.String()) {
		return nil, false
	}
	i, _ := new(big.Int).SetString(number.String(), 10)
	return i, i.BitLen() <= 64
}

var timeForm = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)([Tt ])(\d\d:\d\d):(\d\d)(\.\d{1,9})?(Z|z|[+-]\d\d:?\d\d)$`)

// time reports whether the time is in the contract's form, and a leap second.
func (n *naiveEvent) time() (inForm, leap, ok bool) {
	text, _ := n.text("time")
	m := timeForm.FindStringSubmatch(text)
	if m == nil {
		return false, false, false
	}
	second := m[4]
	if leap = second == "60"; leap {
		second = "59"
	}
	zone := strings.ToUpper(m[6])
	if zone != "Z" && len(zone) == 5 {
		zone = zone[:3] + ":" + zone[3:]
	}
	at, err := time.Parse("2006-01-02T15:04:05Z07:00", m[1]+"T"+m[3]+":"+second+zone)
	if err != nil || zone != "Z" && zone[1:] >= "24" || at.UTC().Year() < 0 || at.UTC().Year() > 9999 {
		return false, false, false
	}
	return m[2] == "T" && (m[6] == "Z" || m[6] == "+00:00") && (!leap || m[3] == "23:59"), leap && at.UTC().Format("15:04") == "23:59", true
}

func (n *naiveEvent) version() {
	if v, ok := n.text("specversion"); ok && v != "1.0" {
		n.say("ContractSchemaVersion", "error", "specversion.invalid", "specversion")
	}
	if _, there := n.value("assaycontenthash"); !there {
		n.say("ContractSchemaVersion", "error", "hash.missing", "assaycontenthash")
	}
}

func (n *naiveEvent) names() {
	if source, ok := n.text("source"); ok && !regexp.MustCompile(`(?s)^[^:].*:`).MatchString(source) {
		n.say("ContractInvalidEvent", "error", "source.not_uri", "source")
	}
	run, isRun := n.text("assayrunid")
	if strings.Contains(run, ":") {
		n.say("ContractInvalidEvent", "error", "run_id.colon", "assayrunid")
	}
	id, isID := n.text("id")
	if i, ok := n.sequence(); ok && isRun && isID && id != run+":"+i.String() {
		n.say("ContractInvalidEvent", "error", "id.mismatch", "id")
	}
}

func (n *naiveEvent) beyond() {
	if run, ok := n.text("assayrunid"); ok && run == "" {
		n.say("ContractInvalidEvent", "error", "run_id.empty", "assayrunid")
	}
	if i, ok := n.sequence(); ok && i.BitLen() > 53 {
		n.say("ContractInvalidEvent", "error", "seq.range", "assayseq")
	} else if ok && i.BitLen() > 31 {
		n.say("ContractInvalidEvent", "warning", "seq.wide", "assayseq")
	}
	if inForm, leap, ok := n.time(); ok && !inForm && !n.opt.LenientTime {
		n.say("ContractInvalidEvent", "error", "time.not_utc", "time")
	} else if ok && leap {
		n.say("ContractInvalidEvent", "info", "time.leap_second", "time")
	}
	n.traceParent()
}

var traceParent = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-(?s:.*))?$`)

func (n *naiveEvent) traceParent() {
	if _, there := n.value("traceparent"); !there && n.opt.RequireTraceParent {
		n.say("ContractInvalidEvent", "error", "traceparent.missing", "traceparent")
	}
	text, ok := n.text("traceparent")
	m := traceParent.FindStringSubmatch(text)
	good := m != nil && m[1] != "ff" && strings.Trim(m[2], "0") != "" && strings.Trim(m[3], "0") != "" && (m[1] != "00" || m[4] == "")
	if ok && !good {
		severity := "warning"
		if n.opt.RequireTraceParent {
			severity = "error"
		}
		n.say("ContractInvalidEvent", severity, "traceparent.malformed", "traceparent")
	}
}

// repeatedName finds a name that comes twice in the outermost object.
func repeatedName(text string) (pointer string, twice bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	seen := map[string]bool{}
	for depth, name := 0, true; ; {
		token, err := d.Token()
		if err != nil {
			return "", false
		}
		delim, _ := token.(json.Delim)
		if depth == 1 && name && delim == 0 {
			if s := token.(string); seen[s] {
				return "/" + s, true
			} else {
				seen[s] = true
			}
			name = false
			continue
		}
		switch delim {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 1 {
			name = true
		}
	}
}
