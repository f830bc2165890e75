package sessiontest

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
)

// Damage returns a log after up to three random changes: lines are moved, repeated, removed,
// edited, cut or taken from another log.
func Damage(random *rand.Rand, log, other []string) []string {
	lines := slices.Clone(log)
	for range random.IntN(4) {
		lines = damageOnce(random, lines, other)
	}
	return lines
}

func damageOnce(random *rand.Rand, lines, other []string) []string {
	pick := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	i, j := random.IntN(len(lines)), random.IntN(len(lines))
	end := min(len(lines), i+1+random.IntN(4))
	switch random.IntN(9) {
	case 0:
		lines[i], lines[j] = lines[j], lines[i]
	case 1:
		return slices.Insert(lines, j, lines[i])
	case 2:
		if end-i < len(lines) {
			return slices.Delete(lines, i, end)
		}
	case 3:
		lines[i] = edit(random, lines[i], contentEdits)
	case 4:
		if edited := edit(random, lines[i], contentEdits); hasHash(edited) {
			lines[i] = Rehash(edited)
		}
	case 5:
		k := random.IntN(len(other))
		return slices.Insert(lines, j, other[k:min(len(other), k+1+random.IntN(3))]...)
	case 6:
		lines[i] = pick(lines[i], lines[i], lines[i], "{", "no json", "[1]", lines[i][:len(lines[i])/2], `{"event_type":"ERROR"}`)
	case 7:
		return slices.Insert(lines, end, slices.Clone(lines[i:end])...)
	default:
		lines[i] = edit(random, lines[i], linkEdits)
	}
	return lines
}

// contentEdits change an event's content, linkEdits its position.
var (
	contentEdits = [][2]string{{`"t"`, `"u"`}, {`2026`, `2027`}, {`:"x"`, `:null`}, {`:1`, `:2`}, {`"success"`, `"odd"`}, {`"server"`, `"sdk"`}, {`"event_id":"`, `"event_id":"q`}, {`-03-0`, `-3-0`}}
	linkEdits    = [][2]string{
		{`prev_event_hash":"`, `prev_event_hash":"z`},
		{`"event_hash":"`, `"event_hash":"0`},
		{`"prev_hash":"`, `"prev_hash":"q`},
		{`"session_id":"`, `"session_id":"q`},
		{`"seq":`, `"seq":9`},
		{`"sequence_number":`, `"sequence_number":1`},
		{`"payload_hash":"`, `"payload_hash":"0`},
	}
)

func edit(random *rand.Rand, line string, edits [][2]string) string {
	e := edits[random.IntN(len(edits))]
	return strings.Replace(line, e[0], e[1], 1)
}

// hasHash reports whether an event can be rehashed: it has a hash and no signature.
func hasHash(line string) bool {
	return json.Valid([]byte(line)) && strings.Contains(line, `"event_hash":"`) && !strings.Contains(line, `"signature"`)
}
