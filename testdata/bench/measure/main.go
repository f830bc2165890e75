// Measure runs commands as whole processes, in turn, and prints what each took: the
// least and the median wall time, the median processor time and the greatest peak
// memory. The first command is the yardstick of the others, run by run, so that the
// ratio holds on a machine whose speed drifts.
//
//	go run ./testdata/bench/measure [-n RUNS] NAME COMMAND… [-- NAME COMMAND…]…
//
// Output of the commands is read and dropped; their exit codes are printed, not judged.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// subject is a measured command and its runs.
type subject struct {
	name   string
	args   []string
	runs   []run
	ratios []float64 // of its wall time to the first subject's, run by run
}

// run is the measurement of one execution.
type run struct {
	wall, cpu time.Duration
	peak      int64 // bytes
	code      int
}

func main() {
	count := flag.Int("n", 5, "counted runs of each command, after one that is not")
	flag.Parse()
	subjects := split(flag.Args())
	if len(subjects) == 0 {
		fmt.Fprintln(os.Stderr, "usage: measure [-n RUNS] NAME COMMAND… [-- NAME COMMAND…]…")
		os.Exit(2)
	}
	for i := -1; i < *count; i++ {
		for _, s := range subjects {
			r, err := execute(s.args)
			if err != nil {
				fmt.Fprintf(os.Stderr, "measure: %s: %v\n", s.name, err)
				os.Exit(2)
			}
			if i < 0 {
				continue
			}
			s.runs = append(s.runs, r)
			s.ratios = append(s.ratios, float64(r.wall)/float64(subjects[0].runs[i].wall))
		}
	}
	fmt.Printf("%-34s %10s %10s %10s %9s %5s %8s\n", "", "min ms", "median ms", "cpu ms", "peak MiB", "exit", "ratio")
	for _, s := range subjects {
		s.print()
	}
}

func split(args []string) (list []*subject) {
	for len(args) > 0 {
		end := slices.Index(args, "--")
		rest := []string(nil)
		if end >= 0 {
			args, rest = args[:end], args[end+1:]
		}
		if len(args) < 2 {
			return nil
		}
		list = append(list, &subject{name: args[0], args: args[1:]})
		args = rest
	}
	return list
}

func execute(args []string) (run, error) {
	cmd := exec.Command(args[0], args[1:]...)
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if cmd.ProcessState == nil {
		return run{}, err
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return run{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), usage.Maxrss << 10, cmd.ProcessState.ExitCode()}, nil
}

func (s *subject) print() {
	pick := func(of func(run) float64) []float64 {
		var list []float64
		for _, r := range s.runs {
			list = append(list, of(r))
		}
		slices.Sort(list)
		return list
	}
	wall := pick(func(r run) float64 { return r.wall.Seconds() * 1e3 })
	cpu := pick(func(r run) float64 { return r.cpu.Seconds() * 1e3 })
	peak := pick(func(r run) float64 { return float64(r.peak) / (1 << 20) })
	slices.Sort(s.ratios)
	fmt.Printf("%-34s %10.1f %10.1f %10.1f %9.1f %5d %7.2fx\n", s.name,
		wall[0], wall[len(wall)/2], cpu[len(cpu)/2], peak[len(peak)-1], s.runs[0].code, s.ratios[len(s.ratios)/2])
}
