package recordcmd

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/checkpoint"
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
	log, err := openSealed(name, "7", recorder.Options{RotateSize: 20_000})
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

// openSealed opens a log with a checkpoint after each so many events.
func openSealed(name, every string, opt recorder.Options) (*Log, error) {
	c := checkpoints{origin: "example.com/log", key: name + ".pem", every: every}
	if _, err := os.Stat(c.key); err != nil {
		der, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
		if err == nil {
			err = os.WriteFile(c.key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := c.apply(context.Background(), &opt, name, ""); err != nil {
		return nil, err
	}
	return openTest(name, opt)
}

// checkCheckpoint compares the checkpoint of a log with a naive tree over the lines of its files. It returns how many
// lines come after the checkpoint.
func checkCheckpoint(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile(name + ".checkpoint")
	if err != nil {
		t.Fatal(err)
	}
	head, err := checkpoint.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(strings.TrimSuffix(name, ".jsonl") + ".0*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]byte
	for _, file := range append(names, name) {
		text, err := os.ReadFile(file)
		if err != nil && !(file == name && errors.Is(err, os.ErrNotExist)) {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			if line, whole := bytes.CutSuffix(line, []byte("\n")); whole {
				lines = append(lines, line)
			}
		}
	}
	if head.Size > int64(len(lines)) {
		t.Fatalf("the checkpoint has %d events, the log %d", head.Size, len(lines))
	}
	if root := naiveRoot(lines[:head.Size]); root != head.Root {
		t.Fatalf("the root of %d events is %x, expected %x", head.Size, head.Root, root)
	}
	return len(lines) - int(head.Size)
}

// naiveRoot is the tree hash of RFC 6962, section 2.1, as it is written there.
func naiveRoot(lines [][]byte) [32]byte {
	if len(lines) == 0 {
		return sha256.Sum256(nil)
	}
	if len(lines) == 1 {
		return sha256.Sum256(append([]byte{0}, lines[0]...))
	}
	k := 1
	for k*2 < len(lines) {
		k *= 2
	}
	left, right := naiveRoot(lines[:k]), naiveRoot(lines[k:])
	return sha256.Sum256(slices.Concat([]byte{1}, left[:], right[:]))
}

// TestCheckpoints: whenever a log is opened, rotated and closed, its checkpoint is that of its first lines, and at most
// so many lines come after it as are asked for. Once it is closed, there are none.
func TestCheckpoints(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		name := filepath.Join(t.TempDir(), "log.jsonl")
		every := 1 + random.IntN(9)
		for range 1 + random.IntN(4) {
			log, err := openSealed(name, strconv.Itoa(every), recorder.Options{Sync: recorder.Sync(random.IntN(3)), RotateSize: int64(500 + random.IntN(3000))})
			if err != nil {
				t.Fatal(err)
			}
			for n := range random.IntN(25) {
				if err := log.Append(call(fmt.Sprintf(`{"tool_name":"t","args":{"n":%d}}`, n))); err != nil {
					t.Fatal(err)
				}
				if n >= every {
					// An event that starts a file comes with one or two lines more: SESSION_END of the file before and SESSION_START.
					if after := checkCheckpoint(t, name); after > every+2 {
						t.Fatalf("%d lines after the checkpoint, one is due after %d events", after, every)
					}
				}
			}
			if err := log.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(name + ".checkpoint"); err == nil {
				if after := checkCheckpoint(t, name); after > 0 {
					t.Fatalf("%d lines after the checkpoint of a closed log", after)
				}
			}
		}
	}
}

// TestKeepsCheckpoint: a log that lost or changed events under its checkpoint is not continued.
func TestKeepsCheckpoint(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.jsonl")
	log, err := openSealed(name, "", recorder.Options{RotateSize: 600})
	for n := 0; err == nil && n < 9; n++ {
		err = log.Append(call(fmt.Sprintf(`{"tool_name":"t","args":{"n":%d}}`, n)))
	}
	if err == nil {
		err = log.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if after := checkCheckpoint(t, name); after != 0 {
		t.Fatalf("%d lines after the checkpoint", after)
	}
	first := strings.TrimSuffix(name, ".jsonl") + ".000001.jsonl"
	whole, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	for title, text := range map[string][]byte{
		"a line less":    whole[:bytes.LastIndexByte(whole[:len(whole)-1], '\n')+1],
		"a line more":    append(bytes.Clone(whole), "{}\n"...),
		"another line":   bytes.Replace(whole, []byte(`"n":0`), []byte(`"n":5`), 1),
		"no file at all": nil,
	} {
		if err := os.WriteFile(first, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if text == nil {
			_ = os.Remove(first)
		}
		if log, err := openSealed(name, "", recorder.Options{}); err == nil {
			_ = log.Close()
			t.Errorf("%s: the log is continued", title)
		} else if !strings.Contains(err.Error(), "checkpoint") {
			t.Errorf("%s: %v", title, err)
		}
	}
	if err := os.WriteFile(first, bytes.TrimSuffix(whole, []byte("\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if log, err = openSealed(name, "", recorder.Options{}); err != nil {
		t.Fatalf("without the line end of a full file: %v", err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestKills kills a recording process at random times. No acknowledged event is lost, the next process continues the
// chain, and the checkpoint never has what the log lacks.
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
		if _, err := os.Stat(name + ".checkpoint"); err == nil {
			checkCheckpoint(t, name)
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
		log, err := openSealed(name, "2", recorder.Options{Sync: recorder.SyncEach, RotateSize: 900, Wait: -1})
		for n := 0; err == nil && n < 6; n++ {
			if err = log.Append(call(fmt.Sprintf(`{"tool_name":"t","args":{"n":%d}}`, n))); err == nil {
				appended++
			}
		}
		if log != nil && log.Recorder != nil {
			err = errors.Join(err, log.Close())
		}
		restore()
		log, open := openSealed(name, "", recorder.Options{})
		if open == nil {
			open = errors.Join(log.Append(call(`{"tool_name":"last","args":{}}`)), log.End("success", ""), log.Close())
		}
		if open != nil {
			t.Fatalf("call %d failed (%s: %v): the log cannot be continued: %v", at, faults.Failed(), err, open)
		}
		if after := checkCheckpoint(t, name); after > 0 {
			t.Errorf("call %d failed (%s): %d lines after the checkpoint", at, faults.Failed(), after)
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
