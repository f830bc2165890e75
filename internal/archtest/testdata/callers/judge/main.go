// Evaluate an OATF document on the messages that an agent exchanged.
//
// Usage: judge DOCUMENT MESSAGES
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

func main() {
	verdict, err := judge(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "no answer:", err)
		os.Exit(2)
	}
	fmt.Println(verdict.Result)
	for _, v := range verdict.IndicatorVerdicts {
		fmt.Printf("%s %s: %s\n", v.IndicatorID, v.Result, v.Evidence)
	}
	if verdict.Result == eval.Exploited {
		os.Exit(1)
	}
}

func judge(document, messages string) (eval.AttackVerdict, error) {
	text, err := os.ReadFile(document)
	if err != nil {
		return eval.AttackVerdict{}, err
	}
	loaded, err := oatf.Load(text)
	if err != nil {
		return eval.AttackVerdict{}, err
	}
	evaluator, err := eval.NewEvaluator(loaded.Document, eval.Options{CEL: eval.NewCEL(eval.CELOptions{})})
	if err != nil {
		return eval.AttackVerdict{}, err
	}
	f, err := os.Open(messages)
	if err != nil {
		return eval.AttackVerdict{}, err
	}
	defer f.Close()
	run, reader := evaluator.Start(), capture.NewReader(f, evaluator.Reading(capture.Options{}))
	for {
		message, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return run.Finish(), nil
		}
		if err != nil {
			return eval.AttackVerdict{}, err
		}
		if err := run.Take(context.Background(), message); err != nil {
			return eval.AttackVerdict{}, err
		}
	}
}
