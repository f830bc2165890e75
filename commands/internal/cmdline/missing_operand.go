package cmdline

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/internal/walk"
)

// absentHint suggests a sibling of a missing file, or names the missing folder; "" for other errors.
func absentHint(err error) string {
	if missing, ok := errors.AsType[*walk.AbsentError](err); ok {
		if strings.HasPrefix(missing.Operand, "-") {
			return "remove --, or write the flag before it: arguments after -- are file names"
		}
		return nearFileHint(missing.Operand)
	}
	if at, ok := errors.AsType[*say.FileError](err); ok && errors.Is(err, fs.ErrNotExist) {
		return nearFileHint(at.Path)
	}
	return ""
}

// comparedNames limits the compared names. Larger folders are not managed by hand.
const comparedNames = 10_000

func nearFileHint(path string) string {
	dir, name := filepath.Split(path)
	folder, err := door.Open(filepath.Clean(dir))
	if err != nil {
		return fmt.Sprintf("the folder %q does not exist", filepath.Clean(dir))
	}
	defer func() { _ = folder.Close() }()      // opened for reading: nothing can be lost
	list, _ := folder.SomeNames(comparedNames) // what can be read of it
	end := filepath.Ext(name)
	var names []string // without the ending, which many share
	for _, other := range list {
		if other, same := strings.CutSuffix(other, end); same {
			names = append(names, other)
		}
	}
	if slices.Contains(list, name) {
		return fmt.Sprintf("%q is a symbolic link to a file that does not exist", path)
	}
	if near := suggest.Nearest(strings.TrimSuffix(name, end), names); near != "" {
		return fmt.Sprintf("did you mean %q?", filepath.ToSlash(dir)+near+end)
	}
	return ""
}
