package reportcmd

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// A report of a shard names it. Without --expect-inputs, the merged reports must include all shards.

// mergedShards are the shards of the merged reports, which must be of the same list of inputs.
type mergedShards struct {
	have  map[walk.Shard]bool
	list  string // digest of the list
	first string // the first report with shards
}

// add adds the shards of a report. It returns an error if they are of another list.
func (m *mergedShards) add(name string, x *reportIndex) error {
	switch {
	case len(x.shards) == 0 && x.shardList == "":
		return nil
	case len(x.shards) == 0:
		return errors.New("the report has the digest of a list of inputs, but no shard: the report was changed")
	case x.shardList == "":
		return &cmdline.Hinted{
			Err:  fmt.Errorf("the report covers shard %s, but has no digest of the list of inputs", x.shards[0]),
			Hint: "run the shard again with this version of cupel",
		}
	case m.list == "":
		m.list, m.first = x.shardList, name
	case m.list != x.shardList:
		return &cmdline.Hinted{
			Err:  fmt.Errorf("shard %s was made from another list of inputs than %q", x.shards[0], m.first),
			Hint: "run every shard with the same operands on the same files; merge the shards of each list first",
		}
	}
	for _, s := range x.shards {
		m.have[s] = true
	}
	return nil
}

// incompleteList returns the digest of a list with missing shards, or "".
func (m *mergedShards) incompleteList() string {
	if len(m.incomplete()) == 0 {
		return ""
	}
	return m.list
}

func readShards(raw []byte) (list []walk.Shard, err error) {
	var names []string
	if err := json.Unmarshal(raw, &names); err != nil {
		return nil, fmt.Errorf("member \"shards\" is not a list of strings: %w", err)
	}
	for _, name := range names {
		s, err := walk.ParseShard(name)
		if err != nil {
			return nil, fmt.Errorf("a shard in the report %w", err)
		}
		list = append(list, s)
	}
	return list, nil
}

// dealt are the shards with the same total number, in order.
type dealt struct {
	count int
	have  []int
}

func (m *mergedShards) dealings() (list []dealt) {
	sorted := slices.SortedFunc(maps.Keys(m.have), func(a, b walk.Shard) int {
		return cmp.Or(cmp.Compare(a.Count, b.Count), cmp.Compare(a.Index, b.Index))
	})
	for _, s := range sorted {
		if len(list) == 0 || list[len(list)-1].count != s.Count {
			list = append(list, dealt{count: s.Count})
		}
		last := &list[len(list)-1]
		last.have = append(last.have, s.Index)
	}
	return list
}

// shownMissing limits the missing shards that are named.
const shownMissing = 10

// missing names the first missing shards with the number of others, or returns "".
func (d dealt) missing() string {
	var names []string
	have := d.have
	for i := 1; i <= d.count && len(names) < shownMissing; i++ {
		if len(have) > 0 && have[0] == i {
			have = have[1:]
			continue
		}
		names = append(names, walk.Shard{Index: i, Count: d.count}.String())
	}
	text := strings.Join(names, ", ")
	if more := d.count - len(d.have) - len(names); more > 0 {
		text += say.More(more)
	}
	return text
}

func (m *mergedShards) incomplete() (names []string) {
	for _, d := range m.dealings() {
		if len(d.have) == d.count {
			continue
		}
		for _, i := range d.have {
			names = append(names, walk.Shard{Index: i, Count: d.count}.String())
		}
	}
	return names
}

func (m *mergeJob) expectShards(out *app.Output) error {
	if m.expected != nil || m.c.Bool("allow-missing") {
		return nil
	}
	said := 0
	for _, d := range m.shards.dealings() {
		missing := d.missing()
		if missing == "" || said == shownMissing {
			continue
		}
		said++
		if err := out.Fail(&cmdline.Hinted{Err: fmt.Errorf("no report covers shard %s", missing), Hint: "run the missing shards again; --allow-missing merges the others"}); err != nil {
			return err
		}
	}
	return nil
}
