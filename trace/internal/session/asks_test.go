package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// askingLog returns a log of which the given events ask for the hashes of all before them. right
// says that what they carry is the digest, or the root, over these.
func askingLog(family string, n int, right bool, asking ...int) string {
	var b strings.Builder
	l := sessiontest.NewLog(family)
	all, leaves := l.Session, []digest.Sum(nil)
	event := func(kind, payload string) {
		b.WriteString(l.Event(kind, payload) + "\n")
		if all += l.Head(); kind != "SESSION_END" {
			sum, _ := digest.ParseHex([]byte(l.Head()))
			leaves = append(leaves, sum)
		}
	}
	event("SESSION_START", `{"agent_id":"a","environment":"dev","framework":"f","framework_version":"1","sdk_version":"1"}`)
	for i := 1; i < n; i++ {
		text := all + l.Head()
		if !right {
			text, leaves = "", leaves[:0]
		}
		switch {
		case len(asking) == 0 || i != asking[0]:
			event("TOOL_CALL", fmt.Sprintf(`{"tool_name":"t","tool_id":"i%d","args":{}}`, i))
			continue
		case family == "session-v0":
			event("CHAIN_SEAL", fmt.Sprintf(`{"ingestion_service_id":"i","seal_timestamp":"t","session_digest":%q}`, sumOf(text)))
		default:
			event("SESSION_END", fmt.Sprintf(`{"merkle_root":%q}`, sessiontest.MerkleRoot(leaves).Hex()))
		}
		asking = asking[1:]
	}
	return b.String()
}

// TestSummaryOfAskingLogs: events that ask for the hashes of all others get them, kept by the
// ranges or read again, and where the log's end has no such event they are not kept.
func TestSummaryOfAskingLogs(t *testing.T) {
	const n = 600
	type asking struct {
		at   []int
		kept bool
	}
	for _, family := range []string{"session-v0", "session-v1"} {
		for _, c := range racetest.Some(t, []asking{{nil, false}, {[]int{n - 1}, true}, {[]int{n - 2}, true}, {[]int{300}, false}, {[]int{2, 300, n - 3}, true}}) {
			for _, right := range []bool{false, true} {
				log, opt := askingLog(family, n, right, c.at...), trace.Options{Name: "x", Jobs: 1}
				name, want := fmt.Sprint(family, c.at, right), whole(t, log, opt)
				found := strings.Contains(string(want), `"seal.digest"`) || strings.Contains(string(want), `"merkle":"invalid"`)
				if found != (!right && c.at != nil) {
					t.Errorf("%s: %.600s", name, want)
				}
				sameReport(t, name, log, nil, want, opt)
				sameReport(t, name, log, []int{len(log) / 5, len(log) / 2}, want, opt)
				most := 2*256*32 + 500 // the last hashes of each run, and the data of blocks
				if family == "session-v0" {
					most += n * (16 + 17)
				}
				if size := columnOf(pieces(t, log, nil, opt)); size > most != c.kept {
					t.Errorf("%s: a column of %d bytes", name, size)
				}
			}
		}
	}
}

// columnOf returns how many bytes the columns of a summary take.
func columnOf(s *trace.Summary) (size int) {
	for _, column := range s.Columns() {
		size += len(column)
	}
	return size
}
