//go:build !unix

package oatfcmd

import (
	"os"
	"syscall"
)

// shell runs a command line.
var shell = [2]string{"cmd", "/C"}

func ownGroup() *syscall.SysProcAttr { return nil }

// terminate kills a process, because there is no signal to ask it to exit.
func terminate(p *os.Process) { kill(p) }

func kill(p *os.Process) { _ = p.Kill() }

// signalWatch does nothing on systems without process groups.
type signalWatch struct{}

func watchSignals() *signalWatch { return &signalWatch{} }

func (*signalWatch) protect(*os.Process) {}

func (*signalWatch) end() {}
