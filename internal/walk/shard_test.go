package walk

import (
	"crypto/sha256"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseShard(t *testing.T) {
	for _, text := range []string{"1/1", "1/3", "3/3", "1000000/1000000"} {
		if s, err := ParseShard(text); err != nil || s.String() != text {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
	for text, want := range map[string]string{
		"":                       `is "", expected i/n such as 1/3`,
		"1":                      `is "1", expected i/n such as 1/3`,
		"1/":                     `is "1/", expected i/n such as 1/3`,
		"/3":                     `is "/3", expected i/n such as 1/3`,
		"a/3":                    `is "a/3", expected i/n such as 1/3`,
		"1/3/4":                  `is "1/3/4", expected i/n such as 1/3`,
		"01/3":                   `is "01/3", expected i/n such as 1/3`,
		"+1/3":                   `is "+1/3", expected i/n such as 1/3`,
		"-1/3":                   `is "-1/3", expected i/n such as 1/3`,
		"1/1000001":              `is "1/1000001", expected at most 1000000 shards`,
		"0/3":                    `is "0/3", expected a shard from 1/3 to 3/3`,
		"4/3":                    `is "4/3", expected a shard from 1/3 to 3/3`,
		"0/0":                    `is "0/0", expected a shard from 1/1 to 1/1`,
		"1/99999999999999999999": `is "1/99999999999999999999", expected i/n such as 1/3`,
	} {
		if _, err := ParseShard(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestShardOfName: anybody can compute which shard has an input.
func TestShardOfName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-zé\n]{1,9}(/[a-z.]{1,3}[a-z]){0,3}`).Draw(t, "name")
		n := rapid.IntRange(1, MaxShards).Draw(t, "n")
		sum := sha256.Sum256([]byte(name))
		rest := new(big.Int).Mod(new(big.Int).SetBytes(sum[:]), big.NewInt(int64(n)))
		index := int(rest.Int64()) + 1
		other := index%n + 1
		for _, spelled := range []string{name, "./" + name, strings.ReplaceAll(name, "/", "//"), "x/../" + name} {
			if !(Shard{index, n}).Has(spelled) || n > 1 && (Shard{other, n}).Has(spelled) {
				t.Fatalf("%q is not in shard %d/%d alone", spelled, index, n)
			}
		}
	})
	if !(Shard{}).Has("x") {
		t.Error("the zero shard has not all")
	}
}

// TestShardLaw checks, for any tree and operands, that the inputs of shards are together those of one run, each once,
// and in its order; and that the same holds for skipped files. An operand without inputs is an error in each shard.
func TestShardLaw(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top) // and back, after the last tree
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp(top, "tree")
		if err == nil {
			err = os.Mkdir(filepath.Join(root, ".git"), 0o755)
		}
		if err == nil {
			err = os.Chdir(root)
		}
		if err != nil {
			t.Fatal(err)
		}
		files := append(plant(t), "missing.jsonl", "missing*.jsonl")
		changed := rapid.Bool().Draw(t, "changed")
		if !changed {
			files = append(files, ".", "a", "a//a", "*", "**/*.jsonl")
		}
		var operands []string
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(files), 1, 6).Draw(t, "operands") {
			if name != "-" {
				operands = append(operands, spelled(t, root, name))
			}
		}
		whole := deal(t, operands, changed, Shard{})
		n := rapid.IntRange(1, 5).Draw(t, "n")
		var all dealt
		for i := range n {
			part := deal(t, operands, changed, Shard{i + 1, n})
			if diff := cmp.Diff(whole.empty, part.empty); diff != "" {
				t.Fatalf("%q, shard %d/%d: what leads to nothing (-want +got):\n%s", operands, i+1, n, diff)
			}
			if missing := outOfOrder(part.read, whole.read); missing != "" {
				t.Fatalf("%q, shard %d/%d: %q is not in the order of %q", operands, i+1, n, part.read, whole.read)
			}
			if len(part.read) == 0 && part.others != (len(whole.read) > 0) {
				t.Fatalf("%q, shard %d/%d is empty, and others are said to have inputs: %v; there are %q", operands, i+1, n, part.others, whole.read)
			}
			all.read, all.passed = append(all.read, part.read...), append(all.passed, part.passed...)
		}
		for what, pair := range map[string][2][]string{"read": {whole.read, all.read}, "passed over": {whole.passed, all.passed}} {
			sorted := func(list []string) []string { return slices.Sorted(slices.Values(list)) }
			if diff := cmp.Diff(sorted(pair[0]), sorted(pair[1])); diff != "" {
				t.Fatalf("%q in %d shards: %s (-want +got):\n%s", operands, n, what, diff)
			}
		}
	})
}

// dealt is what Expand makes of operands.
type dealt struct {
	read, passed, empty []string
	others              bool // other shards have inputs
}

func deal(t *rapid.T, operands []string, changed bool, shard Shard) (d dealt) {
	list, err := Expand(t.Context(), operands, Options{
		Patterns: []string{"*.jsonl"}, Marker: marker, Probe: Passing(probeOther), Changed: changed, Shard: shard,
		PassedOver: func(name, _ string) { d.passed = append(d.passed, name) },
		Others:     func(Input) { d.others = true },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range list {
		if !in.Empty() {
			d.read = append(d.read, in.Name)
			continue
		}
		_, err := in.Open()
		var empty *EmptyError
		if !errors.As(err, &empty) {
			t.Fatal(err)
		}
		d.empty = append(d.empty, empty.Error())
	}
	return d
}

// outOfOrder returns the first element of part that does not come in the order of whole.
func outOfOrder(part, whole []string) string {
	for _, name := range part {
		for len(whole) > 0 && whole[0] != name {
			whole = whole[1:]
		}
		if len(whole) == 0 {
			return name
		}
		whole = whole[1:]
	}
	return ""
}
