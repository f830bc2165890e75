package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"

	"github.com/cupel-dev/cupel/finding"
)

// gitlab writes GitLab's code quality report: a list of issues with file and line.
type gitlab struct {
	*sink
	prints fingerprints
	issues int
}

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"` // unique in the report
	Severity    string         `json:"severity"`    // info, minor, major, critical or blocker
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"` // GitLab shows no issue without a line
}

func newGitLab(w io.Writer, _ Run, _ Options) Writer {
	g := &gitlab{sink: &sink{w: w}}
	g.text("[")
	return g
}

var gitlabSeverity = [...]string{finding.Info: "info", finding.Warning: "minor", finding.Error: "major"}

func (g *gitlab) Finding(f finding.Finding) error {
	return g.issue(gitlabIssue{
		comparison(inPart(f), asItIs), f.Rule, g.prints.of(f), gitlabSeverity[f.Severity],
		gitlabLocation{cleaned(f.File), gitlabLines{max(1, f.Line)}},
	})
}

// cleaned returns a path relative to the project.
func cleaned(file string) string {
	if file == "" {
		return ""
	}
	return path.Clean(file)
}

func (g *gitlab) issue(i gitlabIssue) error {
	i.Location.Path = cmp.Or(i.Location.Path, "cupel")
	if g.issues > 0 {
		g.text(",")
	}
	g.issues++
	g.text("\n")
	g.json(i)
	return g.err
}

func (g *gitlab) Answer(a Answer) error {
	if a.Annotation != nil {
		return g.Finding(*a.Annotation)
	}
	return g.err
}

// Fail writes an issue without a file, because an empty list looks passed.
func (g *gitlab) Fail(message string) error {
	sum := sha256.Sum256([]byte(message))
	return g.issue(gitlabIssue{"could not answer: " + message, "cupel", hex.EncodeToString(sum[:]), "blocker", gitlabLocation{}})
}

// Close writes an issue about what configuration files excluded, because the format has no other place for it.
func (g *gitlab) Close(s Summary) error {
	if left := s.leavesOut(); left != "" {
		sum := sha256.Sum256([]byte("left out"))
		_ = g.issue(gitlabIssue{"left out: " + left, "cupel", hex.EncodeToString(sum[:]), "info", gitlabLocation{}})
	}
	g.text("\n]\n")
	return g.err
}
