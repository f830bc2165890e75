package oatf_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf"
)

// TestFixExamples mends every document of the project's examples and, where CUPEL_VECTORS names
// their folder, of the published ones.
func TestFixExamples(t *testing.T) {
	roots := []string{filepath.Join("..", "testdata")}
	if vectors := os.Getenv("CUPEL_VECTORS"); vectors != "" {
		roots = append(roots, filepath.Join(vectors, "oatf"), filepath.Join(vectors, "oatf-2026-03"))
	} else {
		t.Log("CUPEL_VECTORS is not set: the project's own documents alone")
	}
	for _, root := range roots {
		documents, mended, settled := 0, 0, 0
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") && !strings.HasSuffix(path, ".yml") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			documents++
			o := oatf.FixOptions{CheckOptions: oatf.CheckOptions{Strict: true}, Unsafe: true}
			fixed := oatf.Fix(text, o)
			if len(fixed.Mended) > 0 {
				settled++
			}
			mended += len(fixed.Mended)
			t.Run(path, func(t *testing.T) { checkFixed(t, text, fixed, o) })
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if documents == 0 {
			t.Errorf("%s holds no documents", root)
		}
		t.Logf("%s: %d documents, %d findings mended in %d", filepath.Base(root), documents, mended, settled)
	}
}

// TestFixBadExamples mends the bad example of every rule.
func TestFixBadExamples(t *testing.T) {
	mended := 0
	for _, r := range oatf.Rules() {
		for _, unsafe := range []bool{false, true} {
			o := oatf.FixOptions{CheckOptions: oatf.CheckOptions{Strict: true, Revision: oatf.Revision(r.Revision)}, Unsafe: unsafe}
			fixed := oatf.Fix([]byte(r.Bad), o)
			mended += len(fixed.Mended)
			t.Run(r.ID, func(t *testing.T) { checkFixed(t, []byte(r.Bad), fixed, o) })
		}
	}
	t.Logf("%d findings mended", mended)
	if mended == 0 {
		t.Error("nothing was mended")
	}
}
