// Bare is the least that a Go program does: the floor of every start-up time.
package main

import "os"

func main() {
	_, _ = os.Stdout.WriteString("bare\n")
}
