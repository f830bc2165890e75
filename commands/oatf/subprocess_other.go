//go:build !unix

package oatfcmd

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

// signalWatch does nothing where a program cannot take others along.
type signalWatch struct{}

func watchSignals() *signalWatch { return &signalWatch{} }

func (*signalWatch) protect(*os.Process) {}

func (*signalWatch) end() {}
