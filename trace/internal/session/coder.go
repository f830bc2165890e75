package session

import (
	"bytes"
	"encoding/binary"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// coder encodes values or decodes them, with the same code for both directions. It decodes only data that this
// process encoded.
type coder struct {
	wire.Writer
	from *wire.Reader // nil: values are written
}

func codeNumber[T ~int | ~int64 | ~uint64 | ~uint32 | ~uint8](c *coder, n *T) {
	if c.from != nil {
		*n = T(c.from.Int())
	} else {
		c.Int(int64(*n))
	}
}

// key codes a key at full length, because keys are random.
func (c *coder) key(k *uint64) {
	if c.from != nil {
		*k = binary.BigEndian.Uint64(c.from.Raw(8))
	} else {
		c.Bytes = binary.BigEndian.AppendUint64(c.Bytes, *k)
	}
}

func (c *coder) truth(b *bool) {
	if c.from != nil {
		*b = c.from.Bool()
	} else {
		c.Bool(*b)
	}
}

func codeText[T ~string](c *coder, s *T) {
	if c.from != nil {
		*s = T(c.from.Text())
	} else {
		c.Text(string(*s))
	}
}

func (c *coder) blob(b *[]byte) {
	if c.from != nil {
		*b = bytes.Clone(c.from.Blob())
	} else {
		c.Blob(*b)
	}
}

func (c *coder) sum(s *digest.Sum) {
	if c.from != nil {
		*s = c.from.Sum()
	} else {
		c.Sum(*s)
	}
}

// codeUnless codes a value in one byte if it equals usual.
func codeUnless[T comparable](c *coder, v *T, usual T, code func(*T)) {
	same := *v == usual
	if c.truth(&same); same {
		*v = usual
	} else {
		code(v)
	}
}

func codeList[T any](c *coder, l *[]T, code func(*T)) {
	n := len(*l)
	if codeNumber(c, &n); c.from != nil && n > 0 {
		*l = make([]T, n)
	}
	for i := range *l {
		code(&(*l)[i])
	}
}
