package app

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/decided"
	"github.com/cupel-dev/cupel/internal/say"
)

// Origin says where the files of a command come from, which decides which cupel.yaml applies.
type Origin int

const (
	// ForeignFiles are records from anywhere. Only the user's cupel.yaml, nearest to the current folder, applies,
	// because one next to a record could hide its faults.
	ForeignFiles Origin = iota
	// OwnFiles are the project's own documents. The cupel.yaml nearest to each applies.
	OwnFiles
)

// Nearest finds the configuration for each file: --config or the nearest cupel.yaml. There is one per run, because
// --config can be a pipe.
type Nearest struct {
	Ctx    context.Context // of the run: it ends the wait for --config
	named  string          // by --config
	none   bool            // an empty --config: no file counts
	trusts bool            // --trust-config: a file that was found counts as one that --config names
	ByDir  map[string]config.Config
	ByPath map[string]config.Config

	replaced ReplacedFiles // cannot be a configuration
}

// configuredKey is the metadata key of a run's Nearest.
const configuredKey = "cupel.yaml"

// ForgetConfigured clears all cached configuration.
func ForgetConfigured(c *cli.Context) {
	delete(c.App.Metadata, configuredKey)
	delete(c.App.Metadata, shardListKey)
	decided.Of(c.Context).Clear()
}

// ConfiguredBy returns the Nearest of a run.
func ConfiguredBy(c *cli.Context) *Nearest {
	if known, ok := c.App.Metadata[configuredKey].(*Nearest); ok {
		return known
	}
	n := &Nearest{
		Ctx: c.Context, named: c.String("config"), none: c.IsSet("config") && c.String("config") == "",
		trusts: c.Bool(TrustFlag), ByDir: map[string]config.Config{}, ByPath: map[string]config.Config{}, replaced: FilesToReplace(c),
	}
	c.App.Metadata[configuredKey] = n
	return n
}

// forget clears the cache, so that errors are returned again.
func (n *Nearest) forget() {
	clear(n.ByDir)
	clear(n.ByPath)
}

// Readable returns an error if the file of --config cannot be read.
func (n *Nearest) Readable() error {
	if n.named == "" {
		return nil
	}
	_, err := n.Here()
	return err
}

// ForFile returns the configuration for a file of the given origin.
func (n *Nearest) ForFile(file string, files Origin) (config.Config, error) {
	if files == ForeignFiles {
		return n.Here()
	}
	return n.Of(file)
}

// Here returns the user's configuration, nearest to the current folder.
func (n *Nearest) Here() (config.Config, error) { return n.Of(config.Name) }

// Strict reports whether --strict or the user's configuration asks for strict checks.
func Strict(c *cli.Context) (bool, error) {
	says, err := ConfiguredBy(c).Here()
	return StrictBy(c, says), err
}

// StrictBy is Strict with the given configuration.
func StrictBy(c *cli.Context, says config.Config) bool {
	if c.IsSet("strict") || says.Strict == nil {
		return c.Bool("strict")
	}
	return says.Strict.On
}

// Of returns the configuration for a file. Its path is "" if there is none. It returns an error once per
// configuration, which is then empty.
func (n *Nearest) Of(file string) (config.Config, error) {
	dir := filepath.Dir(file)
	if known, ok := n.ByDir[dir]; ok || n.none {
		return known, nil
	}
	n.ByDir[dir] = config.Config{}
	found, err := n.find(dir)
	n.ByDir[dir] = found
	return found, err
}

func (n *Nearest) find(dir string) (config.Config, error) {
	if n.named != "" {
		return n.load(n.named, n.readNamed)
	}
	at, err := config.Find(dir)
	if err != nil || at.Path == "" {
		return config.Config{}, err
	}
	return n.load(at.Path, func() (config.Config, error) {
		found, err := at.Load()
		if n.trusts {
			return found, err
		}
		return found.AsFound(), err
	})
}

// TrustFlag is the name of the flag that gives a cupel.yaml found in a checkout the rights of one named by the
// user.
const TrustFlag = "trust-config"

func (n *Nearest) readNamed() (config.Config, error) {
	file, err := config.Load(n.Ctx, n.named)
	if _, mistake := errors.AsType[*config.Error](err); err == nil || mistake {
		return file, err
	}
	return file, projectConfigFile.Unread(err)
}

func (n *Nearest) load(path string, read func() (config.Config, error)) (config.Config, error) {
	if known, ok := n.ByPath[path]; ok {
		return known, nil
	}
	n.ByPath[path] = config.Config{}
	if err := n.replaced.SparePath(fmt.Sprintf("the configuration %q", path), path); err != nil {
		return config.Config{}, err
	}
	file, err := read()
	if err != nil {
		return config.Config{}, say.Plain(err)
	}
	n.ByPath[path] = file
	decided.Of(n.Ctx).Took(decided.Configuration, ShownPath(path), hex.EncodeToString(file.SHA256[:]), file.Bytes)
	return file, nil
}

// ShownPath returns a path relative to the current folder if it is below it.
func ShownPath(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	if name, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(name) {
		return filepath.ToSlash(name)
	}
	return path
}

// PlaceIn returns the position of an entry in a configuration as FILE:LINE:COLUMN.
func PlaceIn(says config.Config, at config.Entry) string {
	return fmt.Sprintf("%s:%d:%d", ShownPath(says.Path), at.Line, at.Column)
}

// LineIn returns the position of a line in a configuration, with its text.
func LineIn(says config.Config, at config.Entry, words string) string {
	return PlaceIn(says, at) + " (" + say.Visible(words) + ")"
}
