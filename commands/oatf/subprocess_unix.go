//go:build unix

package oatfcmd

import (
	"os"
	"os/signal"
	"syscall"
)

// shell runs a command line that a flag has.
var shell = [2]string{"/bin/sh", "-c"}

// ownGroup makes a process the first of a group, with which it is ended.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// terminate asks a process and its group to end.
func terminate(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }

// kill ends a process and its group.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// signalWatch sees to it that a group does not outlive a signal that ends us: we end as
// we would without it, after the group. A terminal's Ctrl-C is not among them, which the
// context of the run knows.
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

// protect waits for a signal that ends the process with us; nil is none.
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
