package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/internal/scripted"
)

// replayed is how many judged assertions are replayed, and within is the target.
const (
	replayed = 10_000
	within   = time.Second
)

// replay records the answers of a service to many judges. It prints how long `attest eval` takes to replay them,
// next to the same suite without judges.
func replay(cupel string) (err error) {
	dir, err := os.MkdirTemp("", "replay")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	judges, free := make([]string, replayed), make([]string, replayed)
	for i := range judges {
		judges[i] = fmt.Sprintf(`{"assertion_id":"a%d","type":"llm_judge","spec":{"rubric":"tone","criteria":"criterion %d"}}`, i, i)
		free[i] = fmt.Sprintf(`{"assertion_id":"a%d","type":"content","spec":{"target":"output.message","check":"not_contains","value":"%d"}}`, i, i)
	}
	for name, text := range map[string]string{
		"judges.json": `{"assertions":[` + strings.Join(judges, ",") + `]}`,
		"free.json":   `{"assertions":[` + strings.Join(free, ",") + `]}`,
		"trace.json":  trace(nil, "Your refund is on its way"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	service := scripted.Start()
	defer service.Close()
	eval := func(suite string, flags ...string) (time.Duration, error) {
		args := append([]string{"attest", "eval", "-q", "--no-progress", "--eval-timeout=10m", "--assertions", suite, "trace.json"}, flags...)
		run := exec.Command(cupel, args...)
		run.Dir = dir
		begin := time.Now()
		said, err := run.CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("%v: %w\n%.500s", args, err, said)
		}
		return time.Since(begin), nil
	}
	models := []string{"--cassette=tape", "--base-url=" + service.URL}
	if _, err := eval("judges.json", append(models, "--judge=record")...); err != nil {
		return err
	}
	fmt.Printf("attest eval of %d assertions, target %v for the replay:\n", replayed, within)
	for range 3 {
		took, err := eval("judges.json", append(models, "--judge=replay")...)
		if err != nil {
			return err
		}
		beside, err := eval("free.json")
		if err != nil {
			return err
		}
		fmt.Printf("  judges replayed %8v   free checks %8v\n", took.Round(time.Millisecond), beside.Round(time.Millisecond))
	}
	return nil
}
