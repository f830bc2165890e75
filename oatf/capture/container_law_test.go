package capture_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf/capture"
)

// containers are ways to hold the messages of a connection. Each gets messages as JSON with the
// side that sent each.
var containers = map[string]func(messages []sentMessage) string{
	"lines": func(list []sentMessage) string { return each(list, "%[1]s\n") },
	"array": func(list []sentMessage) string { return "[" + strings.TrimSuffix(each(list, "%[1]s,"), ",") + "]" },
	"pretty": func(list []sentMessage) string {
		var b bytes.Buffer
		for _, m := range list {
			_ = json.Indent(&b, []byte(m.text), "", "  ")
			b.WriteByte('\n')
		}
		return b.String()
	},
	"frames":   func(list []sentMessage) string { return each(list, "Content-Length: 1\r\n\r\n%[1]s") },
	"envelope": func(list []sentMessage) string { return each(list, `{"direction":"%[2]s","message":%[1]s}`+"\n") },
	"deep": func(list []sentMessage) string {
		return each(list, `{"at":"x","fields":{"dir":"%[2]s","frame":{"raw":%[1]s}}}`+"\n")
	},
	"text member": func(list []sentMessage) string { return each(list, `{"direction":"%[2]s","content":%[3]s}`+"\n") },
	"log": func(list []sentMessage) string {
		return "server starts\n" + each(list, "2026-01-01 [info] [calc] Message from %[4]s: %[1]s\n")
	},
	"events": func(list []sentMessage) string { return ": hello\n\n" + each(list, "event: message\ndata: %[1]s\n\n") },
	"session": func(list []sentMessage) string {
		return `{"session":"s","messages":[` + strings.TrimSuffix(each(list, "%[1]s,"), ",") + "]}"
	},
	"archive": func(list []sentMessage) string {
		var entries []string
		for _, m := range list {
			body := `"request":{"method":"POST","url":"http://h/mcp","postData":{"text":%s}},"response":{"content":{}}`
			if m.side == "s2c" {
				body = `"request":{"method":"GET","url":"http://h/mcp"},"response":{"content":{"text":%s,"encoding":"base64"}}`
				entries = append(entries, "{"+fmt.Sprintf(body, strconv.Quote(base64.StdEncoding.EncodeToString([]byte(m.text))))+"}")
				continue
			}
			entries = append(entries, "{"+fmt.Sprintf(body, strconv.Quote(m.text))+"}")
		}
		return `{"log":{"entries":[` + strings.Join(entries, ",") + "]}}"
	},
}

// sentMessage is a message of one side.
type sentMessage struct{ text, side string }

// each spells each message: as JSON, its direction, as a string of JSON, and its sender.
func each(list []sentMessage, format string) string {
	var b strings.Builder
	for _, m := range list {
		sender := map[string]string{"c2s": "client", "s2c": "server"}[m.side]
		text := fmt.Sprintf(strings.ReplaceAll(strings.ReplaceAll(format, "%[3]s", "\x00"), "%[4]s", "\x01"), m.text, m.side)
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\x00", strconv.Quote(m.text)), "\x01", sender)
		text, _, _ = strings.Cut(text, "%!(EXTRA")
		b.WriteString(text)
	}
	return b.String()
}

// TestContainersDoNotMatter finds the same messages in each kind of container.
func TestContainersDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawSession(t)
		want := messagesIn(containers["lines"](list))
		if len(list) == 0 || len(want) != len(list) {
			t.Fatalf("%d messages of %d are read:\n%s", len(want), len(list), containers["lines"](list))
		}
		for name, spell := range containers {
			got := messagesIn(spell(list))
			sameLists(t, name+"\n"+spell(list), got, want)
		}
	})
}

