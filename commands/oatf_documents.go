package commands

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf"
)

// probeBytes is how much of a file a walk reads to find out what it is about.
const probeBytes = 1 << 20

// isOATF says whether a file looks like an OATF document: a mapping whose top level has
// the key oatf, in any place, that key misspelled, or attack. A file in flow style, as
// JSON is, needs the key only somewhere. What is in no encoding that can be looked into is
// taken for one: reading it will say so.
func isOATF(r io.Reader) bool {
	text := bufio.NewReader(io.LimitReader(r, probeBytes))
	if start, _ := text.Peek(4); isWide(start) {
		return true
	}
	s := bufio.NewScanner(text)
	s.Buffer(nil, probeBytes)
	flow := false
	for first := true; s.Scan(); first = false {
		line := bytes.TrimPrefix(s.Bytes(), []byte("\ufeff"))
		flow = flow || first && bytes.HasPrefix(line, []byte("{"))
		if isRootKey(topKey(line)) || flow && slices.ContainsFunc(rootKeys, func(key string) bool { return bytes.Contains(line, []byte(key)) }) {
			return true
		}
	}
	return false
}

// faultIn words the first fault of a document with its place in the file.
func faultIn(file string, fault error) error {
	var at oatf.Position
	if parse, ok := errors.AsType[*oatf.ParseError](fault); ok {
		at = parse.Position
	} else if invalid, ok := errors.AsType[*oatf.ValidationError](fault); ok {
		at = invalid.Position
	}
	return &hinted{errors.New(placed(file, at, fault.Error())), "`cupel oatf lint` shows every fault in its place"}
}

// placed is what an error or a warning says, with its place as FILE:LINE:COLUMN instead of in
// words.
func placed(file string, at oatf.Position, said string) string {
	if at.Line == 0 {
		return file + ": " + said
	}
	_, said, _ = strings.Cut(said, ": ")
	return fmt.Sprintf("%s:%d:%d: %s", file, at.Line, at.Column, said)
}

// isWide says whether a text begins like one in UTF-16 or UTF-32: its first character is
// a byte order mark, or one of ASCII (YAML 1.2.2, clause 5.2).
func isWide(start []byte) bool {
	return bytes.HasPrefix(start, []byte{0xff, 0xfe}) || bytes.HasPrefix(start, []byte{0xfe, 0xff}) || bytes.IndexByte(start, 0) >= 0
}

// rootKeys are the keys of a document that its flow style is recognised by.
var rootKeys = []string{"oatf", `"attack"`}

func isRootKey(key string) bool {
	return key == "attack" || key != "" && suggest.Nearest(key, []string{"oatf"}) != ""
}

// topKey is the key that a line of the top level begins with, without its quotes.
func topKey(line []byte) string {
	key, rest, found := bytes.Cut(line, []byte(":"))
	if !found || len(key) == 0 || bytes.IndexByte([]byte(" \t#-"), key[0]) >= 0 || len(rest) > 0 && bytes.IndexByte([]byte(" \t\r"), rest[0]) < 0 {
		return ""
	}
	return string(bytes.Trim(bytes.TrimRight(key, " \t"), `"'`))
}
