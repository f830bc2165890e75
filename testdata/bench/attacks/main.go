// Attacks writes OATF documents for benchmarks.
//
//	go run ./testdata/bench/attacks -n COUNT -bytes SIZE DIR
//
// The documents are valid, of about SIZE bytes each, with the mixture of parts that real
// ones have.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cupel-dev/cupel/internal/oatftest"
)

func main() {
	count := flag.Int("n", 1, "number of documents")
	size := flag.Int("bytes", 20_000, "size of each")
	flag.Parse()
	for i := range *count {
		name := filepath.Join(flag.Arg(0), fmt.Sprintf("attack-%05d.yaml", i))
		if err := os.WriteFile(name, oatftest.Document(i, *size), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
