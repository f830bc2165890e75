package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/internal/scripted"
)

// withModels measures an engine with a model service that answers after a delay.
func withModels(delay time.Duration, measure func(*engine) ([]figure, error)) func([]string) ([]figure, error) {
	return func(command []string) ([]figure, error) {
		service := scripted.Start(scripted.Answer{Delay: scripted.Duration(delay)})
		defer service.Close()
		if err := os.Setenv("ATTEST_OPENAI_BASE_URL", service.URL); err != nil {
			return nil, err
		}
		defer func() { _ = os.Unsetenv("ATTEST_OPENAI_BASE_URL") }()
		return withEngine(measure)(command)
	}
}

// judges returns a batch of layer 6 assertions that all differ, also from those of batches with another number.
func judges(number, count int) request {
	assertions := make([]string, count)
	for i := range assertions {
		assertions[i] = fmt.Sprintf(`{"assertion_id":"j%d","type":"llm_judge","spec":{"rubric":"helpfulness","criteria":"criterion %d of batch %d"}}`, i, i, number)
	}
	return batch(trace(nil, "Your refund is on its way"), assertions)
}

// judged measures batches with 64 judges.
func judged(e *engine) ([]figure, error) {
	var times []time.Duration
	for i := range 5 {
		took, err := e.ask(judges(i, 64).line(i + 1))
		if err != nil {
			return nil, err
		}
		times = append(times, took)
	}
	return []figure{ms("median", quantile(times, 0.5)), ms("slowest", quantile(times, 1))}, nil
}

// besideJudges measures small requests while 32 others wait for opinions.
func besideJudges(e *engine) ([]figure, error) {
	const slow, firstSlow = 32, 1 << 30
	var lines strings.Builder
	for i := range slow {
		_, _ = lines.Write(judges(i, 1).line(firstSlow + i)) // never fails
	}
	if err := e.send([]byte(lines.String())); err != nil {
		return nil, err
	}
	small := example()
	var times []time.Duration
	waiting, beside := slow, 0.0
	for id := 1; id <= 5000; id++ {
		begin := time.Now()
		if err := e.send(small.line(id)); err != nil {
			return nil, err
		}
		for got := 0; got != id; {
			var err error
			if got, err = e.receive(); err != nil {
				return nil, err
			}
			if got >= firstSlow {
				waiting--
			}
		}
		times = append(times, time.Since(begin))
		if waiting == slow {
			beside++
		}
	}
	for ; waiting > 0; waiting-- {
		if _, err := e.receive(); err != nil {
			return nil, err
		}
	}
	return []figure{ms("p50", quantile(times, 0.5)), ms("p99", quantile(times, 0.99)), {"samples beside all 32", beside, ""}}, nil
}
