//go:build unix

package commands

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

// killedWithUs sees to it that a group does not outlive a signal that ends us: we end as
// we would without it, after the group. A terminal's Ctrl-C is not among them, which the
// context of the run knows. The function that it returns ends that.
func killedWithUs(p *os.Process) (unwatch func()) {
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	done := make(chan struct{})
	go func() {
		select {
		case s := <-signals:
			kill(p)
			signal.Reset(s)
			_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
		case <-done:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}
