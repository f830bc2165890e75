// Transcripts writes sessions of Claude Code with about 10 records of 1,000 bytes in each turn: one
// session to standard output, or a folder of projects. A tenth of a folder's sessions resumes the
// session before it, and repeats its records.
//
//	go run ./testdata/bench/transcripts 1000 > session.jsonl
//	go run ./testdata/bench/transcripts 100 projects/ 2000
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "transcripts:", err)
		os.Exit(2)
	}
}

func write(args []string) error {
	if len(args) != 1 && len(args) != 3 {
		return fmt.Errorf("usage: transcripts TURNS [FOLDER SESSIONS]")
	}
	turns, err := strconv.Atoi(args[0])
	if err != nil || turns < 1 {
		return fmt.Errorf("%q turns, expected a number", args[0])
	}
	if len(args) == 1 {
		w := bufio.NewWriterSize(os.Stdout, 1<<20)
		writeSession(w, 0, turns, "")
		return w.Flush()
	}
	sessions, err := strconv.Atoi(args[2])
	if err != nil || sessions < 1 {
		return fmt.Errorf("%q sessions, expected a number", args[2])
	}
	var before []byte
	last := ""
	for n := range sessions {
		var text bytes.Buffer
		parent := ""
		if n%10 == 9 { // an old resume copies the session that it continues
			text.Write(before)
			parent = last
		}
		last = writeSession(&text, n, turns, parent)
		before = text.Bytes()
		dir := filepath.Join(args[1], fmt.Sprintf("-work-app-%d", n/100))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, id(n, 0)+".jsonl"), before, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func id(session, n int) string { return fmt.Sprintf("%08x-%04x-4000-8000-%012x", session, n>>20, n) }

type writer struct {
	w       io.Writer
	session int
	n       int
	at      time.Time
	parent  string
	request string
}

// writeSession writes a session that continues the record parent, if any, and returns its last record's id.
func writeSession(w io.Writer, session, turns int, parent string) string {
	s := &writer{w: w, session: session, parent: parent, at: time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC).Add(time.Duration(session) * 24 * time.Hour)}
	text := strings.Repeat("the quick brown fox of the build jumps over 12 lazy tests, ", 12)
	for turn := range turns {
		s.record("user", fmt.Sprintf(`{"role":"user","content":"question %d: %s"}`, turn, text[:100+turn%400]))
		for step := range 3 {
			answer := fmt.Sprintf("msg_%d_%d_%d", session, turn, step)
			call := "toolu_" + answer
			s.request = fmt.Sprintf("req_%d_%d_%d", session, turn, step)
			usage := fmt.Sprintf(`{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d}`, 3+step, 100+turn%50, 1000+turn, 20+step)
			head := fmt.Sprintf(`{"id":"%s","type":"message","role":"assistant","model":"claude-opus-4","stop_reason":null,"stop_sequence":null,"usage":%s,"content":`, answer, usage)
			s.record("assistant", head+fmt.Sprintf(`[{"type":"text","text":"%s"}]}`, text[:200+turn%300]))
			s.record("assistant", head+fmt.Sprintf(`[{"type":"tool_use","id":"%s","name":"Bash","input":{"command":"go test ./pkg%d"}}]}`, call, turn))
			s.record("user", fmt.Sprintf(`{"role":"user","content":[{"tool_use_id":"%s","type":"tool_result","content":"%s"}]}`, call, strings.Repeat(text, 1+turn%3)))
		}
	}
	return s.parent
}

func (s *writer) record(kind, message string) {
	parent := "null"
	if s.parent != "" {
		parent = `"` + s.parent + `"`
	}
	request := ""
	if kind == "assistant" {
		request = `"requestId":"` + s.request + `",`
	}
	s.at = s.at.Add(1500 * time.Millisecond)
	fmt.Fprintf(s.w, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/home/dev/app","sessionId":"%s","version":"2.1.4","gitBranch":"main","type":"%s",%s"message":%s,"uuid":"%s","timestamp":"%s"}`+"\n",
		parent, id(s.session, 0), kind, request, message, id(s.session, s.n), s.at.Format("2006-01-02T15:04:05.000Z"))
	s.parent = id(s.session, s.n)
	s.n++
}
