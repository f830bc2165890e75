package attestcmd

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider"
	"github.com/cupel-dev/cupel/attest/serve"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/config"
)

// providerFlags returns the flags for the models of layers 5 and 6.
func providerFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "base-url", Category: providersCategory, Usage: "`URL` of the model API (default: $ATTEST_OPENAI_BASE_URL; with a key in $ATTEST_OPENAI_API_KEY: " + provider.DefaultBaseURL + ")"},
		&cli.StringFlag{Name: "judge-model", Category: providersCategory, Usage: "`MODEL` of the judge (default: $ATTEST_JUDGE_MODEL, else " + provider.DefaultChatModel + ")"},
		&cli.StringFlag{Name: "embedding-model", Category: providersCategory, Usage: "`MODEL` for embeddings (default: $ATTEST_EMBEDDING_MODEL, else " + provider.DefaultEmbeddingModel + ")"},
	}, cassetteFlags()...)
}

const providersCategory = "Providers"

// keyVariable is the default environment variable for a provider's key.
const keyVariable = "ATTEST_OPENAI_API_KEY"

// setting is a provider setting that the environment and a flag can override.
type setting struct {
	variable, flag string // flag is "" if only the variable exists
	want           string
	set            func(p *serve.Providers, value string) bool // false: invalid value
}

var settings = []setting{
	{"ATTEST_OPENAI_BASE_URL", "base-url", serve.WantBaseURL, func(p *serve.Providers, v string) bool {
		p.Judge.BaseURL, p.Embedding.BaseURL = v, v
		_, err := model.ReadBaseURL(v)
		return err == nil
	}},
	{"ATTEST_JUDGE_MODEL", "judge-model", serve.WantModel, func(p *serve.Providers, v string) bool {
		p.Judge.Model = v
		return v != ""
	}},
	{"ATTEST_EMBEDDING_MODEL", "embedding-model", serve.WantModel, func(p *serve.Providers, v string) bool {
		p.Embedding.Model = v
		return v != ""
	}},
	{"ATTEST_JUDGE_RPM", "", serve.WantUpTo(model.MaxRPM), func(p *serve.Providers, v string) (ok bool) {
		n, err := strconv.Atoi(v)
		p.Judge.RPM = n
		return err == nil && n > 0 && n <= model.MaxRPM
	}},
	{"ATTEST_JUDGE_TIMEOUT_S", "", "seconds, such as 30", func(p *serve.Providers, v string) bool {
		seconds, err := strconv.ParseFloat(v, 64)
		p.Judge.Timeout = time.Duration(seconds * float64(time.Second))
		return err == nil && seconds >= 0.001 && seconds <= 1e6
	}},
}

// refuse returns the error for an invalid value.
func (s *setting) refuse(where string) error {
	return &cmdline.UsageError{Message: "invalid value " + where, Hint: "write " + s.want}
}

// overrideProviders applies the environment and then the flags to the configuration. Messages do not repeat values,
// because they can be misplaced keys.
func overrideProviders(env cmdline.Env, c *cli.Context, p *serve.Providers) error {
	for _, s := range settings {
		if v := env.Getenv(s.variable); v != "" && !s.set(p, v) {
			return s.refuse("in " + s.variable)
		}
		if s.flag != "" && c.IsSet(s.flag) && !s.set(p, c.String(s.flag)) {
			return s.refuse("for --" + s.flag)
		}
	}
	return nil
}

type connection struct {
	ends     []func()
	cassette *provider.Cassette // nil: nothing is recorded
	dir      string             // of the cassette
	replays  bool               // recorded answers only
	sum      string             // digest of those that are replayed, or ""
}

func (n *connection) close() {
	for _, end := range n.ends {
		end()
	}
}

