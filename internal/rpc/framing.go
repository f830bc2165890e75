package rpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Framing defines how messages in a stream are separated.
type Framing uint8

const (
	// Lines has one message per line.
	Lines Framing = iota

	// ContentLength has header lines with the size before each message (Language Server Protocol 3.17, "Base
	// Protocol"):
	//
	//	Content-Length: 47
	//
	//	{"jsonrpc":"2.0","id":1,"method":"shutdown"}
	//
	// A malformed header is one fault; input is skipped up to the next Content-Length.
	ContentLength
)

const (
	// maxHeader limits a header line. Usual ones have twenty bytes.
	maxHeader = 4 << 10

	lengthField = "Content-Length"
)

func (l *lineReader) nextFramed() (line, error) {
	size, fault, err := l.header()
	switch {
	case err != nil:
		return line{}, err
	case fault != "":
		return line{fault: fault}, nil
	case size > l.max:
		skipped := l.skip(nil, func(passed func([]byte)) { l.skipBytes(size, passed) })
		skipped.size = size // also if the stream ends within it
		return skipped, nil
	}
	text, err := l.some(size)
	if err != nil {
		return line{}, err
	}
	l.start += len(text)
	return l.take(text), nil
}

// some returns the next n bytes without consuming them. It fails if the stream ends first.
func (l *lineReader) some(n int64) ([]byte, error) {
	for int64(l.end-l.start) < n {
		if l.err != nil {
			return nil, l.cut()
		}
		l.fill()
	}
	return l.buf[l.start : l.start+int(n)], nil
}

// skipBytes skips n bytes, or the rest of the stream.
func (l *lineReader) skipBytes(n int64, passed func([]byte)) {
	for {
		unread := l.buf[l.start:l.end]
		unread = unread[:min(int64(len(unread)), n)]
		passed(unread)
		l.start += len(unread)
		switch n -= int64(len(unread)); {
		case n == 0:
			return
		case l.err != nil:
			l.err = l.cut()
			return
		}
		l.fill()
	}
}

// cut returns why the stream ended within a message.
func (l *lineReader) cut() error {
	if !errors.Is(l.err, io.EOF) {
		return l.err
	}
	return errors.New("the stream ends within a message")
}

// header reads the header of a message and returns its size or a fault. After a fault it searches for the next
// header silently.
func (l *lineReader) header() (size int64, fault string, err error) {
	size = -1
	for fields := 0; ; fields++ {
		text, err := l.headerLine(fields > 0)
		if err != nil {
			return 0, "", err
		}
		name, value, isField := bytes.Cut(text, []byte(":"))
		switch {
		case len(text) == 0 && size >= 0:
			l.lost = false
			return size, "", nil
		case len(text) == 0 && fields == 0:
			fields--
			continue // between messages
		case len(text) == 0:
			fault = "the header has no " + lengthField
		case !isField || !isToken(name):
			fault = fmt.Sprintf("%s is not a header: expected %s and the length of the message in bytes", quoted(text), lengthField)
		case bytes.EqualFold(name, []byte(lengthField)):
			if size, err = strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64); err != nil || size < 0 {
				fault = fmt.Sprintf("%s does not contain a number of bytes", quoted(text))
			}
		}
		if fault == "" {
			continue
		}
		if !l.lost {
			l.lost = true
			return 0, fault, nil
		}
		size, fault, fields = -1, "", -1
	}
}

// headerLine returns the next line without its end, at most maxHeader bytes. inside means that the header has
// started and the stream must not end.
func (l *lineReader) headerLine(inside bool) ([]byte, error) {
	for {
		unread := l.buf[l.start:l.end]
		if at := bytes.IndexByte(unread, '\n'); at >= 0 && at <= maxHeader {
			text := unread[:at]
			if field := bytes.LastIndex(text, []byte(lengthField)); field > 0 {
				l.start += field // skip other text on the same line
				return text[:field], nil
			}
			l.start += at + 1
			return bytes.TrimSuffix(text, []byte("\r")), nil
		}
		switch {
		case len(unread) > maxHeader:
			text := unread[:maxHeader]
			l.start += maxHeader - len(lengthField) // the next header can start there
			return text, nil
		case l.err != nil && errors.Is(l.err, io.EOF) && (inside || len(unread) > 0) && !l.lost:
			return nil, errors.New("the stream ends within a header")
		case l.err != nil:
			return nil, l.err
		}
		l.fill()
	}
}

func isToken(name []byte) bool {
	for _, c := range name {
		if c != '-' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return len(name) > 0
}

func quoted(text []byte) string {
	const most = 40
	if len(text) > most {
		return strconv.QuoteToASCII(string(text[:most])) + "…"
	}
	return strconv.QuoteToASCII(string(text))
}

// framed inserts the header before the message at dst[from:].
func framed(dst []byte, from int) []byte {
	var room [40]byte
	header := append(room[:0], lengthField+": "...)
	header = append(strconv.AppendInt(header, int64(len(dst)-from), 10), "\r\n\r\n"...)
	dst = append(dst, header...)
	copy(dst[from+len(header):], dst[from:])
	copy(dst[from:], header)
	return dst
}
