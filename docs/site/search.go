package main

import (
	"encoding/json"
	"slices"
	"strings"
)

// searchEntry is an entry of the search index: a page or a section.
type searchEntry struct{ Title, About, File, Kind string }

func (s *site) searchDocument(d *document) {
	s.search = append(s.search, searchEntry{d.title, "", s.fileOf(d.address), "document"})
	for _, h := range d.headings[1:] {
		if d.file != "CHANGELOG.md" {
			s.search = append(s.search, searchEntry{h.Text, d.title, s.fileOf(d.address) + "#" + h.ID, "section"})
		}
	}
}

// assets adds the other files. The search index is a script, because pages opened from a folder can load no other
// kind of file.
func (s *site) assets() error {
	rows := make([][]string, len(s.search))
	for i, e := range s.search {
		rows[i] = []string{e.Title, e.About, e.File, e.Kind}
	}
	index, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	s.files["search.js"] = []byte("searchIndex = " + string(index) + ";\n")
	s.files["site.css"], s.files["site.js"] = sheet, script
	var addresses []string
	for name := range s.files {
		if address, ok := strings.CutSuffix(name, "index.html"); ok {
			addresses = append(addresses, s.Tables.Site+strings.TrimSuffix(address, "/")+"\n")
		}
	}
	slices.Sort(addresses)
	s.files[mark] = []byte(strings.Join(addresses, ""))
	return nil
}
