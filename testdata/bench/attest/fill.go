package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/attest/provider"
	"github.com/cupel-dev/cupel/internal/scripted"
)

// Requests that fill the caches several times.
const (
	fillNumbers = 1536 // of a vector
	fillTexts   = 32   // of a request, none of which it has seen
	fillTimes   = 3    // as many vectors as its cache holds
	fillVectors = fillTimes * provider.CacheBytes / (4 * fillNumbers)
)

// fill requests vectors of new texts and prints the memory of the engine, which should stop growing when the caches
// are full.
func fill(command []string) error {
	numbers := strings.Repeat(",0.5", fillNumbers-1)
	service := scripted.StartFunc(func(c scripted.Call) scripted.Answer {
		data := make([]string, len(c.Texts))
		for i := range data {
			data[i] = fmt.Sprintf(`{"index":%d,"embedding":[1%s]}`, i, numbers)
		}
		body := `{"data":[` + strings.Join(data, ",") + `]}`
		return scripted.Answer{Body: &body}
	})
	defer service.Close()
	if err := os.Setenv("ATTEST_OPENAI_BASE_URL", service.URL); err != nil {
		return err
	}
	e, _, err := start(command)
	if err != nil {
		return err
	}
	fmt.Printf("%8s %10s %8s %8s %10s %8s\n", "time", "memory", "files", "threads", "answers", "errors")
	const requests, shown = fillVectors / fillTexts, 20
	begin := time.Now()
	for i := range requests {
		if i%(requests/shown) == 0 {
			e.show(time.Since(begin), i, 0)
		}
		if _, err := e.ask(unseen(i).line(i)); err != nil {
			return err
		}
	}
	e.show(time.Since(begin), requests, 0)
	return e.stop()
}

// unseen returns a batch whose texts no other batch has.
func unseen(number int) request {
	list := make([]string, fillTexts)
	for i := range list {
		list[i] = fmt.Sprintf(`{"assertion_id":"e%d","type":"embedding","spec":{"target":"output.message","reference":"text %d %d"}}`, i, number, i)
	}
	return batch(trace(nil, "Your refund is on its way"), list)
}
