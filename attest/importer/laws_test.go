package importer_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// valueStarts returns the bytes of a JSON text at which its values begin.
func valueStarts(text []byte) (starts []int) {
	var inObject []bool
	name := false // what comes next is a member's name
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{', '[':
			starts = append(starts, i)
			inObject = append(inObject, c == '{')
			name = c == '{'
		case '}', ']':
			inObject = inObject[:len(inObject)-1]
		case ',':
			name = inObject[len(inObject)-1]
		case ':':
			name = false
		case ' ', '\t', '\n', '\r':
		default:
			if !name {
				starts = append(starts, i)
			}
			i += scalar(text[i:]) - 1
		}
	}
	return starts
}

// scalar returns the length of the string, the number or the literal that a text begins with.
func scalar(text []byte) int {
	if text[0] != '"' {
		if end := bytes.IndexAny(text, ",]} \t\r\n"); end > 0 {
			return end
		}
		return len(text)
	}
	for i := 1; ; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// documents returns the JSON values of a text: one, or one per line, null for an invalid line.
func documents(text []byte) (list []json.RawMessage) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if json.Valid(text) {
		return []json.RawMessage{text}
	}
	for line := range bytes.Lines(text) {
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0:
		case json.Valid(line):
			list = append(list, line)
		default:
			list = append(list, json.RawMessage("null"))
		}
	}
	return list
}

// withAll adds the list of all values, into which the pointers of spans lead.
func withAll(list []json.RawMessage) []json.RawMessage {
	all, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return append(list, all)
}

// follow returns what a pointer leads to in any of the documents, by encoding/json alone.
func follow(list []json.RawMessage, pointer string) (found []json.RawMessage, ok bool) {
	tokens := strings.Split(pointer, "/")[1:]
	if pointer == "" {
		tokens = nil
	}
	for _, value := range list {
		if value, ok := followOne(value, tokens); ok {
			found = append(found, value)
		}
	}
	return found, len(found) > 0
}

func followOne(value json.RawMessage, tokens []string) (json.RawMessage, bool) {
	for _, token := range tokens {
		var members map[string]json.RawMessage
		var elements []json.RawMessage
		if json.Unmarshal(value, &members) == nil {
			next, ok := members[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
			if !ok {
				return nil, false
			}
			value = next
			continue
		}
		i, err := strconv.Atoi(token)
		if json.Unmarshal(value, &elements) != nil || err != nil || i >= len(elements) {
			return nil, false
		}
		value = elements[i]
	}
	return value, true
}
