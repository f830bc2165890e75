package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf"
)

// AutoRevision is the value of --revision that detects the revision of each document.
const AutoRevision = "auto"

// RevisionNames returns the valid values of --revision, and of oatf.revision in cupel.yaml.
func RevisionNames() []string {
	names := []string{AutoRevision}
	for _, r := range oatf.Revisions() {
		names = append(names, string(r))
	}
	return names
}

func RevisionWords() (list []cmdline.Word) {
	for _, r := range oatf.Revisions() {
		list = append(list, cmdline.Word{Name: string(r), Means: "revision " + string(r) + " of OATF"})
	}
	return list
}

// ByMarks describes AutoRevision for documents.
const ByMarks = "detected for each document"

// RevisionOption is --revision, for commands that depend on the revision of the format.
type RevisionOption struct{ Name string }

// Flag returns the flag. auto describes the value AutoRevision.
func (o *RevisionOption) Flag(category, auto string) cli.Flag {
	known := RevisionNames()
	return cmdline.OneOf(&cli.StringFlag{
		Name: "revision", Category: category, Value: AutoRevision, Destination: &o.Name,
		Usage: "`REVISION` of the format: " + strings.Join(known[1:], ", ") + "; " + AutoRevision + " " + auto,
	}, slices.Concat([]cmdline.Word{{Name: AutoRevision, Means: auto}}, RevisionWords())...)
}

// Given returns the revision that the flag names, or "" for AutoRevision.
func (o RevisionOption) Given() (oatf.Revision, error) {
	r, ok := RevisionNamed(o.Name)
	if !ok {
		return "", &cmdline.UsageError{Message: fmt.Sprintf("unknown revision %q for --revision", o.Name), Hint: RevisionHint(o.Name)}
	}
	return r, nil
}

// RevisionFlag returns the flag, for use with GivenRevision.
func RevisionFlag(category, auto string) cli.Flag { return new(RevisionOption).Flag(category, auto) }

// GivenRevision returns the revision that the flag names, or "" for AutoRevision.
func GivenRevision(c *cli.Context) (oatf.Revision, error) {
	return RevisionOption{c.String("revision")}.Given()
}

// RevisionNamed returns the revision with a name, "" for AutoRevision. ok is false if the name is unknown.
func RevisionNamed(name string) (r oatf.Revision, ok bool) {
	if name == AutoRevision {
		return "", true
	}
	r = oatf.Revision(name)
	return r, slices.Contains(oatf.Revisions(), r)
}

// RevisionHint lists the revisions and suggests the most similar one.
func RevisionHint(name string) string {
	known := suggest.KnownHint(RevisionNames())
	if hint := suggest.Hint(name, RevisionNames()); hint != "" {
		return hint + " " + known
	}
	return known
}

// Revisions selects the revision for documents: that of --revision, or of oatf.revision in the nearest cupel.yaml.
// "" means detection.
type Revisions struct {
	given  *oatf.Revision // by the flag, or nil
	Heeds  *Nearest
	ByFile map[string]oatf.Revision // by cupel.yaml's path
}

func ReadRevisions(c *cli.Context, heeds *Nearest) (*Revisions, error) {
	flag, err := GivenRevision(c)
	if err != nil {
		return nil, err
	}
	r := &Revisions{Heeds: heeds, ByFile: map[string]oatf.Revision{}}
	if c.IsSet("revision") {
		r.given = &flag
	}
	return r, nil
}

// Of returns the revision for the document in a file. It returns an error once per faulty cupel.yaml, which is then
// ignored.
func (r *Revisions) Of(file string) (oatf.Revision, error) {
	if r.given != nil {
		return *r.given, nil
	}
	says, err := r.Heeds.Of(file)
	if err != nil || says.Revision == nil {
		return "", err
	}
	if known, ok := r.ByFile[says.Path]; ok {
		return known, nil
	}
	named, err := RevisionOf(says)
	r.ByFile[says.Path] = named
	return named, err
}

// RevisionOf returns the revision that a configuration sets, or "".
func RevisionOf(file config.Config) (oatf.Revision, error) {
	if file.Revision == nil {
		return "", nil
	}
	named, ok := RevisionNamed(file.Revision.Text)
	if !ok {
		return "", (&config.Error{
			Path: file.Path, Line: file.Revision.Line, Column: file.Revision.Column,
			Message: fmt.Sprintf("unknown revision %q", file.Revision.Text), Hint: RevisionHint(file.Revision.Text),
		}).Suggest(file.Revision.Text, RevisionNames())
	}
	return named, nil
}

// SelectsLint reports whether a configuration names lint rules.
func SelectsLint(says config.Config) bool {
	return slices.ContainsFunc(says.Select, func(e config.Entry) bool { return ChoosesLint(e.Text) })
}

// ChoosesLint reports whether a value of --select contains lint rules.
func ChoosesLint(list string) bool {
	return slices.ContainsFunc(strings.Split(list, ","), func(rule string) bool {
		return strings.HasPrefix(strings.ToUpper(strings.TrimSpace(rule)), "L")
	})
}
