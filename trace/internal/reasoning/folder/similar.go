package folder

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// maxSimilar is the number of names of a folder that are looked at.
const maxSimilar = 10_000

// similar returns a name in the file's folder that differs only in case or Unicode composition, and the difference,
// or "".
func similar(files Files, name string) (found, differs string) {
	dir, base := path.Split(name)
	f, err := files.Open(path.Clean("./" + dir))
	if err != nil {
		return "", ""
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	list, ok := f.(fs.ReadDirFile)
	for seen := 0; ok && seen < maxSimilar; {
		entries, err := list.ReadDir(256)
		for _, e := range entries {
			switch other := e.Name(); {
			case other == base:
			case strings.EqualFold(other, base):
				return other, "case"
			case strings.EqualFold(norm.NFC.String(other), norm.NFC.String(base)):
				return other, "Unicode normalization"
			}
		}
		seen += len(entries)
		if err != nil && !errors.Is(err, io.EOF) || len(entries) == 0 {
			break
		}
	}
	return "", ""
}