// drawSession draws requests of a client and a server with the same ids, each answered.
func drawSession(t *rapid.T) (list []sentMessage) {
	for id := range rapid.IntRange(1, 6).Draw(t, "requests") {
		word := rapid.SampledFrom([]string{"a", "x{y", `q\"z`, "]", "data: x"}).Draw(t, "word")
		call := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":{"n":[%d]}}}`, id, word, id)
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%s"}]}}`, id, word)
		ask := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"roots/list"}`, id)
		tell := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"roots":[]}}`, id)
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			list = append(list, sentMessage{call, "c2s"}, sentMessage{answer, "s2c"})
		case 1:
			list = append(list, sentMessage{call, "c2s"}, sentMessage{ask, "s2c"}, sentMessage{tell, "c2s"}, sentMessage{answer, "s2c"})
		default:
			list = append(list, sentMessage{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "c2s"})
		}
	}
	return list
}

// messagesIn returns the messages of a capture without their places.
func messagesIn(text string) (list []string) {
	r := capture.NewReader(strings.NewReader(text), capture.Options{Known: true, KeepParams: true})
	for {
		m, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			list = append(list, err.Error())
			continue
		}
		said := m.Kind.String() + " " + jsonOf(m.Value)
		if params, ok := m.Params(); ok {
			said += " of " + jsonOf(params)
		}
		list = append(list, said)
	}
}

// TestAnySplitJoins splits the texts of messages and artifacts in any way, mixes them, and finds
// each of them whole.
func TestAnySplitJoins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringN(1, 30, 60), 1, 4).Draw(t, "texts")
		var streams [][]string
		for i, text := range texts {
			kind := rapid.IntRange(0, 2).Draw(t, "kind")
			streams = append(streams, drawStream(t, i, kind, text))
		}
		var lines []string
		for len(streams) > 0 {
			i := rapid.IntRange(0, len(streams)-1).Draw(t, "next")
			lines = append(lines, streams[i][0])
			if streams[i] = streams[i][1:]; len(streams[i]) == 0 {
				streams = append(streams[:i], streams[i+1:]...)
			}
		}
		found := map[string]int{}
		r := capture.NewReader(strings.NewReader(strings.Join(lines, "\n")), capture.Options{Known: true, Join: true})
		for {
			m, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if m.Variant {
				found[jsonOf(m.Value)]++
			}
		}
		for i, text := range texts {
			n := 0
			for value := range found {
				if strings.Contains(value, fmt.Sprintf(`"%d"`, i)) && strings.Contains(value, strconv.Quote(text)) {
					n++
				}
			}
			if n == 0 {
				t.Fatalf("the text %q is not whole in %v of\n%s", text, found, strings.Join(lines, "\n"))
			}
		}
	})
}

// drawStream draws the messages that bring a text in pieces.
func drawStream(t *rapid.T, id, kind int, text string) (lines []string) {
	runes := []rune(text)
	var pieces []string
	for len(runes) > 0 {
		n := rapid.IntRange(1, len(runes)).Draw(t, "piece")
		pieces, runes = append(pieces, string(runes[:n])), runes[n:]
	}
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	switch kind {
	case 0:
		lines = append(lines, fmt.Sprintf(`{"type":"TEXT_MESSAGE_START","messageId":"%d","role":"assistant"}`, id))
		for _, p := range pieces {
			lines = append(lines, fmt.Sprintf(`{"type":"TEXT_MESSAGE_CONTENT","messageId":"%d","delta":%s}`, id, quoted(p)))
		}
		if rapid.Bool().Draw(t, "ends") {
			lines = append(lines, fmt.Sprintf(`{"type":"TEXT_MESSAGE_END","messageId":"%d"}`, id))
		}
	case 1:
		for _, p := range pieces {
			lines = append(lines, fmt.Sprintf(`{"type":"TOOL_CALL_CHUNK","toolCallId":"%d","toolCallName":"t","delta":%s}`, id, quoted(p)))
		}
	default:
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","method":"message/stream","params":{"message":{}}}`, id))
		for i, p := range pieces {
			lines = append(lines, fmt.Sprintf(
				`{"jsonrpc":"2.0","id":"s%d","result":{"kind":"artifact-update","taskId":"%d","contextId":"c","append":%t,"artifact":{"artifactId":"a","parts":[{"kind":"text","text":%s}]}}}`,
				id, id, i > 0, quoted(p)))
		}
	}
	return lines
}
