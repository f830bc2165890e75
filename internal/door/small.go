package door

import (
	"io/fs"
	"path"
)

// Small reads a small file as a whole, in as few calls of the system as that takes: of many
// thousand files, opening them is most of the work. room returns memory for one byte more
// than a file has, or nil for one that is not to be read so. Where anything is not as usual
// (the name leads over a link, to no regular file or to none, the file grows, reading fails)
// ok is false, and what is to be said of it is for Open to find out.
//
// The name is that of Open, and so is what it can lead to: a link is not followed here, nor in
// the folders on the way.
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
