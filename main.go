// Cupel checks the logs, evidence and test definitions that AI agents produce.
package main

import (
	"context"
	"os"
	"os/signal"
	"time"

	"github.com/cupel-dev/cupel/commands"
)

func main() {
	signal.Ignore(commands.WriteSignals...) // they become errors of writing
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(commands.Main(commands.Env{
		Context: ctx, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Now: time.Now,
	}, os.Args))
}
