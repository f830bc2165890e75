package voicetest

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// Page is the kind of template texts.
const Page = "page"

var (
	action    = regexp.MustCompile(`\{\{.*?\}\}`)
	attribute = regexp.MustCompile(`\b(?:title|placeholder|aria-label)="([^"]*)"`)
	// emphasis matches inline tags; other tags end a text.
	emphasis = regexp.MustCompile(`</?(?:b|code|em|kbd|span)(?: [^>]*)?>`)
	tag      = regexp.MustCompile(`<[^>]*>`)
	runs     = regexp.MustCompile(Value + `(?:\s*` + Value + `)+`)
)

// shownBy returns the visible texts of a template: between its tags, and in visible attributes.
// Inserted and conditional parts are values.
func shownBy(name, source string) (list []Message) {
	room := name[:strings.LastIndexByte(name, '/')]
	add := func(line int, text string) {
		text = strings.TrimSpace(runs.ReplaceAllString(html.UnescapeString(text), Value))
		m := Message{Kind: Page, Room: room, Parts: strings.Split(text, Value), Places: []string{fmt.Sprintf("%s:%d:1", name, line)}}
		if m.speaks() {
			list = append(list, m)
		}
	}
	for i, line := range strings.Split(source, "\n") {
		line = action.ReplaceAllString(line, Value)
		for _, read := range attribute.FindAllStringSubmatch(line, -1) {
			add(i+1, read[1])
		}
		for text := range strings.SplitSeq(tag.ReplaceAllString(emphasis.ReplaceAllString(line, ""), "\n"), "\n") {
			add(i+1, text)
		}
	}
	return list
}
