package main

import (
	"fmt"
	"strconv"
	"strings"
)

// size is a flag with a number of bytes: 1000, 64KiB, 256MiB, 1GiB, 1TiB.
type size int64

var units = []struct {
	name  string
	bytes int64
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}}

func (s *size) String() string {
	for _, u := range units {
		if n := int64(*s); n > 0 && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return "0"
}

// Set reads the flag.
func (s *size) Set(value string) error {
	for _, u := range units {
		digits, ok := strings.CutSuffix(value, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 1 || n > (1<<62)/u.bytes {
			break
		}
		*s = size(n * u.bytes)
		return nil
	}
	return fmt.Errorf("expected bytes such as 64MiB")
}
