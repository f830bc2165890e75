package recordcmd

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/trace/record"
)

// memory is a log in memory, which fails while down is set.
type memory struct {
	chain *record.Chain
	text  []byte
	down  bool
}

func newMemory() *memory { return &memory{chain: record.NewChain(record.Options{})} }

func (m *memory) Append(event []byte) (err error) {
	if m.down {
		return errors.New("no space")
	}
	m.text, err = m.chain.Append(m.text, event)
	return err
}

// events returns the types and payloads of the recorded events.
func (m *memory) events() string {
	var b strings.Builder
	for line := range bytes.Lines(m.text) {
		_, rest, _ := bytes.Cut(line, []byte(`"event_type":"`))
		kind, rest, _ := bytes.Cut(rest, []byte(`","payload":`))
		payload, _, _ := bytes.Cut(rest, []byte(`,"prev_hash"`))
		fmt.Fprintf(&b, "%s %s\n", kind, payload)
	}
	return b.String()
}

// TestMessages compares the events of the conversations in testdata/mcp. A line is a direction and a line of MCP.
func TestMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/mcp/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		log := newMemory()
		conn := newTap(log, 1000, func(string) {})
		for line := range strings.Lines(string(text)) {
			from, message, _ := strings.Cut(line, " ")
			conn.see(side(from), []byte(strings.ReplaceAll(message, `\xff`, "\xff")))
		}
		if left := conn.close(); left != 0 {
			t.Errorf("%s: %d messages are lost", name, left)
		}
		golden := strings.TrimSuffix(name, ".txt") + ".events"
		if os.Getenv("UPDATE_SCRIPTS") != "" {
			if err := os.WriteFile(golden, []byte(log.events()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), log.events()); diff != "" {
			t.Errorf("%s (-expected +recorded):\n%s", golden, diff)
		}
	}
}

// TestPassLaw checks that any bytes pass unchanged, in any pieces, whether or not they can be recorded, and that each
// line is an event or part of a LOG_DROP.
func TestPassLaw(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var text []byte
		for range r.IntN(40) {
			switch r.IntN(5) {
			case 0:
				text = append(text, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}`+"\n"...)
			case 1:
				text = append(text, `{"jsonrpc":"2.0","id":1,"result":{}}`+"\r\n"...)
			case 2:
				text = append(text, bytes.Repeat([]byte("x"), r.IntN(300))...)
			case 3:
				text = append(text, '\n')
			case 4:
				for range r.IntN(50) {
					text = append(text, byte(r.IntN(256)))
				}
			}
		}
		log := newMemory()
		conn := newTap(log, 200, func(string) {})
		var out bytes.Buffer
		for rest := text; len(rest) > 0; {
			n := 1 + r.IntN(len(rest))
			log.down = r.IntN(3) == 0
			if err := conn.pass(fromClient, iotest.OneByteReader(bytes.NewReader(rest[:n])), &out); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if !bytes.Equal(out.Bytes(), text) {
			t.Fatalf("seed %d: %q became %q", seed, text, out.Bytes())
		}
	}
}

// TestEveryLineIsCounted checks that the events and the counts of LOG_DROP add up to the lines.
func TestEveryLineIsCounted(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		log := newMemory()
		said := 0
		conn := newTap(log, 100, func(string) { said++ })
		const lines = 200
		for i := range lines {
			log.down = r.IntN(20) == 0
			text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)
			if r.IntN(10) == 0 {
				text += strings.Repeat(" ", 100) + "x"
			}
			conn.see(fromClient, []byte(text+"\n"))
		}
		log.down = false
		if left := conn.close(); left != 0 {
			t.Fatalf("seed %d: %d messages are lost", seed, left)
		}
		got := 0
		for line := range strings.Lines(log.events()) {
			var n int
			switch kind, payload, _ := strings.Cut(line, " "); kind {
			case "TOOL_CALL":
				got++
			case "LOG_DROP":
				if _, err := fmt.Sscanf(payload, `{"count":%d`, &n); err != nil {
					t.Fatal(err, payload)
				}
				got += n
			}
		}
		if got != lines || said == 0 {
			t.Fatalf("seed %d: %d of %d lines, %d messages", seed, got, lines, said)
		}
	}
}

// TestDownLog checks that a log that stays unwritable is reported once and at the end.
func TestDownLog(t *testing.T) {
	log := newMemory()
	log.down = true
	said := 0
	conn := newTap(log, 100, func(string) { said++ })
	for range 5 {
		conn.see(fromServer, []byte("{}\n"))
	}
	if left := conn.close(); left != 5 || said != 1 {
		t.Errorf("%d lost, %d messages", left, said)
	}
}
