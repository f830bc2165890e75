//go:build unix

package history_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/history"
)

var nan = math.NaN()

func logTo(b *strings.Builder) *slog.Logger { return slog.New(slog.NewTextHandler(b, nil)) }

const (
	writesTo = "HISTORY_TEST_WRITES" // the file that a process of these tests writes to
	writesAs = "HISTORY_TEST_AS"     // the assertion whose scores it writes; "": until it is killed
)

// TestMain is the tests, or a process that writes scores.
func TestMain(m *testing.M) {
	if name := os.Getenv(writesTo); name != "" {
		if err := writeScores(name, os.Getenv(writesAs)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// perProcess is the number of scores each process writes, in batches of one, two, three…
const perProcess = 210

func writeScores(name, id string) error {
	s, err := history.Open(context.Background(), name, history.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	written := 0
	for batch := 1; id == "" || written < perProcess; batch++ {
		var scores []attest.Score
		for i := range batch % 40 {
			scores = append(scores, attest.Score{AssertionID: id + "x", Score: float64(written+i) / 1e6})
		}
		if err := s.Record(context.Background(), scores); err != nil {
			return err
		}
		if written += len(scores); id == "" && written > perProcess {
			fmt.Println("writing")
		}
	}
	return nil
}

func process(t *testing.T, name, id string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writesTo+"="+name, writesAs+"="+id)
	return cmd
}

// TestProcesses: the scores of several processes that write at once are all there, each
// process's in its order.
func TestProcesses(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	ids := []string{"a", "b", "c", "d"}
	var wait sync.WaitGroup
	for _, id := range ids {
		wait.Go(func() {
			if out, err := process(t, name, id).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wait.Wait()
	s := open(t, name, 0)
	defer s.Close()
	for _, id := range ids {
		got, err := s.Scores(t.Context(), id+"x", 1000)
		if err != nil || len(got) != perProcess || !slices.IsSorted(got) {
			t.Errorf("%s: %d scores (%v)", id, len(got), err)
		}
	}
}

// TestKilled: a process that is killed while it writes leaves whole lines, at most one torn
// one, and nothing that keeps others from writing.
func TestKilled(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	for range 5 {
		cmd := process(t, name, "")
		out, err := cmd.StdoutPipe()
		check(t, err)
		check(t, cmd.Start())
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "writing\n" {
			t.Fatalf("%q, %v", line, err)
		}
		check(t, cmd.Process.Kill())
		_ = cmd.Wait()
		s := open(t, name, 0)
		check(t, s.Record(t.Context(), []attest.Score{{AssertionID: "me", Score: 0.5}}))
		text := read(t, name)
		if got, err := s.Scores(t.Context(), "me", 9); err != nil || !slices.Equal(got, naive(text, "me", 9)) || len(got) == 0 {
			t.Errorf("%v (%v)", got, err)
		}
		s.Close()
	}
	torn := 0
	for line := range strings.Lines(read(t, name)) {
		if len(naive(line, "x", 1))+len(naive(line, "me", 1)) == 0 && line != firstLine {
			torn++
		}
	}
	if torn > 5 {
		t.Errorf("%d lines that no killed process has torn", torn)
	}
}
