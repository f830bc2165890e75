package evidencecmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/say"
)

// policyFlags are the flags of the commands that go by the classes of values.
func policyFlags(category string) []cli.Flag {
	return []cli.Flag{
		cmdline.Amongst(&cli.StringFlag{Name: "profile", Category: category, Value: privacy.ProfileDefault, Usage: "`PROFILE` of classes: " + privacy.ProfileDefault + ", or " + privacy.ProfileUpstream + ", which does what the reference implementation does with subjects and nothing else"}, cmdline.Word{Name: privacy.ProfileDefault, Means: "every class of the privacy rules"}, cmdline.Word{Name: privacy.ProfileUpstream, Means: "what the reference implementation does with subjects, and nothing else"}),
		&cli.StringFlag{Name: "policy", Category: category, Usage: "heed the classes in `FILE` instead of those in the cupel.yaml nearest to the current folder; /dev/null: heed none"},
		cmdline.SuchAsThese(&cli.StringSliceFlag{Name: "allow-forbidden", Category: category, KeepSpace: true, Usage: "let members of a forbidden `NAME`, such as token, have the classes that the rows give them; repeatable"}, forbiddenWords),
	}
}

// forbiddenWords are the forbidden names as policies list them; in a record they may have capitals and hyphens.
func forbiddenWords() (list []cmdline.Word) {
	for _, name := range privacy.ForbiddenNames() {
		list = append(list, cmdline.Word{Name: name, Means: "a member of this name is removed, unless it is given here"})
	}
	return list
}

// policy is the policy that the flags ask for.
type policy struct {
	*privacy.Policy
	file string // that overrides the profile, without its folder; "": none
}

// profiles make the built-in policies, in the order in which they are listed.
var profiles = []struct {
	name string
	make func() *privacy.Policy
}{
	{privacy.ProfileDefault, privacy.Default},
	{privacy.ProfileUpstream, privacy.Upstream},
}

// readPolicy reads the flags, and the file that they lead to. The classes in a cupel.yaml are
// those of whoever runs the command: one that lies beside the evidence counts for nothing, for
// it could say that the evidence holds no secret.
func readPolicy(c *cli.Context) (p policy, err error) {
	base, err := profileOf(c.String("profile"))
	if err != nil {
		return p, err
	}
	p.Policy, p.file, err = overridden(c, base, c.StringSlice("allow-forbidden"))
	var name *privacy.NameError
	if errors.As(err, &name) {
		return p, &cmdline.UsageError{Message: fmt.Sprintf("--allow-forbidden %q is no forbidden name", name.Name), Hint: "`cupel evidence redact --classes` lists them"}
	}
	return p, err
}

func profileOf(name string) (*privacy.Policy, error) {
	var known []string
	for _, p := range profiles {
		if p.name == name {
			return p.make(), nil
		}
		known = append(known, p.name)
	}
	return nil, cmdline.BadValue("profile", name, known)
}

// overridden is a policy with the rows of a file, where there is one.
func overridden(c *cli.Context, base *privacy.Policy, allowed []string) (p *privacy.Policy, file string, err error) {
	if name := c.String("policy"); name != "" {
		text, err := app.PolicyFile.Read(c.Context, name)
		if err == nil {
			p, err = privacy.ParsePolicy(name, text, base, allowed)
		}
		return p, filepath.Base(name), err
	}
	at, rows, err := projectClasses(c)
	if err != nil {
		return nil, "", err
	}
	if len(rows) == 0 {
		p, err = base.With("", nil, allowed)
		return p, "", err
	}
	p, err = base.With(at.Path, rows, allowed)
	return p, filepath.Base(at.Path), err
}

// projectClasses are the classes in the nearest cupel.yaml.
func projectClasses(c *cli.Context) (at config.Place, rows []privacy.Given, err error) {
	if at, err = config.Find("."); err != nil || at.Path == "" {
		return at, nil, say.Plain(err)
	}
	if err := app.FilesToReplace(c).SparePath(fmt.Sprintf("the configuration %q", at.Path), at.Path); err != nil {
		return at, nil, err
	}
	file, err := at.Load()
	return at, file.Classes, say.Plain(err)
}

// showClasses prints the policy.
func showClasses(env cmdline.Env, c *cli.Context) error {
	format := strings.Join(c.StringSlice("format"), ",")
	switch {
	case c.NArg() > 0:
		return &cmdline.UsageError{Message: "--classes prints the policy and reads no input: give none", Hint: ""}
	case format != "" && format != "text" && format != "json":
		return cmdline.BadValue("format", format, []string{"text", "json"})
	}
	p, err := readPolicy(c)
	if err != nil {
		return err
	}
	text := p.AppendTable(nil)
	if format == "json" {
		text = append(p.JSON(), '\n')
	}
	if _, err := env.Stdout.Write(text); err != nil {
		return app.Unwritten(err)
	}
	return nil
}
