package session

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// TestHashesTogether: a log comes to the same whether the hashes of several events are computed
// together or those of each event alone, whatever canonicalizations explain them.
func TestHashesTogether(t *testing.T) {
	again, strange := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		family := rapid.SampledFrom(sessiontest.Families).Draw(t, "family")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "damage"), 0))
		lines := sessiontest.Damage(random, drawLog(t, family, "5e551017"), drawLog(t, family, "07e20000"))
		for range rapid.IntRange(0, 8).Draw(t, "changed hashes") {
			i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
			lines[i] = drawHashes(t, lines[i])
		}
		log, block := []byte(strings.Join(lines, "\n")+"\n"), rapid.SampledFrom([]int{0, 2_000, 20_000}).Draw(t, "block")
		w := twins{T: t}
		limits, key := drawLimits(t), firstKey(log)
		w.runs, w.each = newTwin(t, limits, family, key), newTwin(t, limits, family, key)
		together, alone := w.runs.Worker().(*worker), w.each.Worker().(*worker)
		read(t, limits, log, block, together, w.runs.putInOrder)
		if i := slices.Index(alone.readers, reader(alone.hashes)); i >= 0 {
			alone.readers[i] = atOnce{alone.hashes}
			if together.hashes.scanner != nil {
				again++
			}
			if together.hashes.strange {
				strange++
			}
		}
		read(t, limits, log, block, alone, w.each.putInOrder)
		w.compareAll()
		if got, want := w.said(w.runs), w.said(w.each); !bytes.Equal(got, want) {
			t.Fatalf("says\n%q\nwant\n%q", got, want)
		}
	})
	t.Logf("%d logs with a line that was read again, %d that end with an event that RFC 8785 does not explain", again, strange)
	racetest.Met(t, "a line that was read again", again)
}

// atOnce judges the hashes of an event before the next one is read.
type atOnce struct{ *hashReader }

func (r atOnce) read(rec *record, e *event) { r.judgeNow(rec, e) }

// drawHashes gives an event other hashes: one with a digit more or less, or those of another
// canonicalization, of a payload that it makes a difference to.
func drawHashes(t *rapid.T, line string) string {
	member := rapid.SampledFrom([]string{`"event_hash":"`, `"payload_hash":"`}).Draw(t, "member")
	switch rapid.IntRange(0, 3).Draw(t, "hashes") {
	case 0:
		return strings.Replace(line, member, member+"0", 1)
	case 1:
		if i := strings.Index(line, member); i >= 0 {
			i += len(member)
			return line[:i] + string("0123456789abcdef"[rapid.IntRange(0, 15).Draw(t, "digit")]) + line[i+1:]
		}
		return line
	}
	line = strings.Replace(line, `"payload":{`, `"payload":{"ratio":1.0,`, 1)
	return hashedUnder(line, rapid.SampledFrom(Profiles).Draw(t, "canonicalization"))
}

// hashedUnder gives an event the hashes of a canonicalization.
func hashedUnder(line string, profile *jcs.Profile) string {
	for _, m := range []member{payloadHash, eventHash} {
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(line))
		if err != nil || !doc.Root().Get(m.String()).Is(strictjson.String) {
			continue
		}
		rec := record{doc: doc}
		rec.locate(true)
		var text []byte
		switch writer := jcs.NewWriter(profile); {
		case m == payloadHash:
			text = writer.Append(nil, rec.nodes[payloadMember])
		case rec.nodes[payloadHash].Exists():
			text = writer.AppendObject(nil, (&hashReader{}).signed(&rec))
		default:
			text = writer.AppendObject(nil, rec.covered)
		}
		start, end := rec.nodes[m].Span()
		line = line[:start] + `"` + digest.Of(text).Hex() + `"` + line[end:]
	}
	return line
}
