package main

import (
	"fmt"
	"html"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

type counts struct{ pages, links, anchors, external int }

func (c counts) String() string {
	return fmt.Sprintf("%d links within, %d of them to anchors, %d to other sites", c.links, c.anchors, c.external)
}

// looked is the ids and links of a page.
type looked struct {
	ids   map[string]bool
	links []string
}

// checkLinks checks every link of every page: internal ones lead to a file and a unique anchor,
// external ones are well-formed.
func checkLinks(files map[string][]byte) (c counts, faults []string) {
	seen := map[string]looked{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, ".html") {
			page, twice := look(files[name])
			seen[name] = page
			for _, id := range twice {
				faults = append(faults, fmt.Sprintf("%s: id %q stands twice", name, id))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		c.pages++
		for _, link := range seen[name].links {
			if fault := c.check(files, seen, name, link); fault != "" {
				faults = append(faults, fmt.Sprintf("%s: link %q: %s", name, link, fault))
			}
		}
	}
	return c, faults
}

func (c *counts) check(files map[string][]byte, seen map[string]looked, name, link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return err.Error()
	}
	if u.Scheme != "" || u.Host != "" {
		c.external++
		if u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.ContainsAny(link, " <>\"") {
			return "no address of a site"
		}
		return ""
	}
	c.links++
	target := name
	if u.Path != "" {
		target = path.Join(path.Dir(name), u.Path)
	}
	if files[target] == nil {
		return "no such file"
	}
	if u.Fragment != "" {
		c.anchors++
		if !seen[target].ids[u.Fragment] {
			return "no such anchor"
		}
	}
	return ""
}

// attribute matches ids and links in tags. Quotation marks in text are escaped.
var attribute = regexp.MustCompile(` (id|href|src)="([^"]*)"`)

// look collects the ids and links of a page.
func look(text []byte) (page looked, twice []string) {
	page.ids = map[string]bool{}
	for _, m := range attribute.FindAllSubmatch(text, -1) {
		value := html.UnescapeString(string(m[2]))
		switch {
		case string(m[1]) != "id":
			page.links = append(page.links, value)
		case page.ids[value]:
			twice = append(twice, value)
		}
		if string(m[1]) == "id" {
			page.ids[value] = true
		}
	}
	return page, twice
}
