package strictjson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// firstMoved is the first byte of UTF-8 from which on the order of bytes is not that of
// UTF-16 code units, which RFC 8785 §3.2.3 sorts names by.
const firstMoved = 0xee

// ascend says that the name of the member before comes before the name at src[start:end],
// both without escapes. It is sure, but may miss names that differ in a rare character.
func ascend(src []byte, before *Value, start, end int) bool {
	x, y := int(before.KeyStart), start
	if max(x, y)+8 <= len(src) {
		a, b := binary.BigEndian.Uint64(src[x:]), binary.BigEndian.Uint64(src[y:])
		same := bits.LeadingZeros64(a^b) / 8
		if n, m := int(before.KeyEnd)-x, end-y; same < 8 || min(n, m) <= 8 {
			if same >= min(n, m) { // one begins with the other
				return n < m
			}
			return a < b && b>>(56-8*same)&0xff < firstMoved
		}
	}
	return ascendSlowly(src[x:before.KeyEnd], src[y:end])
}

// ascendSlowly is ascend for names that share their first bytes, or stand at the very end.
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
