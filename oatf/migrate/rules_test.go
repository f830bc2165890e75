package migrate

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
)

// rulesFile has documents without the lines of rulesHead.
const (
	rulesFile = "testdata/rules.txtar"
	rulesHead = "oatf: \"0.1\"\nattack:\n"
)

// TestRules migrates documents without errors that would break a rule of the later revision, for each rule that the
// earlier one does not have. A file NAME is a document without its head. The file NAME.says has the notes, and the
// faults of the result that remain.
func TestRules(t *testing.T) {
	archive, err := txtar.ParseFile(rulesFile)
	if err != nil || len(archive.Files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	is := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".says") {
			continue
		}
		text := rulesHead + string(f.Data)
		if was := faults(text, oatf.SDK01); was != "" {
			t.Errorf("%s has faults: %s", f.Name, was)
		}
		out, lines := migrated(t, text)
		for _, fault := range oatf.Check([]byte(out), oatf.CheckOptions{Revision: oatf.V202603}) {
			if fault.Severity == finding.Error {
				lines += "fault " + fault.Rule + " " + fault.Path + "\n"
			}
		}
		is.Files = append(is.Files, f, txtar.File{Name: f.Name + ".says", Data: []byte(lines)})
	}
	if *update {
		writeArchive(t, rulesFile, is)
	} else if diff := gocmp.Diff(string(txtar.Format(archive)), string(txtar.Format(is))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, id := range gained(t) {
		if id == "V-048" || id == "V-049" {
			continue // they check keys that the earlier revision rejects
		}
		if !strings.Contains(string(txtar.Format(archive)), "-- "+id+" ") {
			t.Errorf("no case for %s", id)
		}
	}
}

// gained returns the conformance rules that are errors only in the later revision.
func gained(t *testing.T) (ids []string) {
	t.Helper()
	from, to := revision.Named(string(oatf.SDK01)).Rules, revision.Named(string(oatf.V202603)).Rules
	for _, r := range to.Table() {
		if h, ok := to.Lookup(r.ID); ok && r.ID[0] == 'V' && to[h].Severity == finding.Error && (!from.Has(h) || from[h].Severity != finding.Error) {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		t.Error("no rule is new")
	}
	return ids
}
