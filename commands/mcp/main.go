// Command cupel-mcp offers cupel's checks to programs that speak the Model Context Protocol: cupel-mcp [--root DIR]…
// It reads files below its roots, writes none, and connects to nobody.
//
// It is a module of its own, because the protocol's SDK makes the program 1.8 MB larger.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	s := &server{limits: limits{Time: time.Minute, Bytes: 1 << 30, Answer: 1 << 20, Findings: 100}}
	flags := flag.NewFlagSet("cupel-mcp", flag.ContinueOnError)
	flags.Func("root", "read files below `DIR`, whatever the client names as its roots; repeatable", s.addRoot)
	flags.DurationVar(&s.limits.Time, "timeout", s.limits.Time, "stop a call after `TIME`")
	flags.Int64Var(&s.limits.Bytes, "max-bytes", s.limits.Bytes, "refuse a call whose files have more than `BYTES` together")
	flags.IntVar(&s.limits.Answer, "max-answer-bytes", s.limits.Answer, "refuse an answer of more than `BYTES`")
	flags.IntVar(&s.limits.Findings, "max-findings", s.limits.Findings, "answer at most `N` findings of each list, and count the others")
	switch err := flags.Parse(os.Args[1:]); {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil: // flag has said it
		os.Exit(2)
	case flags.NArg() > 0:
		fmt.Fprintf(os.Stderr, "cupel-mcp: error: unexpected operand %q\ncupel-mcp: hint: name folders with --root\n", flags.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := s.mcp().Run(ctx, &mcp.StdioTransport{}); err != nil && ctx.Err() == nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, "cupel-mcp: error:", err)
		os.Exit(2)
	}
}
