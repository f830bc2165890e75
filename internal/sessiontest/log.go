// Package sessiontest generates session logs with valid hashes for tests and benchmarks.
package sessiontest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Log generates the events of one log.
type Log struct {
	Family    string // "session-v0", "session-v1", "session-v1b" or "session-bare"
	Session   string
	Authority string // chain_authority of session-v0; "" for none
	Version   string // schema_ver of session-v0; "" for none
	Named     bool   // events of session-v1b name their session
	Number    uint64 // of the next event
	Prev      string // JSON of the next event's link

	scanner *strictjson.Scanner
	writer  *jcs.Writer
	buf     []byte
}

// New returns a log with the 14-field envelope of server version v0.6.
func New() *Log {
	return &Log{
		Family: "session-v0", Session: "5e551017-0000-4000-8000-000000000001", Authority: "server", Version: "v0.6", Prev: "null",
		scanner: strictjson.NewScanner(strictjson.Limits{}), writer: jcs.NewWriter(nil),
	}
}

// NewV1 returns a log with the 7-field envelope.
func NewV1() *Log { return NewLog("session-v1") }

// NewLog returns a log of a family.
func NewLog(family string) *Log {
	l := New()
	if l.Family = family; strings.HasPrefix(family, "session-v1") {
		l.Number, l.Prev = 1, `"`+strings.Repeat("0", 64)+`"`
	}
	return l
}

// Hash returns the hex hash of a JSON text's canonical form. It panics on malformed JSON.
func (l *Log) Hash(text string) string {
	doc, err := l.scanner.Scan([]byte(text))
	if err != nil {
		panic("sessiontest: " + err.Error() + " in " + text)
	}
	l.buf = l.writer.Append(l.buf[:0], doc.Root())
	return digest.Of(l.buf).Hex()
}

// Head returns the hash of the last event, "" before the first.
func (l *Log) Head() string { return strings.Trim(strings.TrimPrefix(l.Prev, "null"), `"`) }

// Event returns the next line, without a line end. payload is a JSON object.
func (l *Log) Event(kind, payload string) string {
	switch l.Family {
	case "session-v1":
		return l.eventV1(fmt.Sprintf(`"seq": %d, "event_type": %q, "session_id": %q`, l.Number, kind, l.Session), payload)
	case "session-v1b":
		members := fmt.Sprintf(`"event_id": %q, "event_type": %q`, uuid(l.Number), kind)
		if l.Named {
			members += fmt.Sprintf(`, "session_id": %q`, l.Session)
		}
		return l.eventV1(members, payload)
	case "session-bare":
		l.Number++
		return fmt.Sprintf(`{"event_type":%q,"session_id":%q,"sequence_number":%d,"payload":%s}`, kind, l.Session, l.Number-1, payload)
	}
	return l.eventV0(kind, payload)
}

func (l *Log) eventV0(kind, payload string) string {
	id := uuid(l.Number)
	wall := time.Date(2026, 3, 1, 0, 0, int(l.Number), 0, time.UTC).Format(time.RFC3339)
	payloadHash := l.Hash(payload)
	hash := l.Hash(fmt.Sprintf(`{"event_id":%q,"event_type":%q,"payload_hash":%q,"prev_event_hash":%s,"sequence_number":%d,"session_id":%q,"timestamp_wall":%q}`,
		id, kind, payloadHash, l.Prev, l.Number, l.Session, wall))
	line := fmt.Sprintf(`{"event_id":%q,"session_id":%q,"sequence_number":%d,"timestamp_wall":%q,"event_type":%q`, id, l.Session, l.Number, wall, kind)
	if l.Version != "" {
		line += fmt.Sprintf(`,"schema_ver":%q`, l.Version)
	}
	line += fmt.Sprintf(`,"payload_hash":%q,"prev_event_hash":%s,"event_hash":%q,"payload":%s`, payloadHash, l.Prev, hash, payload)
	if l.Authority != "" {
		line += fmt.Sprintf(`,"chain_authority":%q`, l.Authority)
	}
	l.advance(hash)
	return line + "}"
}

func (l *Log) eventV1(members, payload string) string {
	at := time.Date(2026, 5, 7, 7, 20, int(l.Number), int(l.Number)*1000, time.UTC).Format("2006-01-02T15:04:05.000000Z")
	body := fmt.Sprintf(`%s, "timestamp": %q, "payload": %s, "prev_hash": %s`, members, at, payload, l.Prev)
	hash := l.Hash("{" + body + "}")
	l.advance(hash)
	return fmt.Sprintf(`{%s, "event_hash": %q}`, body, hash)
}

func (l *Log) advance(hash string) {
	l.Prev = `"` + hash + `"`
	l.Number++
}

// Seal returns the CHAIN_SEAL that closes the log.
func (l *Log) Seal() string {
	if l.Family != "session-v0" {
		return l.Event("CHAIN_SEAL", fmt.Sprintf(`{"final_hash": %q, "authority": "server", "event_count": %d, "server_timestamp": "2026-05-07T08:00:00.000000Z", "server_version": "1.0.0"}`, l.Head(), l.Number-1))
	}
	return l.Event("CHAIN_SEAL", fmt.Sprintf(`{"ingestion_service_id": "ingest-1", "seal_timestamp": "2026-03-02T00:00:00Z", "session_digest": "sha256:%s"}`, l.Head()))
}

// uuid returns a version 4 id for n.
func uuid(n uint64) string {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	sum := digest.Of(b[:]).Hex()
	return sum[:8] + "-" + sum[8:12] + "-4" + sum[13:16] + "-8" + sum[17:20] + "-" + sum[20:32]
}

// Rehash returns an event's line with recomputed hashes. It keeps the link.
func Rehash(line string) string {
	l := New()
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &members); err != nil {
		panic("sessiontest: " + err.Error())
	}
	set := func(name, hash string) {
		line = strings.Replace(line, string(members[name]), `"`+hash+`"`, 1)
		members[name] = json.RawMessage(`"` + hash + `"`)
	}
	covered := map[string]json.RawMessage{}
	if _, v0 := members["payload_hash"]; v0 {
		set("payload_hash", l.Hash(string(members["payload"])))
		for _, name := range []string{"event_id", "event_type", "payload_hash", "prev_event_hash", "sequence_number", "session_id", "timestamp_wall"} {
			covered[name] = members[name]
		}
	} else {
		maps.Copy(covered, members)
		delete(covered, "event_hash")
	}
	text, err := json.Marshal(covered)
	if err != nil {
		panic("sessiontest: " + err.Error())
	}
	set("event_hash", l.Hash(string(text)))
	return line
}
