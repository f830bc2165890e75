// Cupel verifies, hashes, lints and evaluates what AI agents did.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/cupel-dev/cupel/commands"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := commands.Main(commands.Env{
		Context: ctx, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
	}, os.Args)
	stop()
	os.Exit(code)
}
