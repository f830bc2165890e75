package main

import (
	_ "embed"
	"html/template"
	"strings"
)

var (
	//go:embed site.tmpl
	layout string
	//go:embed site.css
	sheet []byte
	//go:embed site.js
	script []byte
)

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"inline":  func(s *site, root, words string) template.HTML { return s.inline(root, words) },
	"command": commandAddress,
	"flag":    flagID,
	"trim":    func(text string) string { return strings.TrimRight(text, "\n") },
	"groups":  flagGroups,
}).Parse(layout))

type flagGroup struct {
	Title string
	Flags []struct{ Flag, Group, About string }
}

func flagGroups(c command) (groups []flagGroup) {
	for _, f := range c.Flags {
		if n := len(groups); n == 0 || groups[n-1].Title != f.Group {
			groups = append(groups, flagGroup{Title: f.Group})
		}
		last := &groups[len(groups)-1]
		last.Flags = append(last.Flags, f)
	}
	return groups
}
