package timestamp

import (
	"errors"
	"fmt"
)

// maxDepth is enough for certificates and tokens, which nest about 15 levels.
const maxDepth = 32

var errCut = errors.New("it ends too early")

// strictDER checks that b is a sequence of values in DER, so that no reader can understand it differently. It copies
// nothing: a claimed length is only compared with the bytes that are left.
func strictDER(b []byte, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("it nests more than %d levels", maxDepth)
	}
	for len(b) > 0 {
		tag := b[0]
		content, rest, err := element(b)
		if err != nil {
			return err
		}
		switch b = rest; {
		case tag&0x20 != 0:
			err = strictDER(content, depth+1)
		case tag < 0x20:
			err = primitive(tag, content)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// element returns the content of the first value, and the bytes after the value.
func element(b []byte) (content, rest []byte, err error) {
	if len(b) < 2 {
		return nil, nil, errCut
	}
	universal, constructed := b[0] < 0x40, b[0]&0x20 != 0
	isList := b[0]&0x1f == 16 || b[0]&0x1f == 17
	switch {
	case b[0]&0x1f == 0x1f, universal && constructed != isList:
		return nil, nil, fmt.Errorf("it has a value of type 0x%02x, which is not DER", b[0])
	case b[1] < 0x80:
		return cut(b[2:], int(b[1]))
	case b[1] == 0x80:
		return nil, nil, errors.New("it has a value of indefinite length, which is BER, but not DER")
	}
	count := int(b[1] & 0x7f)
	if count > 4 {
		return nil, nil, errCut
	}
	if len(b) < 2+count {
		return nil, nil, errCut
	}
	length := uint32(0)
	for _, c := range b[2 : 2+count] {
		length = length<<8 | uint32(c)
	}
	if b[2] == 0 || length < 0x80 {
		return nil, nil, errors.New("it has a length that is not as short as possible, which is not DER")
	}
	if uint64(length) > uint64(len(b)) {
		return nil, nil, errCut
	}
	return cut(b[2+count:], int(length))
}

func cut(b []byte, length int) (content, rest []byte, err error) {
	if length > len(b) {
		return nil, nil, errCut
	}
	return b[:length], b[length:], nil
}

// primitive checks the values that have several encodings in BER.
func primitive(tag byte, content []byte) error {
	const boolean, integer, bits, null = 1, 2, 3, 5
	ok := true
	switch tag {
	case boolean:
		ok = len(content) == 1 && (content[0] == 0 || content[0] == 0xff)
	case integer:
		ok = len(content) > 0 && (len(content) == 1 || content[0] != 0 || content[1] >= 0x80) && (len(content) == 1 || content[0] != 0xff || content[1] < 0x80)
	case bits:
		ok = len(content) > 0 && content[0] < 8 && (content[0] == 0 || len(content) > 1 && content[len(content)-1]&(1<<content[0]-1) == 0)
	case null:
		ok = len(content) == 0
	}
	if !ok {
		return fmt.Errorf("it has a value of type 0x%02x that is not encoded as in DER", tag)
	}
	return nil
}
