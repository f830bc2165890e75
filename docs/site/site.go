package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// source is the URL of the project's files.
const source = "https://github.com/cupel-dev/cupel/blob/main/"

type site struct {
	root      string
	Tables    tables
	Rules     []rulePage
	documents []document
	byFile    map[string]*document // README.md, docs/cli.md
	ruleIDs   map[string]bool
	groups    []navGroup
	search    []searchEntry
	files     map[string][]byte
}

// document is a Markdown file of the project.
type document struct {
	file, address, title string
	text                 []byte
	HTML                 template.HTML
	headings             []heading
	mentions             map[string]bool // the rules that it names
}

type heading struct {
	Level    int
	ID, Text string
}

// rulePage is the rules with one id. Packages and revisions can have different ones.
type rulePage struct {
	ID    string
	Rules []rule
}

// Title returns the title of the first of the rules.
func (r rulePage) Title() string { return r.Rules[0].Title }

// Family returns the common prefix of related ids: V, L, EV, hash, Integrity.
func (r rulePage) Family() string { return family.FindString(r.ID) }

var family = regexp.MustCompile(`^([A-Z]+\b|[a-z_]+|[A-Z][a-z]+)`)

// page is the layout's data.
type page struct {
	Address   string
	Title     string
	Canonical string
	Root      string // from the page to the first one: "../../"
	Groups    []navGroup
	Body      template.HTML
}

type navGroup struct {
	Title string
	Links []navLink
}

type navLink struct{ Address, Title string }

// outside are the documents outside of docs/, with addresses.
var outside = []struct{ file, address string }{
	{"README.md", ""},
	{"CHANGELOG.md", "changelog"},
	{"CONTRIBUTING.md", "contributing"},
	{"SECURITY.md", "security"},
}

func newSite(root string, t tables) *site {
	return &site{root: root, Tables: t, byFile: map[string]*document{}, ruleIDs: map[string]bool{}, files: map[string][]byte{}}
}

func (s *site) make() error {
	s.groupRules()
	if err := s.readDocuments(); err != nil {
		return err
	}
	s.groups = s.navigation()
	for i := range s.documents {
		if err := s.render(&s.documents[i]); err != nil {
			return err
		}
	}
	for i := range s.documents {
		d := &s.documents[i]
		if err := s.add(d.address, d.title, "document", d); err != nil {
			return err
		}
		s.searchDocument(d)
	}
	if err := s.rulePages(); err != nil {
		return err
	}
	if err := s.commandPages(); err != nil {
		return err
	}
	for _, p := range []struct{ address, title string }{{"exit-codes", "Exit codes"}, {"environment", "Variables of the environment"}, {"schemas", "JSON Schemas"}} {
		if err := s.add(p.address, p.title, p.address, s.Tables); err != nil {
			return err
		}
		s.search = append(s.search, searchEntry{p.title, "", s.fileOf(p.address), "table"})
	}
	for _, schema := range s.Tables.Schemas {
		var text bytes.Buffer
		if err := json.Indent(&text, schema.Definition, "", "  "); err != nil {
			return err
		}
		s.files[schema.File()] = append(text.Bytes(), '\n')
		s.search = append(s.search, searchEntry{schema.Name, schema.Title, schema.File(), "schema"})
	}
	return s.assets()
}

func (s *site) groupRules() {
	for _, r := range s.Tables.Rules {
		i := slices.IndexFunc(s.Rules, func(p rulePage) bool { return p.ID == r.ID })
		if i < 0 {
			i = len(s.Rules)
			s.Rules = append(s.Rules, rulePage{ID: r.ID})
			s.ruleIDs[r.ID] = true
		}
		s.Rules[i].Rules = append(s.Rules[i].Rules, r)
	}
}

// readDocuments reads the documents of the project. docs/rules.md is generated from the rules.
func (s *site) readDocuments() error {
	for _, o := range outside {
		s.documents = append(s.documents, document{file: o.file, address: o.address})
	}
	paths, err := filepath.Glob(filepath.Join(s.root, "docs", "*.md"))
	if err != nil || len(paths) == 0 {
		return fmt.Errorf("no documents in %s: %w", s.root, err)
	}
	for _, p := range paths {
		if name := strings.TrimSuffix(filepath.Base(p), ".md"); name != "rules" {
			s.documents = append(s.documents, document{file: "docs/" + name + ".md", address: name})
		}
	}
	for i := range s.documents {
		d := &s.documents[i]
		if d.text, err = os.ReadFile(filepath.Join(s.root, d.file)); err != nil {
			return err
		}
		first, _, _ := strings.Cut(string(d.text), "\n")
		d.title = strings.ReplaceAll(strings.TrimPrefix(first, "# "), "`", "")
		s.byFile[d.file] = d
	}
	return nil
}

