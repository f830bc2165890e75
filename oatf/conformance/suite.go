package conformance

import (
	"io/fs"
	"path"
	"slices"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
)

// Recognition is which revision a suite is of, and what tells it.
type Recognition struct {
	Revision oatf.Revision
	Why      string // "it has primitives/extract-protocol", to stand behind "because"
}

// Recognize tells of which revision a suite is. The first of these that tells decides:
//
//   - a kind of fixture for a function that one revision alone has;
//   - a kind that the published suite of a revision is the first to have, of several
//     revisions the latest.
//
// A suite that nothing tells is of the oldest revision, as a document without marks is. The
// order of files does not matter.
func Recognize(root fs.FS) (Recognition, error) {
	kinds := map[string]bool{}
	if err := walk(root, func(name string) error { kinds[kindOf(name)] = true; return nil }); err != nil {
		return Recognition{}, err
	}
	for _, telling := range []func(*profile.Profile) []string{
		func(p *profile.Profile) []string { return p.Suite.Only },
		func(p *profile.Profile) []string { return p.Suite.First },
	} {
		for _, p := range slices.Backward(revision.All) {
			list := telling(p)
			if i := slices.IndexFunc(list, func(kind string) bool { return kinds[kind] }); i >= 0 {
				return Recognition{p.Revision, "it has " + list[i]}, nil
			}
		}
	}
	return Recognition{revision.All[0].Revision, "nothing in it tells the revision"}, nil
}

// kindOf is the kind of the fixtures in a file: its last folder and its name.
func kindOf(name string) string {
	stem, _ := stemOf(name)
	folder, file := path.Split(stem)
	return path.Join(path.Base(folder), file)
}