// connect configures the engine's providers: those with a key or base URL, or all for recorded answers. It makes no
// request. The connection is never nil and must be closed.
func connect(env cmdline.Env, c *cli.Context, config *serve.Config, log *slog.Logger) (*connection, error) {
	n := &connection{}
	if err := overrideProviders(env, c, &config.Providers); err != nil {
		return n, err
	}
	if err := overrideCassette(c, config); err != nil {
		return n, err
	}
	if err := checkVectorFolder(env, config); err != nil {
		return n, err
	}
	if err := n.insert(config); err != nil {
		return n, err
	}
	if err := n.pin(c); err != nil {
		return n, err
	}
	if err := checkTrust(env, c, config); err != nil && !n.replays {
		return n, err
	}
	if opt, configured := providerOptions(env, config.Providers.Judge, log); configured || n.replays {
		chat, err := provider.NewChat(opt)
		if err != nil {
			return n, err
		}
		config.Engine.Judge, n.ends = n.chat(chat), append(n.ends, chat.Close)
	}
	if opt, configured := providerOptions(env, config.Providers.Embedding, log); configured || n.replays {
		embedder, err := provider.NewEmbedder(opt)
		if err != nil {
			return n, err
		}
		n.ends = append(n.ends, embedder.Close)
		if config.Engine.Embedding, err = n.embedder(env, embedder, config, log); err != nil {
			return n, err
		}
	}
	return n, nil
}

// trustFlag returns --trust-config for a command without cupel.yaml.
func trustFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: app.TrustFlag, Category: category, Usage: "let an engine configuration in the checkout name hosts, headers and the variable with the key"}
}

// trustVariable replaces --trust-config for the SDKs, which start the engine without flags.
const trustVariable = "ATTEST_TRUST_CONFIG"

// checkTrust rejects security-relevant settings in a configuration file inside the checkout, because a pull request
// can change it: request destination, headers, and the variable of the key. A file outside of the checkout is
// trusted.
func checkTrust(env cmdline.Env, c *cli.Context, file *serve.Config) error {
	if file.File == "" || c.Bool(app.TrustFlag) || c.Command.Name == "serve" && c.IsSet("config") {
		return nil
	}
	if word := env.Getenv(trustVariable); word != "" {
		trusts, err := strconv.ParseBool(word)
		if err != nil {
			return &cmdline.UsageError{Message: fmt.Sprintf("invalid value %q in %s", word, trustVariable), Hint: "write true or false"}
		}
		if trusts {
			return nil
		}
	}
	if strange, err := config.InCheckout(file.File); err != nil || !strange {
		return err
	}
	hosted := env.Getenv("ATTEST_OPENAI_BASE_URL") != "" || c.IsSet("base-url")
	for _, from := range []struct {
		name string
		is   model.Service
	}{{"judge", file.Providers.Judge}, {"embedding", file.Providers.Embedding}} {
		key := ""
		switch {
		case from.is.KeyEnv != "" && from.is.KeyEnv != keyVariable:
			key = "api_key_env"
		case len(from.is.Headers) > 0:
			key = "headers"
		case from.is.BaseURL != "" && from.is.BaseURL != provider.DefaultBaseURL && !hosted:
			key = "base_url"
		default:
			continue
		}
		return &cmdline.Hinted{
			Err:  fmt.Errorf("%s: providers.%s.%s is not trusted: the file is in the checkout, where a pull request can change it", file.File, from.name, key),
			Hint: "--" + app.TrustFlag + " or " + trustVariable + "=true trusts the file; or set ATTEST_OPENAI_BASE_URL and ATTEST_OPENAI_API_KEY, or keep the file outside the checkout",
		}
	}
	return nil
}

// providerOptions adds the key from the environment.
func providerOptions(env cmdline.Env, s model.Service, log *slog.Logger) (opt provider.Options, configured bool) {
	s.KeyEnv = cmp.Or(s.KeyEnv, keyVariable)
	opt = provider.Options{Service: s, Key: env.Getenv(s.KeyEnv), Logger: log}
	return opt, opt.Key != "" || s.BaseURL != ""
}

// warningLog returns a log that prints warnings in cupel's message form.
func warningLog(env cmdline.Env) *slog.Logger {
	return slog.New(warner{env: env, one: new(sync.Mutex)})
}

// warner is the slog.Handler of warningLog.
type warner struct {
	env   cmdline.Env
	one   *sync.Mutex // models warn at once
	attrs []slog.Attr
}

func (w warner) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (w warner) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	add := func(a slog.Attr) bool {
		text += fmt.Sprintf(", %s %v", a.Key, a.Value)
		return true
	}
	for _, a := range w.attrs {
		add(a)
	}
	r.Attrs(add)
	w.one.Lock()
	defer w.one.Unlock()
	cmdline.Warn(w.env, text)
	return nil
}

func (w warner) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warner{w.env, w.one, append(w.attrs[:len(w.attrs):len(w.attrs)], attrs...)}
}

func (w warner) WithGroup(string) slog.Handler { return w }
