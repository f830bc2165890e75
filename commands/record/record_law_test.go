package recordcmd

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/recorder"
	"github.com/cupel-dev/cupel/trace"
	"github.com/cupel-dev/cupel/trace/record"
)

// childLog names the log of the process that TestKills kills.
const childLog = "CUPEL_TEST_RECORD_LOG"

func TestMain(m *testing.M) {
	if name := os.Getenv(childLog); name != "" {
		if err := recordForever(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	os.Exit(m.Run())
}

// recordForever appends events and prints the number of each that was appended.
func recordForever(name string) error {
	log, err := openTest(name, recorder.Options{RotateSize: 20_000})
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		if err := log.Append(call(fmt.Sprintf(`{"tool_name":"t","args":{"n":%d,"text":%q}}`, n, strings.Repeat("x", n%300)))); err != nil {
			return err
		}
		if _, err := fmt.Println(n); err != nil {
			return err
		}
	}
}

func call(payload string) []byte {
	return fmt.Appendf(nil, `{"event_type":"TOOL_CALL","payload":%s}`, payload)
}

func openTest(name string, opt recorder.Options) (*Log, error) {
	env := cmdline.Env{Context: context.Background(), Stdout: io.Discard, Stderr: io.Discard}
	return openLog(env.Context, env, name, record.NewChain(record.Options{}), opt)
}

// TestKills kills a recording process at random times. No acknowledged event is lost, and the next process continues
// the chain.
func TestKills(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.jsonl")
	kills := 200 / racetest.Share(t, 25)
	acknowledged := 0
	for range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childLog+"="+name)
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		time.AfterFunc(time.Duration(rand.IntN(80_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		for lines.Scan() {
			if _, err := strconv.Atoi(lines.Text()); err == nil {
				acknowledged++
			}
		}
		if _, err := io.Copy(io.Discard, out); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Fatal(err)
		}
		_ = cmd.Wait() // killed
		if said.Len() > 0 {
			t.Fatalf("the process failed: %s", &said)
		}
	}
	endLog(t, name)
	acknowledged++
	events := verifyAll(t, name)
	if calls := events["TOOL_CALL"]; calls < acknowledged || calls > acknowledged+kills {
		t.Errorf("%d events in the log, %d were acknowledged in %d runs", calls, acknowledged, kills)
	}
	t.Logf("%d kills, %d events", kills, acknowledged)
}

// endLog appends an event, because every process can have been killed before its first, and ends the session.
func endLog(t *testing.T, name string) {
	t.Helper()
	log, err := openTest(name, recorder.Options{})
	if err == nil {
		err = errors.Join(log.Append(call(`{"tool_name":"t","args":{}}`)), log.End("success", ""), log.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// verifyAll verifies the files of a log and their links. It returns the number of events by type.
func verifyAll(t *testing.T, name string) map[string]int {
	t.Helper()
	names, err := filepath.Glob(strings.TrimSuffix(name, ".jsonl") + "*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var links trace.Links
	types := map[string]int{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := trace.Verify(t.Context(), bytes.NewReader(text), trace.Options{Name: name, Strict: true, Session: trace.SessionOptions{StrictPayload: true}})
		if err != nil {
			t.Fatal(err)
		}
		links.Check(r, false)
		if r.Verdict != trace.Valid || r.Errors+r.Warnings > 0 {
			t.Fatalf("%s: %s, %+v", name, r.Verdict, r.Findings)
		}
		for line := range bytes.Lines(text) {
			var e struct {
				Type string `json:"event_type"`
			}
			if err := json.Unmarshal(line, &e); err != nil {
				t.Fatal(err)
			}
			types[e.Type]++
		}
	}
	return types
}

// TestFaults lets each call to the disk fail once. Whatever fails, the next recorder continues a valid log, and no
// event is lost whose Append succeeded.
func TestFaults(t *testing.T) {
	for at := 1; ; at++ {
		name := filepath.Join(t.TempDir(), "log.jsonl")
		faults := &doortest.Faults{At: at, Err: syscall.ENOSPC, Short: true, Dead: at%2 == 0}
		appended := 0
		restore := door.Use(faults.Disk(door.System()))
		log, err := openTest(name, recorder.Options{Sync: recorder.SyncEach, RotateSize: 900, Wait: -1})
		for n := 0; err == nil && n < 6; n++ {
			if err = log.Append(call(fmt.Sprintf(`{"tool_name":"t","args":{"n":%d}}`, n))); err == nil {
				appended++
			}
		}
		if log != nil && log.Recorder != nil {
			err = errors.Join(err, log.Close())
		}
		restore()
		log, open := openTest(name, recorder.Options{})
		if open == nil {
			open = errors.Join(log.Append(call(`{"tool_name":"last","args":{}}`)), log.End("success", ""), log.Close())
		}
		if open != nil {
			t.Fatalf("call %d failed (%s: %v): the log cannot be continued: %v", at, faults.Failed(), err, open)
		}
		if calls := verifyAll(t, name)["TOOL_CALL"]; calls < appended+1 || calls > appended+2 {
			t.Errorf("call %d failed (%s): %d events in the log, %d were appended", at, faults.Failed(), calls, appended+1)
		}
		if faults.Failed() == "" {
			t.Logf("%d calls", at-1)
			return
		}
	}
}

// TestSecondImplementation computes the log of random events with encoding/json and crypto/sha256 alone.
func TestSecondImplementation(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	for round := range 50 {
		name := filepath.Join(t.TempDir(), "log.jsonl")
		env := cmdline.Env{Context: t.Context(), Stdout: io.Discard, Stderr: io.Discard}
		options := record.Options{Session: "s\u00e9ssion"}
		if round%2 == 0 {
			options.Key = key
		}
		log, err := openLog(env.Context, env, name, record.NewChain(options), recorder.Options{Sync: recorder.SyncEnd})
		if err != nil {
			t.Fatal(err)
		}
		var payloads []map[string]any
		for range 1 + random.IntN(20) {
			payload := map[string]any{"tool_name": "t", "args": randomValue(random, 3)}
			text, _ := json.MarshalIndent(payload, "", " ")
			line := bytes.ReplaceAll(call(string(text)), []byte("\n"), nil)
			if err := log.Append(line); err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			payload["args_hash"] = naiveHash(payload["args"])
			payloads = append(payloads, payload)
		}
		if err := errors.Join(log.End("success", ""), log.Close()); err != nil {
			t.Fatal(err)
		}
		verifyAll(t, name)
		compareNaively(t, name, payloads, options.Key)
	}
}

func compareNaively(t *testing.T, name string, payloads []map[string]any, key ed25519.PrivateKey) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	prev, n := strings.Repeat("0", 64), 0
	for line := range bytes.Lines(text) {
		var e map[string]any
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		hash, signature := e["event_hash"].(string), e["signature"]
		delete(e, "event_hash")
		delete(e, "signature")
		if n > 0 && n <= len(payloads) {
			e["payload"] = payloads[n-1]
		}
		e["seq"], e["prev_hash"] = n+1, prev
		if naive := naiveHash(e); naive != hash {
			t.Fatalf("event %d has the hash %s, expected %s: %s", n+1, hash, naive, line)
		}
		if key != nil {
			signed, _ := base64.StdEncoding.DecodeString(signature.(string))
			if !ed25519.Verify(key.Public().(ed25519.PublicKey), []byte(hash), signed) {
				t.Fatalf("event %d has a wrong signature", n+1)
			}
		}
		prev = hash
		n++
	}
	if n != len(payloads)+2 {
		t.Fatalf("%d events, expected %d", n, len(payloads)+2)
	}
}

// naiveHash is the SHA-256 of canonical JSON, for values whose canonical form encoding/json writes.
func naiveHash(value any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // it is made of JSON values
	sum := sha256.Sum256(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return hex.EncodeToString(sum[:])
}

func randomValue(r *rand.Rand, depth int) any {
	kinds := 5
	if depth > 0 {
		kinds = 7
	}
	switch r.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return r.IntN(1 << 30)
	case 3:
		return float64(r.IntN(1<<20)) / 64
	case 4:
		return string([]rune{rune('a' + r.IntN(26)), '<', 'é', '"', '\\', '\n', '猫'}[:r.IntN(8)])
	case 5:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = randomValue(r, depth-1)
		}
		return list
	}
	object := map[string]any{}
	for range r.IntN(4) {
		object[string([]rune{rune('a' + r.IntN(26)), rune('A' + r.IntN(26))})] = randomValue(r, depth-1)
	}
	return object
}

// BenchmarkRecord appends events with the default policy.
func BenchmarkRecord(b *testing.B) {
	log, err := openTest(filepath.Join(b.TempDir(), "log.jsonl"), recorder.Options{Sync: recorder.SyncInterval})
	if err != nil {
		b.Fatal(err)
	}
	line := call(`{"tool_name":"search","args":{"q":"a query of usual length","limit":10}}`)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if err := log.Append(line); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
}
