package otlp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/cupel-dev/cupel/internal/unpack"
)

// headBytes are enough to recognize a file.
const headBytes = 64

// prefixBytes is the length that collectors write before each message, big-endian.
const prefixBytes = 4

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// Begins reports whether a file begins like messages in Protocol Buffers. It reads no further than needed.
func Begins(r *bufio.Reader) bool {
	if first, _ := r.Peek(1); len(first) == 0 || first[0] != 0 && first[0] != tagOfFirst {
		return false // the first bytes of a stream of JSON may be all for now
	}
	head, _ := r.Peek(headBytes)
	return Looks(head)
}

const tagOfFirst = 1<<3 | byte(protowire.BytesType) // the list, the only field of a request

// Looks reports whether bytes look like the start of a file with messages in Protocol Buffers: one, or several with
// their lengths, as the file exporter of collectors writes them.
func Looks(head []byte) bool {
	if prefixed(head) {
		return true
	}
	head = head[:min(len(head), headBytes)]
	// JSON can begin with a line feed too, but has no other control characters.
	return begins(head, 1<<40) && bytes.ContainsFunc(head, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' })
}

// prefixed reports whether the head begins with a length of less than 16 MiB and a message of that length.
func prefixed(head []byte) bool {
	if len(head) <= prefixBytes || head[0] != 0 {
		return false
	}
	size, rest := binary.BigEndian.Uint32(head), head[prefixBytes:]
	return bytes.HasPrefix(rest, zstdMagic) || begins(rest, uint64(size))
}

// begins reports whether a text can be the start of a request of a size: its first field is an element of the list,
// and the first field of that is a message or text.
func begins(head []byte, size uint64) bool {
	for _, tags := range []string{"\x0a", "\x0a\x12\x1a"} {
		if len(head) == 0 || bytes.IndexByte([]byte(tags), head[0]) < 0 {
			return false
		}
		length, n := protowire.ConsumeVarint(head[1:])
		if n < 0 || length == 0 || length+uint64(n)+1 > size {
			return false
		}
		head, size = head[1+n:], length
	}
	return true
}

// Message is a message of a file. It has JSON, or is too large, or is damaged.
type Message struct {
	JSON   []byte
	Size   int64 // of the message, if that or its JSON is larger than the limit
	Damage error
}

// Messages yields the messages of a file. Each has at most most bytes, as it is and as JSON. Read errors come last.
func Messages(r *bufio.Reader, most int) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		head, _ := r.Peek(headBytes)
		if !prefixed(head) {
			raw, size, err := take(r, 1<<62, most)
			if err != nil && err != io.ErrUnexpectedEOF {
				yield(Message{}, err)
				return
			}
			yield(read(raw, size, most), nil)
			return
		}
		for at := int64(0); ; {
			var prefix [prefixBytes]byte
			n, err := io.ReadFull(r, prefix[:])
			if err == io.EOF {
				return
			}
			var raw []byte
			var size int64
			want := int64(binary.BigEndian.Uint32(prefix[:]))
			if err == nil {
				raw, size, err = take(r, want, most)
			}
			m := Message{}
			switch err {
			case io.ErrUnexpectedEOF:
				err = nil
				m.Damage = fmt.Errorf("the file ends inside the message at byte %d", at)
			case nil:
				m = read(raw, size, most)
				if m.Damage != nil {
					m.Damage = fmt.Errorf("in the message at byte %d, %w", at, m.Damage)
				}
			}
			if !yield(m, err) || err != nil || n < prefixBytes || size < want {
				return
			}
			at += prefixBytes + want
		}
	}
}

// take reads size bytes, and keeps them if they are at most most. Memory grows with what is read, not with a claim.
func take(r io.Reader, size int64, most int) (kept []byte, n int64, err error) {
	var b bytes.Buffer
	n, err = io.Copy(&b, io.LimitReader(r, min(size, int64(most)+1)))
	if err == nil && n > int64(most) {
		b = bytes.Buffer{}
		var more int64
		more, err = io.Copy(io.Discard, io.LimitReader(r, size-n))
		n += more
	}
	if err == nil && n < size {
		err = io.ErrUnexpectedEOF
	}
	return b.Bytes(), n, err
}

// read converts a message, which can be compressed or JSON: the file exporter of collectors writes lengths before
// those too.
func read(raw []byte, size int64, most int) (m Message) {
	if size > int64(most) {
		return Message{Size: size}
	}
	if bytes.HasPrefix(raw, zstdMagic) {
		r := unpack.New(context.Background(), io.NopCloser(bytes.NewReader(raw)), "zstd", int64(most)+1)
		defer func() { _ = r.Close() }() // it reads from memory
		text, n, err := take(r, 1<<62, most)
		if errors.As(err, new(*unpack.LimitError)) || n > int64(most) {
			return Message{Size: int64(most) + 1}
		}
		if err != nil && err != io.ErrUnexpectedEOF {
			return Message{Damage: err}
		}
		if raw = text; bytes.HasPrefix(raw, []byte("{")) {
			return Message{JSON: raw}
		}
	}
	text, err := anySignal(raw, most)
	if large, is := err.(*TooLargeError); is { //nolint:errorlint // anySignal returns it as it is
		return Message{Size: int64(large.Limit) + 1}
	}
	return Message{JSON: text, Damage: err}
}
