//go:build unix

package recordcmd

import (
	"os"
	"os/signal"
	"syscall"
)

// ownGroup starts a process in a new process group, so that it gets each signal once: from this program.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// forwarded are the signals that a server gets instead of this program.
var forwarded = []os.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2,
}

// signals passes signals on to a process.
type signals struct {
	in   chan os.Signal
	over chan struct{}
}

// forwardSignals must be called before the process starts, because a signal can come at once.
func forwardSignals() *signals {
	s := &signals{make(chan os.Signal, 16), make(chan struct{})}
	for _, one := range forwarded {
		if !signal.Ignored(one) {
			signal.Notify(s.in, one)
		}
	}
	return s
}

func (s *signals) forward(p *os.Process) {
	for {
		select {
		case one := <-s.in:
			_ = p.Signal(one) // it has ended otherwise
		case <-s.over:
			return
		}
	}
}

func (s *signals) end() {
	signal.Stop(s.in)
	close(s.over)
}

// exitStatus returns the exit code of a process, and 128 plus the signal that ended it, as shells do.
func exitStatus(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
