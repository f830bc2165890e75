package door

// Pending returns the temporary files that a signal would remove, and whether signals are
// watched.
func Pending() (names []string, watched bool) {
	pending.Lock()
	defer pending.Unlock()
	return pending.names, pending.stop != nil
}

// Clean removes the temporary files that dead processes left in a folder.
func Clean(folder string) { cleanOnce(folder) }
