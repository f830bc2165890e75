package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Why a path is refused. The reasons contain no text of a file and no name.
var (
	errNoRoots   = errors.New("there are no roots: start cupel-mcp with --root DIR, or use a client that names its roots")
	errOutside   = errors.New("the path is not below a root, or leads out of it through a link")
	errMissing   = errors.New("no root has a file or folder of this path")
	errIrregular = errors.New("the path is neither a regular file nor a folder")
)

// addRoot adds a folder that --root names.
func (s *server) addRoot(dir string) error {
	real, err := folder(dir)
	if err == nil {
		s.roots = append(s.roots, real)
	}
	return err
}

// folder returns the path of a folder without links.
func folder(dir string) (string, error) {
	real, err := filepath.Abs(dir)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%q is not a folder", dir)
	}
	return real, nil
}

// asks reports whether the client has to be asked for its roots first.
func (s *server) asks(request *mcp.CallToolRequest) bool {
	if len(s.roots) > 0 || request.Params.InputResponses[rootsRequest] != nil {
		return false
	}
	client := request.Session.InitializeParams()
	return client != nil && client.Capabilities != nil && client.Capabilities.RootsV2 != nil
}

// rootsRequest is the id of the request for the client's roots.
const rootsRequest = "roots"

// rootsOf returns the folders of --root, or those that the client named.
func (s *server) rootsOf(request *mcp.CallToolRequest) ([]string, error) {
	if len(s.roots) > 0 {
		return s.roots, nil
	}
	listed, ok := request.Params.InputResponses[rootsRequest].(*mcp.ListRootsResult)
	if !ok {
		return nil, errNoRoots
	}
	var roots []string
	for _, r := range listed.Roots {
		u, err := url.Parse(r.URI)
		if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
			continue
		}
		if real, err := folder(filepath.FromSlash(u.Path)); err == nil {
			roots = append(roots, real)
		}
	}
	if len(roots) == 0 {
		return nil, errNoRoots
	}
	return roots, nil
}

// place is a file or folder below a root.
type place struct{ root, path string }

// find returns the place of a path, which is relative to a root or below one.
func find(roots []string, path string) (place, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return place{}, errMissing
	}
	reason := errMissing
	for _, root := range roots {
		full := path
		if !filepath.IsAbs(path) {
			full = filepath.Join(root, path)
		}
		if !below(root, filepath.Clean(full)) {
			reason = errOutside
			continue
		}
		real, err := filepath.EvalSymlinks(full)
		if err != nil {
			continue
		}
		if !below(root, real) {
			return place{}, errOutside
		}
		info, err := os.Lstat(real)
		if err != nil {
			continue
		}
		if !info.IsDir() && !info.Mode().IsRegular() {
			return place{}, errIrregular
		}
		relative, err := filepath.Rel(root, real)
		return place{root, relative}, err
	}
	return place{}, reason
}

// below reports whether a path is a root, or below it.
func below(root, path string) bool {
	relative, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(relative)
}

// bounded checks that the files of a place have at most a number of bytes.
func (p place) bounded(ctx context.Context, most int64) error {
	sum := int64(0)
	return filepath.WalkDir(filepath.Join(p.root, p.path), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return ctx.Err() // cupel reports what it cannot read
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
		if sum > most {
			return fmt.Errorf("the files have more than %d bytes together: name fewer, or raise --max-bytes", most)
		}
		return ctx.Err()
	})
}
