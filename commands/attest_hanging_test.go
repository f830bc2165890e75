package commands_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/internal/scripted"
)

// TestEngineWhileModelsHang: when the engine has to end while models do not answer, every
// request gets its answer first: a 3002.
func TestEngineWhileModelsHang(t *testing.T) {
	const requests = 64
	arrived := make(chan struct{}, requests+1)
	service := scripted.StartFunc(func(scripted.Call) scripted.Answer {
		arrived <- struct{}{}
		return scripted.Answer{Hang: true}
	})
	defer service.Close()
	t.Setenv("ATTEST_OPENAI_BASE_URL", service.URL)
	engine := startEngine(t, "--log-level=error", "--eval-timeout=10m")
	var batch strings.Builder
	for i := range requests {
		fmt.Fprintf(&batch, `{"jsonrpc":"2.0","id":%d,"method":"evaluate_batch","params":{"trace":{"trace_id":"trc_1","schema_version":1,"output":{"message":"Good morning."},"steps":[]},"assertions":[{"assertion_id":"a","type":"llm_judge","spec":{"target":"output.message","criteria":"politeness %d","rubric":"default"}}]}}`+"\n", i, i)
	}
	engine.send(initializeEngine + batch.String())
	engine.receive()
	overdue := time.After(time.Minute)
	for n := range requests {
		select {
		case <-arrived:
		case <-overdue:
			t.Fatalf("%d calls, want %d", n, requests)
		}
	}
	if err := engine.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for range requests {
		if answer := engine.receive(); !strings.Contains(answer, `"error":{"code":3002,`) {
			t.Fatal(answer)
		}
	}
	if rest := engine.ends(0); rest != "" {
		t.Errorf("more answers: %s", rest)
	}
	if n := len(service.Calls()); n != requests {
		t.Errorf("%d calls, want %d", n, requests)
	}
}
