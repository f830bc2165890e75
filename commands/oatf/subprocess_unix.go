//go:build unix

package oatfcmd

import (
	"os"
	"os/signal"
	"syscall"
)

// shell runs a command line that a flag has.
var shell = [2]string{"/bin/sh", "-c"}

// ownGroup starts a process as the leader of a group that is ended together.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// terminate asks a process and its group to end.
func terminate(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }

// kill ends a process and its group.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// signalWatch ends the process group before a signal ends us. Ctrl-C is handled by the run's context.
type signalWatch struct {
	signals chan os.Signal
	over    chan struct{}
}

// watchSignals begins before there is a process: a signal may come at once.
func watchSignals() *signalWatch {
	w := &signalWatch{make(chan os.Signal, 1), make(chan struct{})}
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			signal.Notify(w.signals, s)
		}
	}
	return w
}

// protect waits for a signal, and ends the process together with cupel; p can be nil.
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

// end leaves signals as they were.
func (w *signalWatch) end() { close(w.over) }
