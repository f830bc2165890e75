// Bare is a minimal Go program, the lower limit of start-up times.
package main

import "os"

func main() {
	_, _ = os.Stdout.WriteString("bare\n")
}
