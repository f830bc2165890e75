package strictjson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// firstMoved is the first UTF-8 lead byte from which byte order differs from the UTF-16 order of RFC 8785 §3.2.3.
const firstMoved = 0xee

// ascend reports whether the previous name sorts before src[start:end], both without escapes. It
// can miss names that differ in rare characters.
func ascend(src []byte, before *Value, start, end int) bool {
	x, y := int(before.KeyStart), start
	if max(x, y)+8 <= len(src) {
		a, b := binary.BigEndian.Uint64(src[x:]), binary.BigEndian.Uint64(src[y:])
		same := bits.LeadingZeros64(a^b) / 8
		if n, m := int(before.KeyEnd)-x, end-y; same < 8 || min(n, m) <= 8 {
			if same >= min(n, m) { // one is a prefix of the other
				return n < m
			}
			return a < b && b>>(56-8*same)&0xff < firstMoved
		}
	}
	return ascendSlowly(src[x:before.KeyEnd], src[y:end])
}

// ascendSlowly is ascend for names with a common prefix or at the end of the text.
func ascendSlowly(before, name []byte) bool {
	if bytes.Compare(before, name) >= 0 {
		return false
	}
	for i, c := range before[:min(len(before), len(name))] {
		if c != name[i] {
			return name[i] < firstMoved
		}
	}
	return true
}
