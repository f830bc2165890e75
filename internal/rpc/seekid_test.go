package rpc

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// drawMember draws a member of a request; params contains other ids, as members and in texts.
func drawMember(t *rapid.T) string {
	return rapid.SampledFrom([]string{
		`"id":1`, `"id" : 1`, `"jsonrpc":"2.0"`, `"method":"m"`,
		`"params":{"id":666}`, `"params":{"a":[{"id":666},2],"id":666}`, `"params":[[],"},\"id\":666,\""]`,
		`"params":{"t":"\\","u":",\"id\":666}","v":"{"}`, `"params":"\"id\":666"`,
	}).Draw(t, "member")
}

func drawLine(t *rapid.T) []byte {
	members := rapid.SliceOfN(rapid.Custom(drawMember), 1, 6).Draw(t, "members")
	var line bytes.Buffer
	for i, m := range members {
		if i > 0 {
			line.WriteByte(',')
		}
		line.WriteString(m)
	}
	return []byte("{" + line.String() + "}")
}

// sought seeks the id in pieces of a line.
func sought(t *rapid.T, line []byte) []byte {
	size := rapid.IntRange(1, 9).Draw(t, "piece")
	var s idSeeker
	for len(line) > 0 {
		n := min(size, len(line))
		s.feed(line[:n])
		line = line[n:]
	}
	return s.found()
}

// TestSoughtID: of a line that is JSON, what is sought in pieces is what the envelope has.
func TestSoughtID(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := drawLine(t)
		var e envelope
		if bad := e.read(line); bad != nil {
			t.Fatalf("%s: %v", line, bad)
		}
		if got, want := sought(t, line), e.id.of(line); !bytes.Equal(got, want) {
			t.Errorf("%s: id %q, want %q", line, got, want)
		}
	})
}

// TestSoughtIDOfBrokenLines: a line with a byte lost, cut off or put in is answered with the
// id of the request or with none, never with one of its params.
func TestSoughtIDOfBrokenLines(t *testing.T) {
	known := 0
	rapid.Check(t, func(t *rapid.T) {
		line := drawLine(t)
		at := rapid.IntRange(0, len(line)-1).Draw(t, "at")
		switch rapid.IntRange(0, 2).Draw(t, "damage") {
		case 0:
			line = append(line[:at:at], line[at+1:]...)
		case 1:
			line = line[:at]
		case 2:
			b := rapid.SampledFrom([]byte(`"\{}[],:1 N`)).Draw(t, "byte")
			line = append(line[:at:at], append([]byte{b}, line[at:]...)...)
		}
		if json.Valid(line) {
			return // not broken, or another line
		}
		request, fault := parseLine(line)
		if len(bytes.TrimSpace(line)) == 0 {
			return
		}
		if fault == nil || bytes.Contains(request.ID, []byte("666")) {
			t.Errorf("%s: id %s, fault %v", line, request.ID, fault)
		}
		if got := sought(t, line); bytes.Contains(got, []byte("666")) {
			t.Errorf("%s: id %s", line, got)
		}
		if string(request.ID) != "null" {
			known++
		}
	})
	if known == 0 {
		t.Error("no broken line was answered with its id")
	}
}
