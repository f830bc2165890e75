package payload_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/evidence/payload/internal/second"
	"github.com/cupel-dev/cupel/finding"
)

// oracle is an engine that always says the same.
type oracle struct {
	members []string
	err     error
}

func (o oracle) Faulty(string, []byte) ([]string, error) { return o.members, o.err }

// TestSecondEngine tries engines that differ from the fast one, one that fails, and none.
func TestSecondEngine(t *testing.T) {
	linked := second.Linked()
	t.Cleanup(func() { second.Register(linked) })
	for _, c := range []struct {
		title  string
		engine second.Engine
		both   string // the error under both engines
		alone  string // what the reference engine says by itself, or its error
	}{
		{"the same", oracle{members: []string{"hits"}}, "", "EV-252 /data/hits"},
		{"another", oracle{members: []string{"file"}}, "line 1: the engines disagree about the data of assay.fs.access: the fast one finds faults in hits; the reference engine in file", "EV-251 /data/file"},
		{"more", oracle{members: []string{"hits", ""}}, "the fast one finds faults in hits; the reference engine in hits, the data as a whole", "EV-252 /data/hits EV-204 /data"},
		{"fewer", oracle{}, "the fast one finds faults in hits; the reference engine in none", ""},
		{"an unknown one", oracle{members: []string{"heats"}}, `reports a member of assay.fs.access without a rule: "heats"`, `without a rule: "heats"`},
		{"a failure", oracle{err: errors.New("broken")}, "the reference engine refuses a line that the strict reader accepts: broken", "broken"},
		{"none", nil, `the reference engine is not part of this program: import _ "github.com/cupel-dev/cupel/evidence/payload/reference"`, "import _"},
	} {
		second.Register(c.engine)
		r, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(laid(t, `{"data":{"hits":"3"}}`)))
		if err != nil {
			t.Fatal(err)
		}
		said, err := payload.NewChecker(payload.Options{Engine: evidence.Both}).Event(nil, &r)
		if c.both == "" && (err != nil || len(said) != 1) || c.both != "" && (err == nil || !strings.Contains(err.Error(), c.both)) {
			t.Errorf("%s: both: %v, %+v", c.title, err, said)
		}
		said, err = payload.NewChecker(payload.Options{Engine: evidence.Reference}).Event(nil, &r)
		if got := joined(said, err); c.alone == "" != (got == "") || !strings.Contains(got, c.alone) {
			t.Errorf("%s: the reference alone: %q", c.title, got)
		}
		if said, err = payload.NewChecker(payload.Options{}).Event(nil, &r); err != nil || len(said) != 1 {
			t.Errorf("%s: the fast one alone: %v, %+v", c.title, err, said)
		}
	}
}

func joined(said []finding.Finding, err error) (text string) {
	for _, f := range said {
		text += f.Rule + " " + f.Path + " "
	}
	if err != nil {
		return err.Error()
	}
	return text
}
