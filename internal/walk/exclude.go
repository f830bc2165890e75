package walk

import "path/filepath"

// excluded reports whether Options.Exclude excludes a path, and reports it once, in the shard of the path.
func (w *walker) excluded(path string, isDir bool) bool {
	if w.opt.Exclude == nil {
		return false
	}
	why := w.opt.Exclude(path, isDir)
	if why == "" {
		return false
	}
	w.left++
	key := absolute(path)
	if w.told[key] {
		return true
	}
	w.told[key] = true
	if w.opt.Excluded != nil && w.opt.Shard.Has(path) {
		w.opt.Excluded(filepath.ToSlash(path), why)
	}
	return true
}
