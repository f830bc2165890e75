//go:build !linux

package input

// WidenPipe does nothing, because only Linux supports it.
func WidenPipe(any) {}
