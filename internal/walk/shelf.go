package walk

import (
	"io"
	"path"
	"sync"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
)

// shelf opens walked files through the walked folder. It keeps the latest folder open, for the next
// file. It is safe for concurrent use.
type shelf struct {
	mu      sync.Mutex
	ground  string // the walked folder
	dir     string // subfolder
	current *door.Folder
}

// file opens a file below the ground for a reader that accepts some compressed formats.
func (s *shelf) file(ground, name string, known []string) (io.ReadCloser, error) {
	if folder, err := s.folder(ground, path.Dir(name)); err == nil {
		defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
		if f, err := folder.TextOr(path.Base(name), known...); err == nil {
			return f, nil
		}
	}
	// A link can leave its folder but not the ground.
	whole, err := door.Open(ground)
	if err != nil {
		return nil, say.Plain(err)
	}
	defer func() { _ = whole.Close() }()
	f, err := whole.TextOr(name, known...)
	if err != nil {
		return nil, say.Plain(err)
	}
	return f, nil
}

// folder opens a folder below the ground. The caller must close it.
func (s *shelf) folder(ground, dir string) (*door.Folder, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil && s.ground == ground && s.dir == dir {
		return s.current.Share(), nil
	}
	whole, err := door.Open(ground)
	if err != nil {
		return nil, err
	}
	defer func() { _ = whole.Close() }() // opened for reading: nothing can be lost
	folder, err := whole.Sub(dir)
	if err != nil {
		return nil, err
	}
	if s.current != nil {
		_ = s.current.Close()
	}
	s.ground, s.dir, s.current = ground, dir, folder
	return folder.Share(), nil
}
