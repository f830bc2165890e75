//go:build !unix

package commands

import (
	"os"
	"syscall"
)

// shell runs a command line that a flag has.
var shell = [2]string{"cmd", "/C"}

func ownGroup() *syscall.SysProcAttr { return nil }

// terminate ends a process; nothing gentler is known.
func terminate(p *os.Process) { kill(p) }

func kill(p *os.Process) { _ = p.Kill() }

func killedWithUs(*os.Process) (unwatch func()) { return func() {} }
