//go:build unix

package walk

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestPipesAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() { _ = os.WriteFile(path, []byte("through"), 0o600) }()
	list, err := Expand(t.Context(), []string{path}, Options{})
	if err != nil || len(list) != 1 || list[0].Size != -1 {
		t.Fatal(list, err)
	}
	r, err := list[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if text, err := io.ReadAll(r); err != nil || string(text) != "through" {
		t.Errorf("%q, %v", text, err)
	}
}
