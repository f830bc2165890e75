//go:build !unix && !windows

package door

import "errors"

// tryLock fails: what several processes write needs a lock that ends with its process.
func tryLock(File) error { return errors.ErrUnsupported }
