package bundle

import "strconv"

// Detail is the verification-specific part of a finding.
type Detail struct {
	Detail  string  `json:"detail"`           // finer than the code: "member.type", "json.syntax", the name of a limit; "" when the code says it all
	Member  string  `json:"member,omitempty"` // of a bundle: the member that line, column and offset are in
	Seq     *uint64 `json:"seq"`              // the event's sequence number; nil if missing or unreadable
	Offset  *int64  `json:"offset"`           // byte in the member, or in the stream; nil when it is about no byte
	Pointer string  `json:"pointer"`          // JSON pointer of the value within the event, or the manifest; "" is the whole
}

// Packed implements [finding.Packed].
func (d Detail) Packed() string { return d.Member }

func (d Detail) Remarks() (lines [][2]string) {
	if d.Detail != "" {
		lines = append(lines, [2]string{"detail", d.Detail})
	}
	if d.Member != "" {
		lines = append(lines, [2]string{"member", d.Member})
	}
	if d.Seq != nil {
		lines = append(lines, [2]string{"event", strconv.FormatUint(*d.Seq, 10)})
	}
	return lines
}
