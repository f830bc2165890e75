package commands

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/say"
)

// origin says whose files a command reads, which decides about the cupel.yaml that counts.
type origin int

const (
	// foreignFiles: records, which may come from anybody. The cupel.yaml of whoever runs the
	// command counts, the nearest to the current folder: one that lies beside a record could
	// hide what is wrong with it.
	foreignFiles origin = iota
	// ownFiles: the project's own documents. The nearest to each of them counts.
	ownFiles
)

// nearest finds the configuration that counts for each file: that of --config, or the
// nearest cupel.yaml. There is one for a run, since --config may be a pipe.
type nearest struct {
	ctx    context.Context // of the run: it ends the wait for --config
	named  string          // by --config
	none   bool            // an empty --config: no file counts
	byDir  map[string]config.Config
	byPath map[string]config.Config

	replaced replacedFiles // no configuration may be one of them
}

// configuredKey is where a run keeps its nearest.
const configuredKey = "cupel.yaml"

// forgetConfigured lets the next run of the same command line read everything anew.
func forgetConfigured(c *cli.Context) { delete(c.App.Metadata, configuredKey) }

// configuredBy is the nearest of a run.
func configuredBy(c *cli.Context) *nearest {
	if known, ok := c.App.Metadata[configuredKey].(*nearest); ok {
		return known
	}
	n := &nearest{
		ctx: c.Context, named: c.String("config"), none: c.IsSet("config") && c.String("config") == "",
		byDir: map[string]config.Config{}, byPath: map[string]config.Config{}, replaced: filesToReplace(c),
	}
	c.App.Metadata[configuredKey] = n
	return n
}

// readable says why the file of --config cannot be read, even if nothing asks for what it says.
func (n *nearest) readable() error {
	if n.named == "" {
		return nil
	}
	_, err := n.here()
	return err
}

// forFile is what the configuration says that counts for a file, under the rules of [nearest.of].
func (n *nearest) forFile(file string, files origin) (config.Config, error) {
	if files == foreignFiles {
		return n.here()
	}
	return n.of(file)
}

// here is what the configuration of whoever runs the command says.
func (n *nearest) here() (config.Config, error) { return n.of(config.Name) }

// strictCommands are those that heed strict of a configuration.
var strictCommands = []string{"oatf lint", "trace verify", "evidence verify", "evidence lint", "check"}

// strict is --strict, or strict in the configuration of whoever runs the command.
func strict(c *cli.Context) (bool, error) {
	says, err := configuredBy(c).here()
	return strictBy(c, says), err
}

// strictBy is --strict, or what a configuration says where the flag is not given.
func strictBy(c *cli.Context, says config.Config) bool {
	if c.IsSet("strict") || says.Strict == nil {
		return c.Bool("strict")
	}
	return says.Strict.On
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
		return config.Config{}, say.Plain(err)
	}
	n.byPath[path] = file
	return file, nil
}
