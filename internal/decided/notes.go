package decided

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"slices"
	"sync"
)

// Notes collects such files. It is safe for concurrent use. A nil *Notes collects nothing.
type Notes struct {
	mu   sync.Mutex
	list []File
	left map[[2]string]bool // the paths that were left out, with the line that did it
}

type notesKey struct{}

// With returns a context with empty notes.
func With(ctx context.Context) context.Context { return context.WithValue(ctx, notesKey{}, &Notes{}) }

// Of returns the notes of a context, or nil.
func Of(ctx context.Context) *Notes {
	n, _ := ctx.Value(notesKey{}).(*Notes)
	return n
}

// Clear drops everything, for the next run.
func (n *Notes) Clear() {
	if n != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.list, n.left = nil, nil
	}
}

// file returns a file and adds it if it is new. n must be locked.
func (n *Notes) file(role, name string, same func(File) bool) *File {
	i := slices.IndexFunc(n.list, func(f File) bool { return f.Role == role && f.Name == name && same(f) })
	if i < 0 {
		i = len(n.list)
		n.list = append(n.list, File{Role: role, Name: name, Effects: []Effect{}})
	}
	return &n.list[i]
}

func anyFile(File) bool { return true }

// Took adds a file with the SHA-256 of its bytes in hex and their number. The digest of a folder is that of the
// output of sha256sum for its files.
func (n *Notes) Took(role, name string, sum string, size int64) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	f := n.file(role, name, anyFile)
	f.SHA256, f.Bytes = sum, size
}

// Did adds to the count of an effect of a file.
func (n *Notes) Did(role, name, effect, by string, count int) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.file(role, name, anyFile).did(effect, by, count)
}

// Excluded counts a path excluded by a line of a configuration, once.
func (n *Notes) Excluded(name, by, path string) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if key := [2]string{by, path}; !n.left[key] {
		if n.left == nil {
			n.left = map[[2]string]bool{}
		}
		n.left[key] = true
		n.file(Configuration, name, anyFile).did(FilesExcluded, by, 1)
	}
}

// Add adds the files of merged reports. A file with different digests is listed twice.
func (n *Notes) Add(list []File) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, add := range list {
		f := n.file(add.Role, add.Name, func(f File) bool { return f.SHA256 == add.SHA256 })
		f.SHA256, f.Bytes = add.SHA256, add.Bytes
		for _, e := range add.Effects {
			f.did(e.Effect, e.By, e.Count)
		}
	}
}

// All returns the files so far, sorted by role and name.
func (n *Notes) All() []File {
	if n == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	list := slices.Clone(n.list)
	for i := range list {
		list[i].Effects = slices.Clone(list[i].Effects)
	}
	return sorted(list)
}

// Reading returns a stream that adds its file once it was read to its end.
func (n *Notes) Reading(role, name string, r io.ReadCloser) io.ReadCloser {
	if n == nil {
		return r
	}
	return &digestReader{ReadCloser: r, notes: n, role: role, name: name, sum: sha256.New()}
}

type digestReader struct {
	io.ReadCloser
	notes      *Notes
	role, name string
	sum        hash.Hash
	size       int64
}

func (r *digestReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.sum.Write(p[:n])
	r.size += int64(n)
	if errors.Is(err, io.EOF) {
		r.notes.Took(r.role, r.name, hex.EncodeToString(r.sum.Sum(nil)), r.size)
	}
	return n, err
}
