package cmdline

import (
	"fmt"
	"strconv"
	"strings"
)

// units are the units of sizes, longer names first.
var units = []struct {
	name  string
	bytes int64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"TiB", 1 << 40},
	{"kB", 1e3},
	{"MB", 1e6},
	{"GB", 1e9},
	{"TB", 1e12},
	{"", 1},
}

// SizeFlag reads a number of bytes, at least 1, with or without a unit.
func SizeFlag(flag, value string) (int64, error) {
	for _, unit := range units {
		digits, ok := strings.CutSuffix(value, unit.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err == nil && n > 0 && n <= (1<<62)/unit.bytes {
			return n * unit.bytes, nil
		}
	}
	return 0, &UsageError{fmt.Sprintf("--%s is %q, expected a number of bytes, at least 1", flag, value), "for example 256MiB, 1GB or 4096"}
}
