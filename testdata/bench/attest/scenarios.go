package main

import (
	"errors"
	"time"
)

// scenario is a load on an engine and its target figures.
type scenario struct {
	name    string
	targets []string
	measure func(command []string) ([]figure, error)
}

func scenarios(soak int) []scenario {
	return []scenario{
		{"start-up to initialize", []string{"", "floor + 8 ms"}, startUp},
		{"example, one at a time", []string{"0.08 ms", "", "10,000/s"}, withEngine(sequential(example(), 20_000))},
		{"example, 64 in flight", []string{"20,000/s"}, withEngine(inFlight(example(), 40_000))},
		{"10,000 steps, 1,000 assertions", []string{"50 ms"}, withEngine(single(many(), 15))},
		{"10,000 steps, 1,000 tree checks", []string{"50 ms"}, withEngine(single(trees(), 15))},
		{"9.9 MB trace", []string{"40 ms", "", "80 MiB"}, withEngine(single(large(), 15))},
		{"same schema 500 times", []string{"6 ms"}, withEngine(single(sameSchema(), 50))},
		{"500 substrings in 400 kB", []string{"80 ms"}, withEngine(single(substrings(), 15))},
		{"500 expressions in 400 kB", nil, withEngine(single(expressions(), 3))},
		{"small beside 9.9 MB", []string{"", "5 ms"}, withEngine(beside)},
		{"64 judges of 200 ms in a batch", []string{"250 ms"}, withModels(200*time.Millisecond, judged)},
		{"small beside 32 slow judges", []string{"", "5 ms"}, withModels(5*time.Second, besideJudges)},
		{"endurance", []string{"", "flat", "", "flat"}, withEngine(endurance(example(), soak))},
	}
}

func withEngine(measure func(*engine) ([]figure, error)) func([]string) ([]figure, error) {
	return func(command []string) ([]figure, error) {
		e, _, err := start(command)
		if err != nil {
			return nil, err
		}
		figures, err := measure(e)
		return figures, errors.Join(err, e.stop())
	}
}

func startUp(command []string) ([]figure, error) {
	var times []time.Duration
	for range 40 {
		e, took, err := start(command)
		if err != nil {
			return nil, err
		}
		if err := e.stop(); err != nil {
			return nil, err
		}
		times = append(times, took)
	}
	return []figure{ms("minimum", quantile(times, 0)), ms("median", quantile(times, 0.5))}, nil
}

// sequential sends each request after the previous answer.
func sequential(r request, n int) func(*engine) ([]figure, error) {
	return func(e *engine) ([]figure, error) {
		times := make([]time.Duration, n)
		begin := time.Now()
		for i := range times {
			took, err := e.ask(r.line(i + 1))
			if err != nil {
				return nil, err
			}
			times[i] = took
		}
		rate := float64(n) / time.Since(begin).Seconds()
		return []figure{ms("p50", quantile(times, 0.5)), ms("p99", quantile(times, 0.99)), {"throughput", rate, "/s"}}, nil
	}
}

// single sends one heavy request several times.
func single(r request, n int) func(*engine) ([]figure, error) {
	return func(e *engine) ([]figure, error) {
		var times []time.Duration
		for i := range n {
			took, err := e.ask(r.line(i + 1))
			if err != nil {
				return nil, err
			}
			times = append(times, took)
		}
		_, peak := e.memory()
		return []figure{ms("median", quantile(times, 0.5)), ms("slowest", quantile(times, 1)), {"peak memory", peak, "MiB"}}, nil
	}
}

// inFlight keeps 64 requests in flight.
func inFlight(r request, n int) func(*engine) ([]figure, error) {
	return func(e *engine) ([]figure, error) {
		rate, err := keepBusy(e, r, n)
		return []figure{{"throughput", rate, "/s"}}, err
	}
}

// keepBusy sends n requests, 64 in flight, and returns the rate per second. It sends as many requests at once as
// answers arrived together.
func keepBusy(e *engine, r request, n int) (rate float64, err error) {
	begin := time.Now()
	var lines []byte
	sent, free := 0, 64
	for received := 0; received < n; {
		lines = lines[:0]
		for ; free > 0 && sent < n; free-- {
			sent++
			lines = append(lines, r.line(sent)...)
		}
		if err := e.send(lines); err != nil {
			return 0, err
		}
		for more := true; more; more = e.out.Buffered() > 0 {
			if _, err := e.receive(); err != nil {
				return 0, err
			}
			received++
			free++
		}
	}
	return float64(n) / time.Since(begin).Seconds(), nil
}

// beside measures small requests during the evaluation of a large one.
func beside(e *engine) ([]figure, error) {
	const largeID = 1 << 30
	small, big := example(), large().line(largeID)
	var times []time.Duration
	for id, round := 1, 0; round < 30; round++ {
		if err := e.send(big); err != nil {
			return nil, err
		}
		for running := true; running; id++ {
			begin := time.Now()
			if err := e.send(small.line(id)); err != nil {
				return nil, err
			}
			for got := 0; got != id; {
				var err error
				if got, err = e.receive(); err != nil {
					return nil, err
				}
				running = running && got != largeID
			}
			times = append(times, time.Since(begin))
		}
	}
	return []figure{ms("p50", quantile(times, 0.5)), ms("p99", quantile(times, 0.99)), {"samples", float64(len(times)), ""}}, nil
}

// endurance compares the first tenth of a long run with the last.
func endurance(r request, n int) func(*engine) ([]figure, error) {
	return func(e *engine) ([]figure, error) {
		first, err := keepBusy(e, r, n/10)
		if err != nil {
			return nil, err
		}
		before, _ := e.memory()
		if _, err := keepBusy(e, r, n-2*(n/10)); err != nil {
			return nil, err
		}
		last, err := keepBusy(e, r, n/10)
		after, _ := e.memory()
		return []figure{
			{"first tenth", first, "/s"},
			{"last tenth", last, "/s"},
			{"memory after the first", before, "MiB"},
			{"memory after the last", after, "MiB"},
		}, err
	}
}
