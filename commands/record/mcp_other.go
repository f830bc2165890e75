//go:build !unix

package recordcmd

import (
	"os"
	"os/signal"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return nil }

// signals ignores Ctrl-C, which a server in the same console gets itself.
type signals struct{ in chan os.Signal }

func forwardSignals() *signals {
	s := &signals{make(chan os.Signal, 1)}
	signal.Notify(s.in, os.Interrupt)
	return s
}

func (*signals) forward(*os.Process) {}

func (s *signals) end() { signal.Stop(s.in) }

func exitStatus(state *os.ProcessState) int { return state.ExitCode() }