// navigation groups the documents by name prefix; others are in a general group.
func (s *site) navigation() []navGroup {
	families := []navGroup{
		{Title: "cupel", Links: []navLink{{"", "Start"}, {"commands", "Commands"}, {"rules", "Rules"}, {"exit-codes", "Exit codes"}, {"environment", "Environment"}, {"schemas", "JSON Schemas"}}},
		{Title: "Traces"},
		{Title: "Evidence"},
		{Title: "OATF"},
		{Title: "Attest"},
		{Title: "Everything else"},
		{Title: "The project"},
	}
	prefixes := []string{"install check cli formats library troubleshooting", "reasoning- session-", "evidence-", "oatf", "attest-", "", ""}
	for _, d := range s.documents {
		into := 5
		for i, list := range prefixes {
			for prefix := range strings.FieldsSeq(list) {
				if strings.HasPrefix(d.address, prefix) {
					into = i
				}
			}
		}
		if !strings.HasPrefix(d.file, "docs/") {
			into = 6
		}
		if d.address != "" {
			families[into].Links = append(families[into].Links, navLink{d.address, d.title})
		}
	}
	return families
}

func (s *site) fileOf(address string) string { return path.Join(address, "index.html") }

// add renders a page with the template of its kind.
func (s *site) add(address, title, kind string, content any) error {
	root := ""
	if address != "" {
		root = strings.Repeat("../", strings.Count(address, "/")+1)
	}
	var body bytes.Buffer
	err := pages.ExecuteTemplate(&body, kind, map[string]any{"Root": root, "Site": s, "It": content})
	if err != nil {
		return err
	}
	var whole bytes.Buffer
	err = pages.ExecuteTemplate(&whole, "frame", page{address, title, s.Tables.Site + address, root, s.groups, template.HTML(body.String())}) // made by a template
	if err != nil {
		return err
	}
	name := s.fileOf(address)
	if s.files[name] != nil {
		return fmt.Errorf("two pages at %s", s.Tables.Site+address)
	}
	s.files[name] = whole.Bytes()
	return nil
}

// rulePages adds a page for each rule id, and the list of all.
func (s *site) rulePages() error {
	for i, r := range s.Rules {
		beside := func(step int) *rulePage {
			if j := i + step; j >= 0 && j < len(s.Rules) {
				return &s.Rules[j]
			}
			return nil
		}
		err := s.add("rules/"+r.ID, r.ID+": "+r.Title(), "rule", map[string]any{
			"Page": r, "Before": beside(-1), "After": beside(1), "Mentions": s.mentioning(r.ID),
		})
		if err != nil {
			return err
		}
		s.search = append(s.search, searchEntry{r.ID, r.Title(), s.fileOf("rules/" + r.ID), "rule"})
	}
	return s.add("rules", "Rules", "rules", s.families())
}

// families returns the rules in groups, in the order of the table.
func (s *site) families() (groups [][]rulePage) {
	for _, r := range s.Rules {
		i := slices.IndexFunc(groups, func(g []rulePage) bool { return g[0].Family() == r.Family() })
		if i < 0 {
			i = len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

// mentioning returns the documents that mention a rule, except lists of all rules.
func (s *site) mentioning(id string) (list []navLink) {
	for _, d := range s.documents {
		if d.mentions[id] && strings.HasPrefix(d.file, "docs/") && d.address != "engines" {
			list = append(list, navLink{d.address, d.title})
		}
	}
	return list
}

// commandPages adds a page for each command, and the list of all.
func (s *site) commandPages() error {
	for _, c := range s.Tables.Commands {
		var more []navLink
		for _, topic := range c.More {
			more = append(more, s.topicLink(topic))
		}
		if err := s.add(commandAddress(c.Name), "cupel "+c.Name, "command", map[string]any{"Command": c, "More": more}); err != nil {
			return err
		}
		s.search = append(s.search, searchEntry{"cupel " + c.Name, c.Title, s.fileOf(commandAddress(c.Name)), "command"})
		for _, f := range c.Flags {
			s.search = append(s.search, searchEntry{f.Flag, "cupel " + c.Name, s.fileOf(commandAddress(c.Name)) + "#" + flagID(f.Flag), "flag"})
		}
	}
	return s.add("commands", "Commands", "commands", s.Tables.Commands)
}

func (s *site) topicLink(name string) navLink {
	address := strings.TrimSuffix(name, ".md")
	if d := s.byFile["docs/"+address+".md"]; d != nil {
		return navLink{address, d.title}
	}
	i := slices.IndexFunc(s.Tables.Topics, func(t topic) bool { return t.Name == name })
	return navLink{address, s.Tables.Topics[max(i, 0)].Title}
}

func commandAddress(name string) string { return "commands/" + strings.ReplaceAll(name, " ", "-") }

// flagID returns the anchor of a flag: "--format" of "-f, --format=FORMAT".
func flagID(flag string) string {
	_, name, _ := strings.Cut(flag, "--")
	name, _, _ = strings.Cut(name, "=")
	return "--" + name
}
