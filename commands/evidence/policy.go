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
	"github.com/cupel-dev/cupel/internal/say"
)

func policyFlags(category string) []cli.Flag {
	return []cli.Flag{
		cmdline.OneOf(&cli.StringFlag{Name: "profile", Category: category, Value: privacy.ProfileDefault, Usage: "`PROFILE` of classes: " + privacy.ProfileDefault + ", or " + privacy.ProfileUpstream + ", which only changes subjects, like the reference implementation"}, cmdline.Word{Name: privacy.ProfileDefault, Means: "every class of the privacy rules"}, cmdline.Word{Name: privacy.ProfileUpstream, Means: "only the changes of subjects by the reference implementation"}),
		&cli.StringFlag{Name: "policy", Category: category, Usage: "use the classes in `FILE` instead of the nearest cupel.yaml; /dev/null: none"},
		cmdline.SuggestAll(&cli.StringSliceFlag{Name: "allow-forbidden", Category: category, KeepSpace: true, Usage: "allow members with the forbidden `NAME`, such as token, if a class applies to them; repeatable"}, forbiddenWords),
		cmdline.OneOf(&cli.StringFlag{Name: "rules", Category: category, Value: privacy.RulesAll, Usage: "`SET` of rules for secrets: " + privacy.RulesAll + ", or " + privacy.RulesADR006 + ", the eleven of the reference implementation"}, cmdline.Word{Name: privacy.RulesAll, Means: "the rules of gitleaks, cupel and the reference implementation"}, cmdline.Word{Name: privacy.RulesADR006, Means: "the eleven rules and 17 names of the reference implementation"}),
		&cli.StringFlag{Name: "pii", Category: category, Usage: "`KINDS` of personal data to look for: keep for none, or a list such as email,phone (default: all, none with --rules " + privacy.RulesADR006 + ")"},
	}
}

// keepPersonal is the value of --pii that keeps personal data.
const keepPersonal = "keep"

// tagFlags returns the flags for texts that replace hidden values.
func tagFlags(category string) []cli.Flag {
	return []cli.Flag{
		cmdline.OneOf(&cli.StringFlag{Name: "tags", Category: category, Value: "stars", Usage: "`FORM` of redacted values: stars, or typed for <redacted:RULE>"}, cmdline.Word{Name: "stars", Means: "three stars"}, cmdline.Word{Name: "typed", Means: "<redacted:RULE>, with --tag-key-file <redacted:RULE:DIGEST>"}),
		&cli.StringFlag{Name: "tag-key-file", Category: category, Usage: "with --tags typed, add a digest under the key in `FILE` to each tag; equal values get equal tags"},
	}
}

// secretSettings reads the flags for searching and replacing secrets. given is false without any.
func secretSettings(c *cli.Context) (s privacy.Settings, given bool, err error) {
	s.Rules = c.String("rules")
	given = s.Rules != "" && s.Rules != privacy.RulesAll
	if c.IsSet("pii") {
		given = true
		s.Personal = []string{}
		if kinds := c.String("pii"); kinds != keepPersonal {
			s.Personal = strings.Split(kinds, ",")
		}
	}
	key := c.String("tag-key-file")
	switch c.String("tags") {
	case "", "stars":
		if key != "" {
			return s, true, &cmdline.UsageError{Message: "--tag-key-file needs --tags typed", Hint: ""}
		}
	case "typed":
		s.Tags, given = true, true
	default:
		return s, true, cmdline.BadValue("tags", c.String("tags"), []string{"stars", "typed"})
	}
	if key != "" {
		if s.TagKey, err = app.TagKeyFile.Read(c.Context, key); err == nil && len(s.TagKey) < leastTagKey {
			err = &cmdline.UsageError{Message: fmt.Sprintf("the key in --tag-key-file has %d bytes, expected at least %d", len(s.TagKey), leastTagKey), Hint: "`head -c 32 /dev/urandom > FILE` makes one"}
		}
	}
	return s, given, err
}

