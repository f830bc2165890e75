//go:build unix

package door_test

import (
	"errors"
	"io"
	"io/fs"
	"testing"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
)

// TestTemp writes and reads a temporary file, which has no name meanwhile.
func TestTemp(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f, err := door.NewTemp()
	check(t, err)
	onlyNames(t, dir)
	for _, text := range []string{"one", "two"} {
		_, err := f.Write([]byte(text))
		check(t, err)
	}
	got, err := io.ReadAll(io.NewSectionReader(f, 2, 100))
	check(t, err)
	if string(got) != "etwo" {
		t.Errorf("%q", got)
	}
	check(t, f.Close())
	onlyNames(t, dir)
	nothingPending(t)

	t.Setenv("TMPDIR", dir+"/no/such")
	if _, err := door.NewTemp(); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	nothingPending(t)
}

// TestTempFaultAtN makes every call of the system fail in turn: the error says so, unless
// all was well without the call, and the file is gone.
func TestTempFaultAtN(t *testing.T) {
	for n := 1; ; n++ {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		faults := &doortest.Faults{At: n, Err: errDisk}
		restore := door.Use(faults.Disk(door.System()))
		err := useTemp()
		restore()
		if failed := faults.Failed(); failed == "" {
			check(t, err)
			break
		}
		onlyNames(t, dir)
		nothingPending(t)
	}
}

func useTemp() error {
	f, err := door.NewTemp()
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(newText))
	_, readErr := io.ReadAll(io.NewSectionReader(f, 0, int64(len(newText))))
	return errors.Join(err, readErr, f.Close())
}
