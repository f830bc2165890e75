package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/cupel-dev/cupel/internal/scripted"
)

// moody simulates a flaky service: it mostly answers correctly, with a delay.
func moody(scripted.Call) scripted.Answer {
	prose, none := "I would say that it is good.", "<html>"
	switch rand.IntN(20) {
	case 0:
		return scripted.Answer{Status: 500}
	case 1:
		return scripted.Answer{Status: 429, Header: map[string]string{"Retry-After": "1"}}
	case 2:
		return scripted.Answer{Close: true}
	case 3:
		return scripted.Answer{Body: &none}
	case 4:
		return scripted.Answer{Text: &prose}
	case 5:
		return scripted.Answer{Hang: true}
	case 6:
		return scripted.Answer{Cut: 10}
	}
	return scripted.Answer{Delay: scripted.Duration(rand.IntN(200)) * scripted.Duration(time.Millisecond)}
}

// flaky runs an engine for some time with a service that fails one call in three, and prints the engine's memory.
// Any answer is accepted, but there must be one.
func flaky(command []string, lasts time.Duration) error {
	service := scripted.StartFunc(moody)
	defer service.Close()
	if err := os.Setenv("ATTEST_OPENAI_BASE_URL", service.URL); err != nil {
		return err
	}
	e, _, err := start(append(command, "--eval-timeout=3s"))
	if err != nil {
		return err
	}
	fmt.Printf("%8s %10s %8s %8s %10s %8s\n", "time", "memory", "files", "threads", "answers", "errors")
	const under = 8 // requests under way
	begin, sent, answered, failed := time.Now(), 0, 0, 0
	for next := begin; sent > answered || time.Since(begin) < lasts; {
		for ; sent-answered < under && time.Since(begin) < lasts; sent++ {
			if err := e.send(mixed(sent).line(sent)); err != nil {
				return err
			}
		}
		switch _, err := e.receive(); {
		case errors.Is(err, errAnswered):
			failed++
		case err != nil:
			return err
		}
		answered++
		if time.Now().After(next) {
			e.show(time.Since(begin), answered, failed)
			next = next.Add(lasts / 20)
		}
	}
	e.show(time.Since(begin), answered, failed)
	return e.stop()
}

// mixed returns a batch with judges, vectors and free checks. Batches with different numbers have different texts.
func mixed(number int) request {
	list := []string{`{"assertion_id":"c","type":"content","spec":{"target":"output.message","check":"contains","value":"refund"}}`}
	for i := range 3 {
		list = append(list,
			fmt.Sprintf(`{"assertion_id":"j%d","type":"llm_judge","spec":{"rubric":"tone","criteria":"%d %d"}}`, i, number, i),
			fmt.Sprintf(`{"assertion_id":"e%d","type":"embedding","spec":{"target":"output.message","reference":"text %d %d"}}`, i, number, i))
	}
	return batch(trace(nil, "Your refund is on its way"), list)
}

// show prints the engine's memory, if the system reports it.
func (e *engine) show(at time.Duration, answered, failed int) {
	now, _ := e.memory()
	count := func(what string) int {
		entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/%s", e.cmd.Process.Pid, what))
		return len(entries)
	}
	fmt.Printf("%8s %6.1f MiB %8d %8d %10d %8d\n", at.Round(time.Second), now, count("fd"), count("task"), answered, failed)
}
