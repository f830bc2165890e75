package reportcmd

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/walk"
)

// TestMissingShards: of every set of up to six shards, those that are missing are named, and those
// that are there where one is.
func TestMissingShards(t *testing.T) {
	for count := 1; count <= 6; count++ {
		for set := 1; set < 1<<count; set++ {
			m := mergedShards{have: map[walk.Shard]bool{}}
			var have, missing []string
			for i := range count {
				name := fmt.Sprintf("%d/%d", i+1, count)
				if set>>i&1 == 0 {
					missing = append(missing, name)
					continue
				}
				have = append(have, name)
				m.have[walk.Shard{Index: i + 1, Count: count}] = true
			}
			if len(missing) == 0 {
				have = nil
			}
			list := m.dealings()
			if len(list) != 1 || list[0].missing() != strings.Join(missing, ", ") || !slices.Equal(m.incomplete(), have) {
				t.Errorf("of %d, %b: %v, %q", count, set, list, m.incomplete())
			}
		}
	}
}

// TestMissingShardsOfSeveralNumbers: each number of shards wants all of its own.
func TestMissingShardsOfSeveralNumbers(t *testing.T) {
	m := mergedShards{have: map[walk.Shard]bool{}}
	for _, s := range []walk.Shard{{Index: 2, Count: 3}, {Index: 1, Count: 2}, {Index: 2, Count: 2}, {Index: 9, Count: walk.MaxShards}} {
		m.have[s] = true
	}
	list := m.dealings()
	if len(list) != 3 || list[0].missing() != "" || list[1].missing() != "1/3, 3/3" || !strings.HasSuffix(list[2].missing(), "11/1000000 and 999989 more") {
		t.Errorf("%v", list)
	}
	if got := m.incomplete(); !slices.Equal(got, []string{"2/3", "9/1000000"}) {
		t.Errorf("%q", got)
	}
}
