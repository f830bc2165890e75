// Sessionlog writes a sealed session log of N events, about 620 bytes each, to
// standard output:
//
//	go run ./testdata/bench/sessionlog 1000000 > log.jsonl
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"

	"github.com/cupel-dev/cupel/internal/sessiontest"
)

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "sessionlog:", err)
		os.Exit(2)
	}
}

func write() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: sessionlog EVENTS")
	}
	n, err := strconv.Atoi(os.Args[1])
	if err != nil || n < 3 {
		return fmt.Errorf("%q events, expected 3 or more", os.Args[1])
	}
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	if err := sessiontest.WorkingDay(w, n); err != nil {
		return err
	}
	return w.Flush()
}
