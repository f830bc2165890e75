//go:build !linux

package input

// WidenPipe does nothing: only Linux lets a program widen a pipe.
func WidenPipe(any) {}
