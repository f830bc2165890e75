package migrate

import (
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
)

// TestRules migrates, for each rule that one revision has and the other has not, or has for
// less, documents without errors that would break it. A file NAME is a document without its
// head, the file NAME.says what is said of it: the lines, and the faults on the other side
// that the lines leave. Each comes back as it was.
func TestRules(t *testing.T) {
	for name, way := range map[string][2]oatf.Revision{"up": {oatf.SDK01, oatf.V202603}, "down": {oatf.V202603, oatf.SDK01}} {
		file := filepath.Join("testdata", "rules", name+".txtar")
		archive, err := txtar.ParseFile(file)
		if err != nil || len(archive.Files) == 0 {
			t.Fatalf("no cases in %s: %v", file, err)
		}
		is := &txtar.Archive{Comment: archive.Comment}
		for _, f := range archive.Files {
			if strings.HasSuffix(f.Name, ".says") {
				continue
			}
			text := "oatf: \"0.1\"\nattack:\n" + string(f.Data)
			if was := faults(text, way[0]); was != "" {
				t.Errorf("%s: %s has faults: %s", file, f.Name, was)
			}
			there, lines := carried(t, text, way[0], way[1])
			back, _ := carried(t, there, way[1], way[0])
			if diff := gocmp.Diff(meaning(t, text), meaning(t, back)); diff != "" {
				t.Errorf("%s: %s: -before +back\n%s\nby way of\n%s", file, f.Name, diff, there)
			}
			for _, fault := range oatf.Check([]byte(there), oatf.CheckOptions{Revision: way[1]}) {
				if fault.Severity == finding.Error {
					lines += "fault " + fault.Rule + " " + fault.Path + "\n"
				}
			}
			is.Files = append(is.Files, f, txtar.File{Name: f.Name + ".says", Data: []byte(lines)})
		}
		if *update {
			writeArchive(t, file, is)
		} else if diff := gocmp.Diff(string(txtar.Format(archive)), string(txtar.Format(is))); diff != "" {
			t.Errorf("%s: -want +got\n%s", file, diff)
		}
		for _, id := range gained(way) {
			if !strings.Contains(string(txtar.Format(archive)), "-- "+id+" ") {
				t.Errorf("%s: no case for %s", file, id)
			}
		}
	}
}

// gained returns the conformance rules of a revision that are errors in it, and not in another.
func gained(way [2]oatf.Revision) (ids []string) {
	from, to := revision.Named(string(way[0])).Rules, revision.Named(string(way[1])).Rules
	for _, r := range to.Table() {
		if h, ok := to.Lookup(r.ID); ok && r.ID[0] == 'V' && to[h].Severity == finding.Error && (!from.Has(h) || from[h].Severity != finding.Error) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}
