//go:build !linux

package door

import "os"

// realRoot is the operating system's folder.
type realRoot struct{ *os.Root }

func newRealRoot(r *os.Root) realRoot { return realRoot{r} }

// small is not implemented on this platform; Open is used.
func (realRoot) small(string, func(int64) []byte) ([]byte, bool) { return nil, false }
