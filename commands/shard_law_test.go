package commands_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// dealtOut are commands whose inputs are dealt out, and the folders of the examples that they
// read.
var dealtOut = map[string]string{
	"trace verify": "session trace",
	"oatf lint":    "oatf",
	"oatf eval --no-evidence-text --trace oatf/rug-pull-exploited.jsonl": "oatf/rug-pull.yaml oatf/blind.yaml oatf/poisoned-search.yaml",
	"evidence hash":            "evidence",
	"evidence verify --all":    "evidence",
	"evidence lint":            "evidence",
	"evidence show":            "evidence",
	"evidence redact --check":  "evidence",
	"evidence digest semantic": "evidence",
	"evidence digest json":     "evidence trace",
	"evidence digest tool":     "evidence/tools.json",
	"attest validate":          "attest",
}

// TestShardsAreTheWhole: what the reports of the shards list is together what the report of one
// run lists, each element once, for any number of shards, and however the folders are spelled; and the worst exit code is that of the one run.
func TestShardsAreTheWhole(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "0")
	t.Chdir("../testdata/examples")
	for i, command := range racetest.Some(t, slices.Sorted(maps.Keys(dealtOut))) {
		args, operands := strings.Fields(command), strings.Fields(dealtOut[command])
		whole, want := shardReport(t, slices.Concat(args, operands))
		if len(whole) == 0 {
			t.Fatalf("%q lists nothing", command)
		}
		for n := 1; n <= 4; n++ {
			var parts []string
			code := 0
			for shard := range n {
				spelled := respelled(operands, (i+n+shard)%3)
				list, exit := shardReport(t, slices.Concat(args, spelled, []string{fmt.Sprintf("--shard=%d/%d", shard+1, n)}))
				parts, code = append(parts, list...), max(code, exit)
			}
			slices.Sort(parts)
			if args[1] == "eval" {
				parts = slices.Compact(parts) // each shard reads all captures, and lists them
			}
			if diff := cmp.Diff(whole, parts); diff != "" || code != want {
				t.Errorf("%q in %d shards: exit %d, want %d; elements (-want +got):\n%s", command, n, code, want, diff)
			}
		}
	}
}

// respelled names the operands in another way, and in another order.
func respelled(operands []string, way int) (list []string) {
	for _, name := range operands {
		list = append(list, []string{name, "./" + name, ".//oatf/../" + name}[way])
	}
	if way == 1 {
		slices.Reverse(list)
	}
	return list
}

// shardReport runs a command and returns what its report lists, sorted, and its exit code.
func shardReport(t *testing.T, args []string) (list []string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	env := commands.Env{Context: t.Context(), Stdout: &out, Stderr: &errs, Getenv: os.Getenv}
	code = commands.Main(env, append([]string{"cupel"}, append(args, "--format=json")...))
	var report map[string]json.RawMessage
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("%q: %v\n%s%s", args, err, out.String(), errs.String())
	}
	delete(report, "shards") // what a shard's report says of itself
	for _, name := range slices.Sorted(maps.Keys(report)) {
		var elements []json.RawMessage
		if json.Unmarshal(report[name], &elements) != nil {
			continue
		}
		for _, element := range elements {
			list = append(list, name+" "+strings.NewReplacer(".//oatf/../", "", "./", "").Replace(string(element)))
		}
	}
	slices.Sort(list)
	return list, code
}
