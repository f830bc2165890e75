package folder

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// TestBeside distinguishes a missing file, an unreadable one, and a refused one, which is never opened.
func TestBeside(t *testing.T) {
	files := fstest.MapFS{
		"plain": {Data: []byte("text")}, "folder/x": {}, "link": {Mode: fs.ModeSymlink, Data: []byte("plain")},
		"pipe": {Mode: fs.ModeNamedPipe}, "socket": {Mode: fs.ModeSocket}, "device": {Mode: fs.ModeDevice},
		"out": {Mode: fs.ModeSymlink, Data: []byte("../plain")}, "dead": {Mode: fs.ModeSymlink, Data: []byte("x")},
		"far":    {Mode: fs.ModeSymlink, Data: []byte("pipe")},
		"packed": {Data: []byte("\x1f\x8b\x08\x00")},
	}
	for name, why := range map[string]string{
		"pipe": "a named pipe", "socket": "a socket", "device": "a device", "far": "a named pipe",
		"out": "a symbolic link", "dead": "a symbolic link", "packed": "compressed with gzip",
	} {
		var refused *RefusedError
		f, err := Beside(files, name, "run/"+name)
		if f != nil || !errors.As(err, &refused) || !strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), `"run/`+name+`"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"plain", "link", "folder"} {
		f, err := Beside(files, name, name)
		if err != nil {
			t.Fatal(name, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := Beside(files, "nothing", "nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	var refused *RefusedError
	if _, err := Beside(refusing{files, fs.ErrPermission}, "plain", "plain"); !errors.Is(err, fs.ErrPermission) || errors.As(err, &refused) {
		t.Error(err)
	}
	if _, err := Beside(unasked{files}, "plain", "plain"); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
}

// TestSystemFaults checks that a failure of the system is not a fault of a companion file or of evidence.
func TestSystemFaults(t *testing.T) {
	gone := errors.New("the disk is gone")
	files := refusing{fstest.MapFS{"plain": {Data: []byte("text")}, "a/b": {}}, gone}
	var refused *RefusedError
	if _, err := Beside(files, "plain", "run/plain"); !errors.As(err, &refused) || !errors.Is(err, gone) {
		t.Error(err)
	}
	for name, known := range map[string]bool{"plain": false, "a/b": false, "a/b/c": true, "plain/c": true, "no/such": true, strings.Repeat("x", maxSegment+1): true} {
		_, _, fault, err := Open(files, name)
		if known != (fault != nil) || known == errors.Is(err, gone) {
			t.Errorf("%s: %v, %v", name, fault, err)
		}
	}
}
