package door

import (
	"io/fs"
	"path"
)

// Small reads a small regular file with few system calls: for thousands of files, opening dominates. room returns a
// buffer of size+1 bytes, or nil to decline. ok is false in any unusual case (link, irregular or missing file,
// growth, read error); Open then finds the reason. name is as for Open, but links are not followed, nor those in
// its folders.
func (d *Folder) Small(name string, room func(size int64) []byte) (data []byte, ok bool) {
	if !fs.ValidPath(name) || name == "." {
		return nil, false
	}
	folder, ok := d.near(path.Dir(name)).(realRoot)
	if !ok {
		return nil, false
	}
	return folder.small(path.Base(name), room)
}
