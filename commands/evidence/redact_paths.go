package evidencecmd

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// destinations returns the output files for the inputs. "-" is standard output.
func (m *redactRun) destinations(inputs []walk.Input) ([]string, error) {
	paths := make([]string, len(inputs))
	to := cmp.Or(m.c.String("output"), "-")
	info, err := door.Stat(to)
	folder := to != "-" && (strings.HasSuffix(to, "/") || err == nil && info.IsDir())
	switch {
	case m.opt.Check:
		return paths, nil
	case folder && (err != nil || !info.IsDir()):
		return nil, &cmdline.Hinted{Err: fmt.Errorf("--output %q is not a folder", to), Hint: "create the folder with `mkdir`"}
	case folder:
		return paths, m.inFolder(paths, inputs, to)
	case app.Sharded(m.c):
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("the output %q takes one input, but --shard selects several", to), Hint: notTogetherHint}
	case len(inputs) > 1 && to == "-":
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("standard output takes one input, but there are %d", len(inputs)), Hint: notTogetherHint}
	case len(inputs) > 1:
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("the output %q is one file, but there are %d inputs", to, len(inputs)), Hint: intoFolderHint}
	}
	for i := range paths {
		paths[i] = to
	}
	return paths, nil
}

// inFolder returns the names of output files in a folder. None can be used otherwise by the run or be a link out of
// the folder.
func (m *redactRun) inFolder(paths []string, inputs []walk.Input, folder string) error {
	known := app.FlagFiles(m.c)
	var replaced app.ReplacedFiles
	from := map[string]string{}
	for _, in := range m.others {
		from[path.Base(filepath.ToSlash(in.Name))] = in.Name
	}
	for i, in := range inputs {
		name := path.Base(filepath.ToSlash(in.Name))
		switch {
		case in.Name == "-" || name == "." || name == ".." || name == "/":
			return &cmdline.UsageError{Message: fmt.Sprintf("the input %q has no file name to use in %q", in.Name, folder), Hint: "give standard input a name with --stdin-name"}
		case from[name] != "":
			return &cmdline.UsageError{Message: fmt.Sprintf("%q and %q would both become %q", from[name], in.Name, filepath.Join(folder, name)), Hint: "redact them into separate folders"}
		}
		from[name], paths[i] = in.Name, filepath.Join(folder, name)
		made, err := madeIn(paths[i])
		if err != nil {
			return err
		}
		for _, other := range known {
			if made.Clashes(other) {
				return app.NewClash(made, other)
			}
		}
		if made.Place.Info != nil {
			replaced = append(replaced, made)
		}
	}
	return replaced.SpareInputs(slices.Concat(inputs, m.others))
}

// madeIn returns a file that the run will create.
func madeIn(name string) (app.UsedFile, error) {
	made := app.UsedFile{Title: fmt.Sprintf("the output %q", name), Write: true}
	info, err := door.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return made, &cmdline.UsageError{Message: fmt.Sprintf("%q is a symbolic link; an output in a folder must be a file", name), Hint: "remove the link, or use -o FILE, which replaces the link's target"}
	}
	if err != nil && !os.IsNotExist(err) {
		return made, say.Plain(err)
	}
	made.Place, err = door.Resolve(name)
	return made, say.Plain(err)
}

// Hints for several inputs.
const (
	intoFolderHint  = "use -o DIR/ to write each output into a folder, under its input's name"
	notTogetherHint = intoFolderHint + "; --check lists the changes"
)
