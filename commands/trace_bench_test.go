package commands_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
)

// writeRun writes a run's files into a folder.
func writeRun(tb testing.TB, dir string, run *reasoningtest.Run) {
	tb.Helper()
	for _, f := range run.Files() {
		writeFile(tb, filepath.Join(dir, f.Name), f.Data)
	}
}

// BenchmarkTraceVerifyReasoning verifies a run of 20,000 events with 5,000 evidence
// files, its trace id and its manifest, through the command line. The whole-process
// figure for 100,000 events is testdata/bench/reasoning.sh's.
func BenchmarkTraceVerifyReasoning(b *testing.B) {
	dir := b.TempDir()
	writeRun(b, dir, reasoningtest.Research(reasoningtest.Wrapped, 20_000))
	info, err := os.Stat(filepath.Join(dir, "trace.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	benchmarkVerify(b, "--format", "short", dir)
}

// BenchmarkTraceVerifySmallLogs verifies 1,000 session logs of ten events, through the
// command line. The whole-process figure for 50,000 is testdata/bench/session.sh's.
func BenchmarkTraceVerifySmallLogs(b *testing.B) {
	const logs = 1000
	var log bytes.Buffer
	if err := sessiontest.WorkingDay(&log, 10); err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	for i := range logs {
		writeFile(b, filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)), log.Bytes())
	}
	b.ReportAllocs()
	benchmarkVerify(b, "-q", dir)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/logs, "ns/log")
}

func benchmarkVerify(b *testing.B, args ...string) {
	b.Helper()
	for b.Loop() {
		var out bytes.Buffer
		code := commands.Main(commands.Env{
			Context: context.Background(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out,
			Getenv: func(string) string { return "" },
		}, append([]string{"cupel", "trace", "verify"}, args...))
		if code != 0 {
			b.Fatalf("exit code %d\n%s", code, out.Bytes())
		}
	}
}
