//go:build !unix && !windows

package door

import "errors"

// tryLock fails: this platform has no lock that ends with its process.
func tryLock(File) error { return errors.ErrUnsupported }
