package wire_test

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// values are one of each kind.
type values struct {
	Uint uint64
	Int  int64
	Bool bool
	Text string
	Blob []byte
	Sum  [32]byte
}

func (v *values) write(w *wire.Writer) {
	w.Uint(v.Uint)
	w.Int(v.Int)
	w.Bool(v.Bool)
	w.Text(v.Text)
	w.Blob(v.Blob)
	w.Sum(v.Sum)
}

func read(b []byte) (v values, err error) {
	r := wire.NewReader(b)
	v = values{r.Uint(), r.Int(), r.Bool(), r.Text(), r.Blob(), r.Sum()}
	return v, r.Done()
}

// TestOneSpelling writes values, reads them again, and holds that no other bytes are read
// as values: what can be read is written as it was.
func TestOneSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values{
			rapid.Uint64().Draw(t, "uint"), rapid.Int64().Draw(t, "int"), rapid.Bool().Draw(t, "bool"),
			rapid.String().Draw(t, "text"), rapid.SliceOf(rapid.Byte()).Draw(t, "blob"), [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "sum")),
		}
		var w wire.Writer
		v.write(&w)
		again(t, w.Bytes)
		for i := range w.Bytes {
			changed := bytes.Clone(w.Bytes)
			changed[i] ^= byte(1 << rapid.IntRange(0, 7).Draw(t, "bit"))
			if _, err := read(changed); err == nil {
				again(t, changed)
			}
			if _, err := read(w.Bytes[:i]); err == nil {
				t.Fatalf("%d of %d bytes can be read", i, len(w.Bytes))
			}
		}
	})
}

func again(t *rapid.T, b []byte) {
	v, err := read(b)
	if err != nil {
		t.Fatal(err)
	}
	var w wire.Writer
	if v.write(&w); !bytes.Equal(w.Bytes, b) {
		t.Fatalf("%x is read, and written as %x", b, w.Bytes)
	}
}

// TestFaults reads what no writer writes.
func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		text []byte
		read func(*wire.Reader)
		want string
	}{
		"a number with a byte too many":  {[]byte{0x80, 0}, func(r *wire.Reader) { r.Uint() }, "byte 0: a malformed number"},
		"a number beyond 64 bits":        {bytes.Repeat([]byte{0xff}, 11), func(r *wire.Reader) { r.Int() }, "byte 0: a malformed number"},
		"a number without its end":       {[]byte{1, 0x80}, func(r *wire.Reader) { r.Uint(); r.Uint() }, "byte 1: the state ends within a number"},
		"a truth of 2":                   {[]byte{2}, func(r *wire.Reader) { r.Bool() }, "byte 1: a boolean that is neither 0 nor 1"},
		"a text that is announced alone": {[]byte{200, 1}, func(r *wire.Reader) { _ = r.Text() }, "byte 2: the state ends before the 200 announced values"},
		"more values than bytes":         {[]byte{3, 0, 0}, func(r *wire.Reader) { r.Count(1) }, "byte 1: the state ends before the 3 announced values"},
		"half a digest":                  {make([]byte, 16), func(r *wire.Reader) { r.Sum() }, "byte 0: the state ends 16 bytes early"},
		"something left over":            {make([]byte, 3), func(r *wire.Reader) { r.Bool() }, "byte 1: 2 bytes too many"},
	} {
		r := wire.NewReader(c.text)
		c.read(r)
		if err := r.Done(); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if r.Uint() != 0 || r.Int() != 0 || r.Bool() || r.Text() != "" || r.More() {
			t.Errorf("%s: values after the fault", name)
		}
	}
	var w wire.Writer
	w.Int(math.MinInt64)
	if r := wire.NewReader(w.Bytes); r.Int() != math.MinInt64 || r.Done() != nil {
		t.Error("the least number is another one")
	}
}
