// Verify logs and print a report on each as JSON.
//
// Usage: verify LOG...
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/cupel-dev/cupel/trace"
)

func main() {
	code := 0
	for _, name := range os.Args[1:] {
		report, err := verify(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, "no answer:", err)
			os.Exit(2)
		}
		rules := map[string]int{}
		for _, f := range report.Findings {
			rules[f.Rule]++
		}
		text, err := json.Marshal(struct {
			Name    string         `json:"name"`
			Verdict trace.Verdict  `json:"verdict"`
			Events  int64          `json:"events"`
			Rules   map[string]int `json:"rules"`
		}{name, report.Verdict, report.Events, rules})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		fmt.Println(string(text))
		if report.Verdict != trace.Valid {
			code = 1
		}
	}
	os.Exit(code)
}

func verify(name string) (*trace.Report, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return trace.VerifyDir(context.Background(), name, trace.Options{})
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return trace.Verify(context.Background(), f, trace.Options{Name: name})
}
