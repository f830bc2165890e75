package commands

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf"
)

// autoRevision is the value of --revision that leaves the choice to each document's marks.
const autoRevision = "auto"

// revisionNames are the values of --revision, and of oatf.revision in cupel.yaml.
func revisionNames() []string {
	names := []string{autoRevision}
	for _, r := range oatf.Revisions() {
		names = append(names, string(r))
	}
	return names
}

// revisedCommands are those with inputs that heed oatf.revision of a configuration.
var revisedCommands = []string{"oatf lint", "oatf normalize", "oatf eval", "oatf simulate", "oatf view", "check"}

// revisionWords are the revisions that there are.
func revisionWords() (list []word) {
	for _, r := range oatf.Revisions() {
		list = append(list, word{string(r), "revision " + string(r) + " of OATF"})
	}
	return list
}

// byMarks is what auto means for documents.
const byMarks = "tells it by what each document has"

// revisionFlag is the flag of the commands for which it matters which revision of the format
// something follows; auto says what the value auto does.
func revisionFlag(category, auto string) cli.Flag {
	known := revisionNames()
	return amongst(&cli.StringFlag{
		Name: "revision", Category: category, Value: autoRevision,
		Usage: "`REVISION` of the format: " + strings.Join(known[1:], ", ") + "; " + autoRevision + " " + auto,
	}, slices.Concat([]word{{autoRevision, auto}}, revisionWords())...)
}

// givenRevision is the revision that the flag names; "" for auto.
func givenRevision(c *cli.Context) (oatf.Revision, error) {
	name := c.String("revision")
	r, ok := revisionNamed(name)
	if !ok {
		return "", &usageError{fmt.Sprintf("unknown revision %q for --revision", name), revisionHint(name)}
	}
	return r, nil
}

// revisionNamed is the revision with a name, "" for auto; ok is false when there is none.
func revisionNamed(name string) (r oatf.Revision, ok bool) {
	if name == autoRevision {
		return "", true
	}
	r = oatf.Revision(name)
	return r, slices.Contains(oatf.Revisions(), r)
}

// revisionHint names the revisions that there are, and the one that may be meant.
func revisionHint(name string) string {
	known := suggest.KnownHint(revisionNames())
	if hint := suggest.Hint(name, revisionNames()); hint != "" {
		return hint + " " + known
	}
	return known
}

// revisions tells as which revision the documents of a command are read: --revision says it
// for all of them, else oatf.revision in the cupel.yaml that is nearest to each; "" stands for
// its marks.
type revisions struct {
	given  *oatf.Revision // by the flag; nil when there was none
	heeds  *nearest
	byFile map[string]oatf.Revision // by cupel.yaml's path
}

// readRevisions reads the flag.
func readRevisions(c *cli.Context, heeds *nearest) (*revisions, error) {
	flag, err := givenRevision(c)
	if err != nil {
		return nil, err
	}
	r := &revisions{heeds: heeds, byFile: map[string]oatf.Revision{}}
	if c.IsSet("revision") {
		r.given = &flag
	}
	return r, nil
}

// of is the revision for the document in a file. An error is returned once for each
// cupel.yaml, which then says nothing.
func (r *revisions) of(file string) (oatf.Revision, error) {
	if r.given != nil {
		return *r.given, nil
	}
	says, err := r.heeds.of(file)
	if err != nil || says.Revision == nil {
		return "", err
	}
	if known, ok := r.byFile[says.Path]; ok {
		return known, nil
	}
	named, err := revisionOf(says)
	r.byFile[says.Path] = named
	return named, err
}

// revisionOf is the revision that a file names; "" when it names none, or an unknown one.
func revisionOf(file config.Config) (oatf.Revision, error) {
	if file.Revision == nil {
		return "", nil
	}
	named, ok := revisionNamed(file.Revision.Text)
	if !ok {
		return "", (&config.Error{
			Path: file.Path, Line: file.Revision.Line, Column: file.Revision.Column,
			Message: fmt.Sprintf("unknown revision %q", file.Revision.Text), Hint: revisionHint(file.Revision.Text),
		}).Suggest(file.Revision.Text, revisionNames())
	}
	return named, nil
}
