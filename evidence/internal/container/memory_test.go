package container

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"
)

// mostMemory is what a reader may allocate in all, whatever it reads: the window and the
// tables of inflating, and a buffer of the source.
const mostMemory = 1 << 20

// TestMemory holds that bombs of each kind are read, or refused, in memory that does not
// depend on their size.
func TestMemory(t *testing.T) {
	much := strings.Repeat("x", 8<<20)
	for name, tar := range map[string]*archive{
		"member":       new(archive).member(Manifest, `{"a":1}`).member(Events, much),
		"unlisted":     new(archive).member("x", much),
		"long name":    new(archive).member("x", much, kind(typeLongName)).member("x", ""),
		"PAX nonsense": new(archive).member("x", strings.Repeat("\n", 1<<20), kind(typeExtended)).member("x", ""),
		"global":       new(archive).member("x", much, kind('g')),
		"zeros":        new(archive).body(strings.Repeat("\x00", 8<<20)),
	} {
		input := zip(tar.end(), 1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := NewReader(bytes.NewReader(input), -1, Options{})
		var fault *Fault
		for err := readAll(r); errors.As(err, &fault) && !fault.Final; {
			err = readAll(r)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > mostMemory {
			t.Errorf("%s: %d bytes of input took %d bytes of memory", name, len(input), took)
		}
	}
}
