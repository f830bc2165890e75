// Attest loads an engine of the attest protocol over its pipes and prints what it
// measures, each figure beside that of a floor: an engine that decodes the envelope
// and answers a constant, in the same run on the same machine.
//
//	go run ./testdata/bench/attest ./cupel attest serve --log-level=error
//
// The figures are for people to read; nothing here fails because of a slow machine.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"
)

func main() {
	asFloor := flag.Bool("floor", false, "be the floor engine on standard input and output")
	soak := flag.Int("soak", 100_000, "requests of the endurance run")
	only := flag.String("only", "", "measure only the scenario of this name")
	heavy := flag.Bool("memory", false, "measure the peak memory of heavy requests")
	moods := flag.Duration("flaky", 0, "show for this long what an engine holds beside a service of models that often fails")
	full := flag.Bool("fill", false, "show what an engine holds while its caches fill, and afterwards")
	recorded := flag.Bool("replay", false, "show how long it takes to replay the answers of judges")
	others := flag.Bool("pass", false, "pass over what the engine cannot do")
	traces := flag.String("traces", "", "write traces and a suite into this folder")
	flag.Parse()
	var err error
	switch {
	case *traces != "":
		err = writeTraces(*traces)
	case *recorded:
		err = replay(flag.Arg(0))
	case *moods > 0:
		err = flaky(flag.Args(), *moods)
	case *full:
		err = fill(flag.Args())
	case *heavy:
		err = memory(flag.Args())
	default:
		err = run(*asFloor, *others, *soak, *only, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "attest bench:", err)
		os.Exit(1)
	}
}

func run(asFloor, pass bool, soak int, only string, command []string) error {
	if asFloor {
		return floor(os.Stdin, os.Stdout)
	}
	if len(command) == 0 {
		return fmt.Errorf("usage: attest [-soak N] [-only NAME] ENGINE [ARG…]")
	}
	runtime.GOMAXPROCS(1) // the driver does one thing at a time; the cores are the engine's
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Printf("%-34s %-24s %12s %12s   %s\n", "scenario", "figure", "engine", "floor", "target")
	known := 0
	for _, s := range scenarios(soak) {
		if only != "" && only != s.name {
			continue
		}
		known++
		engine, err := s.measure(command)
		if err != nil && pass {
			fmt.Printf("%-34s passed over: %v\n", s.name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		floor, err := s.measure([]string{self, "-floor"})
		if err != nil {
			return fmt.Errorf("%s, floor: %w", s.name, err)
		}
		print(s, engine, floor)
	}
	if known == 0 {
		return fmt.Errorf("no scenario called %q", only)
	}
	return nil
}

// figure is one measured number.
type figure struct {
	name  string
	value float64
	unit  string
}

func ms(name string, d time.Duration) figure {
	return figure{name, float64(d) / float64(time.Millisecond), "ms"}
}

func print(s scenario, engine, floor []figure) {
	for i, f := range engine {
		target := ""
		if i < len(s.targets) {
			target = s.targets[i]
		}
		fmt.Printf("%-34s %-24s %12s %12s   %s\n", s.name, f.name, f, floor[i], target)
	}
}

func (f figure) String() string {
	switch {
	case f.unit == "ms" && f.value < 10:
		return fmt.Sprintf("%.3f ms", f.value)
	case f.unit == "ms":
		return fmt.Sprintf("%.1f ms", f.value)
	}
	return fmt.Sprintf("%.0f %s", f.value, f.unit)
}

// quantile is the value below which a share q of the durations lies.
func quantile(list []time.Duration, q float64) time.Duration {
	slices.Sort(list)
	return list[min(int(q*float64(len(list))), len(list)-1)]
}
