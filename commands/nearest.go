package commands

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/walk"
)

// nearest finds the configuration that counts for each file: that of --config, or the
// nearest cupel.yaml.
type nearest struct {
	ctx    context.Context // of the run: it ends the wait for --config
	named  string          // by --config
	none   bool            // an empty --config: no file counts
	byDir  map[string]config.Config
	byPath map[string]config.Config

	replaced replacedFiles // no configuration may be one of them
}

func newNearest(c *cli.Context) *nearest {
	return &nearest{
		ctx: c.Context, named: c.String("config"), none: c.IsSet("config") && c.String("config") == "",
		byDir: map[string]config.Config{}, byPath: map[string]config.Config{}, replaced: filesToReplace(c),
	}
}

// of is what the configuration for a file says; it has no path when there is none. An error
// is returned once for each configuration, which then says nothing.
func (n *nearest) of(file string) (config.Config, error) {
	dir := filepath.Dir(file)
	if known, ok := n.byDir[dir]; ok || n.none {
		return known, nil
	}
	n.byDir[dir] = config.Config{}
	found, err := n.find(dir)
	n.byDir[dir] = found
	return found, err
}

func (n *nearest) find(dir string) (config.Config, error) {
	if n.named != "" {
		return n.load(n.named, n.readNamed)
	}
	at, err := config.Find(dir)
	if err != nil || at.Path == "" {
		return config.Config{}, err
	}
	return n.load(at.Path, at.Load)
}

// readNamed reads the file of --config.
func (n *nearest) readNamed() (config.Config, error) {
	file, err := config.Load(n.ctx, n.named)
	if _, mistake := errors.AsType[*config.Error](err); err == nil || mistake {
		return file, err
	}
	return file, projectConfigFile.unread(err)
}

func (n *nearest) load(path string, read func() (config.Config, error)) (config.Config, error) {
	if known, ok := n.byPath[path]; ok {
		return known, nil
	}
	n.byPath[path] = config.Config{}
	if err := n.replaced.sparePath(fmt.Sprintf("the configuration %q", path), path); err != nil {
		return config.Config{}, err
	}
	file, err := read()
	if err != nil {
		return config.Config{}, walk.Plain(err)
	}
	n.byPath[path] = file
	return file, nil
}
