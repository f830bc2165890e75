//go:build unix

package oatfcmd

import (
	"os"
	"os/signal"
	"syscall"
)

// shell runs a command line.
var shell = [2]string{"/bin/sh", "-c"}

// ownGroup starts a process in a new process group.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// terminate asks a process and its group to exit.
func terminate(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }

func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// signalWatch kills the process group before a signal ends this program. The run's context handles Ctrl-C.
type signalWatch struct {
	signals chan os.Signal
	over    chan struct{}
}

// watchSignals must be called before the process starts, because a signal can come at once.
func watchSignals() *signalWatch {
	w := &signalWatch{make(chan os.Signal, 1), make(chan struct{})}
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			signal.Notify(w.signals, s)
		}
	}
	return w
}

// protect waits for a signal and then kills the process. p can be nil.
func (w *signalWatch) protect(p *os.Process) {
	select {
	case s := <-w.signals:
		if p != nil {
			kill(p)
		}
		signal.Reset(s)
		_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
	case <-w.over:
		signal.Stop(w.signals)
	}
}

func (w *signalWatch) end() { close(w.over) }
