package config

import (
	"path/filepath"
	"strings"

	"github.com/cupel-dev/cupel/internal/keyfile"
)

// AsFound returns the part of c that applies if the file was found rather than named by the user. Such a file comes
// with a checkout, and a pull request can change it. It can exclude files and ignore findings, which reports
// mention, but it cannot weaken redaction: of its privacy classes only rows that forbid a value at a pointer apply.
// Rows with a pattern do not apply, because hiding a part of a secret prevents rules from finding the rest.
func (c Config) AsFound() Config {
	all := c.Classes
	c.Classes, c.Withheld = nil, nil
	for _, row := range all {
		if strengthens(row) {
			c.Classes = append(c.Classes, row)
		} else {
			c.Withheld = append(c.Withheld, row)
		}
	}
	return c
}

// strengthens reports whether a row can only add to the removed values. Rows with an unknown class are kept, so
// that their reader reports them.
func strengthens(row keyfile.Class) bool {
	if row.Class == nil {
		return true
	}
	switch row.Class.Text {
	case "public", "sensitive":
		return false
	}
	return row.Pattern == nil
}

// InCheckout reports whether a path is in a repository or below the current folder, so that others can have written
// the file. It does not follow links, because a checkout can contain links.
func InCheckout(path string) (bool, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return false, err
	}
	dir := filepath.Dir(path)
	_, repository, err := topOf(dir)
	if err != nil || repository {
		return repository, err
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return false, err
	}
	return path == here || strings.HasPrefix(path, strings.TrimSuffix(here, string(filepath.Separator))+string(filepath.Separator)), nil
}
