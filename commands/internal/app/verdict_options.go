package app

import (
	"net/url"
	"reflect"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/report"
)

// presentation are the flags that do not affect the verdict, only how and where the report is printed and how fast.
// --shard is in the report's shards.
var presentation = []string{
	"format", "output", "color", "quiet", "no-progress", "not-verified", "statistics", "write-baseline", "show-config", "show-files",
	"watch", "jobs", "stdin-name", "shard", "help", "version", "attest", "sign", "sign-password-file", "attest-time",
	"explain-selection", "no-evidence-text", "dry-run", "prune", "trace", "state", "exit-zero",
}

// BoundTo returns what a verdict depends on besides the inputs: the version of cupel and the flags.
func BoundTo(c *cli.Context) *report.Bound {
	options := map[string]any{}
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		value := optionValue(c, f)
		if name == "strict" && !c.IsSet(name) {
			says, err := ConfiguredBy(c).Here()
			if err != nil {
				ConfiguredBy(c).forget() // the command reads it again and reports the error
			}
			value = StrictBy(c, says)
		}
		if !slices.Contains(presentation, name) && (c.IsSet(name) || !isZero(value)) {
			options[name] = value
		}
	}
	return &report.Bound{Version: buildinfo.Version, Options: options}
}

func isZero(value any) bool {
	v := reflect.ValueOf(value)
	return !v.IsValid() || v.IsZero() || value == time.Duration(0).String()
}

func optionValue(c *cli.Context, f cli.Flag) any {
	name := f.Names()[0]
	if cmdline.IsRepeatable(f) {
		return c.StringSlice(name)
	}
	switch value := c.Value(name).(type) {
	case string:
		if name == "base-url" && value != "" {
			return withoutPassword(value)
		}
		return value
	case interface{ String() string }: // a duration
		return value.String()
	default:
		return value
	}
}

// withoutPassword removes possible secrets from a URL.
func withoutPassword(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "not shown: it is not a URL"
	}
	u.RawQuery, u.Fragment = "", ""
	return u.Redacted()
}
