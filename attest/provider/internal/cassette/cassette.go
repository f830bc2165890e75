// Package cassette stores model answers in a folder, to repeat runs without network, key and cost.
// Each answer is a file:
//
//	{
//	  "schema": "cupel.cassette/1",
//	  "request": {
//	    "base_url": "https://api.openai.com/v1",
//	    "body": {"messages": [{"content": "Is it polite? Hello!", "role": "user"}], "model": "gpt-4.1-mini", "temperature": 0},
//	    "sample": 0
//	  },
//	  "reply": {"model": "gpt-4.1-mini-2025-04-14", "text": "{\"score\": 0.9}"},
//	  "usage": {"input_tokens": 120, "output_tokens": 9, "cost": 0.0000624}
//	}
//
// Headers are not stored. The reply for an embedding has a "vector" instead of "text":
// little-endian 32-bit numbers in base64. The file name is the SHA-256 of the canonical JSON (RFC
// 8785) of "request":
//
//	jq -cjS .request FILE | sha256sum
//
// Files appear atomically and do not change: processes that record concurrently all return the first recorded answer.
package cassette

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/internal/budget"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/source"
)

// maxFile limits a file. It fits the largest judged text and the largest reply.
const maxFile = 24 << 20

// reading is the memory for concurrent reads: three times a file's size, for the file, its
// canonical request and its texts.
const reading = 3 * maxFile

// Cassette is the folder. It is safe for concurrent use.
type Cassette struct {
	dir     string // as the user knows it
	folder  *door.Folder
	memory  *budget.Budget
	library func() *library // of its entries, for Nearest

	comparing sync.Mutex // of Nearest

	pinned map[string]digest.Sum // of the files that Digest read, by name; nil: it was not called

	mu   sync.Mutex
	used map[digest.Sum]bool // the entries that were asked for
}

// Open opens a folder of recordings. The error is an *fs.PathError.
func Open(dir string) (*Cassette, error) {
	folder, err := door.Open(dir)
	if err != nil {
		return nil, err
	}
	c := &Cassette{dir: dir, folder: folder, memory: budget.New(reading), used: map[digest.Sum]bool{}}
	c.library = sync.OnceValue(c.survey)
	return c, nil
}

// Create is Open, but creates a missing folder.
func Create(dir string) (*Cassette, error) {
	if err := door.MakeFolder(dir); err != nil {
		return nil, err
	}
	return Open(dir)
}

// Dir returns the folder's name as the user gave it.
func (c *Cassette) Dir() string { return c.dir }

// Close closes the folder.
func (c *Cassette) Close() error { return c.folder.Close() }

// Find returns the recorded reply to a request; found is false if there is none. It returns an error if the
// recording cannot be read.
func (c *Cassette) Find(ctx context.Context, r Request) (reply Reply, found bool, err error) {
	recorded, reply, found, err := c.load(ctx, r.Name())
	if found {
		if recorded.key != r.key {
			return Reply{}, false, c.damaged(r.Name(), fmt.Errorf("the request does not match the file name (expected %s): the file was changed or renamed after recording", recorded.Name()))
		}
		c.use(r.key)
	}
	return reply, found, err
}

// load reads an entry. A missing file, or an empty one after a crash, is not found.
func (c *Cassette) load(ctx context.Context, name string) (r Request, reply Reply, found bool, err error) {
	f, err := c.folder.File(name)
	switch {
	case door.Absent(err):
		return r, reply, false, nil
	case err != nil:
		return r, reply, false, err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return r, reply, false, err
	}
	drawn, err := c.memory.Draw(ctx, reading/maxFile*info.Size())
	if err != nil {
		return r, reply, false, err
	}
	defer c.memory.GiveBack(drawn)
	text, err := source.ReadAll(f, maxFile)
	if err == nil && c.pinned != nil && c.pinned[name] != digest.Of(text) {
		return r, reply, false, fmt.Errorf("%s was changed after its digest was checked", c.path(name))
	}
	if err == nil {
		r, reply, err = decode(text)
	}
	if err != nil {
		return r, reply, false, c.damaged(name, err)
	}
	return r, reply, true, nil
}

// damaged returns the error for a malformed recording.
func (c *Cassette) damaged(name string, why error) error {
	return fmt.Errorf("%s is not a recording: %w", c.path(name), why)
}

func (c *Cassette) path(name string) string { return filepath.Join(c.dir, name) }

func (c *Cassette) use(key digest.Sum) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used[key] = true
}

// Keep records a reply unless another process already did, and returns the recorded one.
func (c *Cassette) Keep(ctx context.Context, r Request, reply Reply) (Reply, error) {
	text, err := encode(r, reply)
	if err != nil {
		return reply, err
	}
	if _, reply, err = decode(text); err != nil { // verify that a replay can read it
		return reply, fmt.Errorf("the reply cannot be recorded: %w", err)
	}
	err = door.WriteNew(c.path(r.Name()), text, permissions)
	if errors.Is(err, fs.ErrExist) {
		first, found, readErr := c.Find(ctx, r)
		if found || readErr != nil {
			return first, readErr
		}
		err = door.ReplaceFile(ctx, c.path(r.Name()), text, permissions) // an empty file
	}
	if err != nil {
		return reply, err
	}
	c.use(r.key)
	return reply, nil
}

// permissions are those of a new file before the umask.
const permissions = 0o666

// Unused returns the sorted names of entries that neither Find nor Keep used.
func (c *Cassette) Unused() ([]string, error) {
	names, err := c.names()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(names, func(name string) bool {
		key, _ := keyOf(name)
		return c.used[key]
	}), nil
}

// Prune removes unused entries and returns their names. After an error, the others are kept.
func (c *Cassette) Prune() (removed []string, err error) {
	unused, err := c.Unused()
	if err != nil {
		return nil, err
	}
	for i, name := range unused {
		if err := door.Remove(c.path(name)); err != nil {
			return unused[:i], err
		}
	}
	return unused, nil
}

// names returns the sorted names of all entries. Other files in the folder belong to the user.
func (c *Cassette) names() (names []string, err error) {
	list, err := c.folder.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if _, ok := keyOf(e.Name()); ok {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Digest returns the SHA-256 over the output of sha256sum for the entries sorted by name, and their total size.
// Afterwards, using an entry that has changed is an error. It is not safe for concurrent use.
func (c *Cassette) Digest(ctx context.Context) (sum digest.Sum, size int64, err error) {
	names, err := c.names()
	if err != nil {
		return sum, 0, err
	}
	pinned, all := map[string]digest.Sum{}, sha256.New()
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return sum, 0, err
		}
		f, err := c.folder.File(name)
		if err != nil {
			return sum, 0, err
		}
		text, err := source.ReadAll(f, maxFile)
		_ = f.Close() // opened for reading: nothing can be lost
		if err != nil {
			return sum, 0, c.damaged(name, err)
		}
		pinned[name] = digest.Of(text)
		size += int64(len(text))
		fmt.Fprintf(all, "%s  %s\n", pinned[name].Hex(), name)
	}
	c.pinned = pinned
	return digest.Sum(all.Sum(nil)), size, nil
}

const suffix = ".json"

// keyOf returns the key in the name of an entry's file.
func keyOf(name string) (key digest.Sum, ok bool) {
	hex, ok := strings.CutSuffix(name, suffix)
	if !ok {
		return key, false
	}
	return digest.ParseHex([]byte(hex))
}
