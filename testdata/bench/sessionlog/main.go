// Sessionlog writes a sealed session log of N events, about 620 bytes each, to
// standard output, or a number of such logs into a new folder, or as many among each other
// to standard output, all of them or so many at a time:
//
//	go run ./testdata/bench/sessionlog 1000000 > log.jsonl
//	go run ./testdata/bench/sessionlog 10 logs/ 50000
//	go run ./testdata/bench/sessionlog 100 - 10000
//	go run ./testdata/bench/sessionlog 10 - 100000 8
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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
	args := os.Args[1:]
	if len(args) != 1 && len(args) != 3 && len(args) != 4 {
		return fmt.Errorf("usage: sessionlog EVENTS [FOLDER LOGS | - LOGS [TOGETHER]]")
	}
	events, err := strconv.Atoi(args[0])
	if err != nil || events < 3 {
		return fmt.Errorf("%q events, expected 3 or more", args[0])
	}
	logs := 1
	if len(args) > 2 {
		if logs, err = strconv.Atoi(args[2]); err != nil || logs < 1 {
			return fmt.Errorf("%q logs, expected a number", args[2])
		}
	}
	if len(args) == 3 && args[1] != "-" {
		return writeFolder(args[1], events, logs)
	}
	together := logs
	if len(args) > 3 {
		if together, err = strconv.Atoi(args[3]); err != nil || together < 1 {
			return fmt.Errorf("%q at a time, expected a number", args[3])
		}
	}
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	if err := sessiontest.WorkingDaysInTurn(w, events, logs, together); err != nil {
		return err
	}
	return w.Flush()
}

// writeFolder writes the same log under many names.
func writeFolder(dir string, events, logs int) error {
	var log bytes.Buffer
	if err := sessiontest.WorkingDay(&log, events); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	for i := range logs {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%06d.jsonl", i)), log.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}