// leastTagKey is the minimum length of a tag key in bytes. A shorter one can be guessed.
const leastTagKey = 16

// forbiddenWords returns the forbidden names as policies list them. Records can write them with capitals and
// hyphens.
func forbiddenWords() (list []cmdline.Word) {
	for _, name := range privacy.ForbiddenNames() {
		list = append(list, cmdline.Word{Name: name, Means: "cupel removes members with this name unless you list it here"})
	}
	return list
}

type policy struct {
	*privacy.Policy
	file string // that overrides the profile, without its folder; "": none
}

// profiles are the built-in policies.
var profiles = []struct {
	name string
	make func() *privacy.Policy
}{
	{privacy.ProfileDefault, privacy.Default},
	{privacy.ProfileUpstream, privacy.Upstream},
}

// readPolicy reads the flags and the policy file. Classes come from the user's cupel.yaml, because one next to the
// evidence could declare secrets public.
func readPolicy(env cmdline.Env, c *cli.Context) (p policy, err error) {
	base, err := profileOf(c.String("profile"))
	if err != nil {
		return p, err
	}
	p.Policy, p.file, err = overridden(env, c, base, c.StringSlice("allow-forbidden"))
	if err == nil {
		p.Policy, err = withSettings(c, p.Policy)
	}
	var name *privacy.NameError
	if errors.As(err, &name) {
		return p, &cmdline.UsageError{Message: fmt.Sprintf("--allow-forbidden %q is not a forbidden name", name.Name), Hint: "`cupel evidence redact --classes` lists the forbidden names"}
	}
	return p, err
}

func withSettings(c *cli.Context, p *privacy.Policy) (*privacy.Policy, error) {
	s, given, err := secretSettings(c)
	switch {
	case err != nil || !given:
		return p, err
	case p.Name() == privacy.ProfileUpstream:
		return nil, &cmdline.UsageError{Message: "--rules, --pii and --tags cannot be used with --profile " + privacy.ProfileUpstream, Hint: "use another profile: this one only changes subjects, as the reference implementation does"}
	}
	q, err := p.WithSettings(s)
	if err != nil {
		return nil, &cmdline.UsageError{Message: err.Error(), Hint: ""}
	}
	return q, nil
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

// overridden adds the rows of a policy file, if there is one.
func overridden(env cmdline.Env, c *cli.Context, base *privacy.Policy, allowed []string) (p *privacy.Policy, file string, err error) {
	if name := c.String("policy"); name != "" {
		text, err := app.PolicyFile.Read(c.Context, name)
		if err == nil {
			p, err = privacy.ParsePolicy(name, text, base, allowed)
		}
		return p, filepath.Base(name), err
	}
	says, err := app.ConfiguredBy(c).Here()
	if err != nil {
		return nil, "", say.Plain(err)
	}
	if n := len(says.Withheld); n > 0 && !c.Bool("show-config") {
		cmdline.Warn(env, fmt.Sprintf("%s: %s not applied: only a configuration that you name can weaken redaction, see --%s", app.PlaceIn(says, says.Withheld[0].At), cmdline.Counted(n, "privacy class row"), app.TrustFlag))
	}
	if len(says.Classes) == 0 {
		p, err = base.With("", nil, allowed)
		return p, "", err
	}
	p, err = base.With(says.Path, says.Classes, allowed)
	return p, filepath.Base(says.Path), err
}

func showClasses(env cmdline.Env, c *cli.Context) error {
	format := strings.Join(c.StringSlice("format"), ",")
	switch {
	case c.NArg() > 0:
		return &cmdline.UsageError{Message: "--classes prints the policy: give no input", Hint: ""}
	case format != "" && format != "text" && format != "json":
		return cmdline.BadValue("format", format, []string{"text", "json"})
	}
	p, err := readPolicy(env, c)
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
