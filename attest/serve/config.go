package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/internal/yamlfault"
)

// Config is the configuration file of an engine, in YAML or JSON. Every key is optional.
//
//	validation: strict            # or lax: tolerate unknown step types
//	assertion_errors: error       # or result: an invalid assertion is a hard_fail result
//	short_circuit: true           # false: layers 5–6 run also after a hard failure in 1–4
//	eval_timeout: 30s             # per batch
//	max_concurrent: 64            # requests evaluated at once
//	max_memory_bytes: 134217728   # for concurrent requests, estimated; others wait
//	log: {level: info}            # debug, info, warn, error
//	limits:
//	  max_trace_size_bytes: 10485760
//	  max_steps_per_trace: 10000
//	  max_output_chars: 500000
//	  max_step_result_bytes: 1048576
//	  max_sub_trace_depth: 5
//	  max_json_depth: 1000
//	  max_values: 1000000         # per request or single trace
//	  max_compiled_bytes: 67108864 # memory of a request's assertions, estimated
//	cache_dir: vectors            # stores layer 5 vectors; relative to the file's folder
//	history: history.jsonl        # stores scores; relative to the file's folder
//	cassette: {mode: live, dir: cassettes} # or record, replay; relative to the file's folder
//	providers:
//	  judge:                      # and embedding, with the same keys
//	    base_url: https://api.openai.com/v1
//	    model: gpt-4.1-mini
//	    api_key_env: ATTEST_OPENAI_API_KEY # variable with the key
//	    timeout: 30s              # per attempt
//	    rpm: 600                  # attempts per minute; default unlimited
//	    concurrency: 64           # concurrent calls
//	    prices: {gpt-4.1-mini: {input: 0.40, output: 1.60}} # USD per million tokens
type Config struct {
	Options
	LogLevel  string // "" when the file does not say
	Providers Providers
	Cassette  Cassette
	CacheDir  string // keeps vectors for later runs; "": no folder does
	History   string // the name of the file; "": none is kept

	File   string // path as the user knows it, set by the reader
	Places Places
}

// Places are positions of settings that are checked later.
type Places struct{ CassetteMode, CacheDir Place }

// Place is the position of a setting, 1-based; zero if absent.
type Place struct{ Line, Column int }

// At returns an error with its position in the file, or the error alone if the position is unknown.
func (c *Config) At(p Place, err error) error {
	if p == (Place{}) {
		return err
	}
	return fmt.Errorf("%s:%d:%d: %w", c.File, p.Line, p.Column, err)
}

// ConfigError is an error in a configuration file, with its position.
type ConfigError struct {
	Line, Column int // 1-based
	Message      string
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
}

// ParseConfig parses a configuration file. Unknown and repeated keys and wrong types are errors, of
// type *ConfigError.
func ParseConfig(text []byte) (Config, error) {
	var c Config
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return c, configSyntax(err)
	}
	var doc yaml.Node
	if err := loader.Load(&doc); errors.Is(err, io.EOF) {
		return c, nil // an empty file: the defaults
	} else if err != nil {
		return c, configSyntax(err)
	}
	if err := loader.Load(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return c, &ConfigError{doc.Line, doc.Column, "the configuration has more than one document, expected one"}
	}
	return c, c.read(doc.Content[0], configKeys)
}

type configKey struct {
	name string
	want string                     // the values it takes, for the message
	set  func(*Config, string) bool // takes the value; false if it is not one of want
	keys []configKey                // or the keys of the mapping it holds

	each    func(c *Config, name string, value *yaml.Node) error // or what takes each member of the mapping it holds
	private bool                                                 // the value may hold a secret: no message repeats it
	place   func(*Config) *Place                                 // stores the position; can be nil
}

var configKeys = []configKey{
	{name: "validation", want: "strict or lax", set: func(c *Config, v string) bool {
		c.Engine.Lax = v == "lax"
		return v == "lax" || v == "strict"
	}},
	{name: "assertion_errors", want: "error or result", set: func(c *Config, v string) bool {
		c.Engine.AssertionErrorsAsResults = v == "result"
		return v == "result" || v == "error"
	}},
	{name: "short_circuit", want: "true or false", set: func(c *Config, v string) bool {
		c.Engine.NoShortCircuit = v == "false"
		return v == "false" || v == "true"
	}},
	{name: "eval_timeout", want: "a duration such as 30s", set: func(c *Config, v string) (ok bool) {
		d, err := time.ParseDuration(v)
		c.Engine.Timeout = d
		return err == nil && d > 0
	}},
	{name: "max_concurrent", want: wantWhole, set: whole(func(c *Config) *int { return &c.Concurrent })},
	{name: "max_memory_bytes", want: wantWhole, set: whole(func(c *Config) *int { return &c.Memory })},
	{name: "log", keys: []configKey{
		{name: "level", want: "debug, info, warn or error", set: func(c *Config, v string) bool {
			c.LogLevel = v
			return slices.Contains(LogLevels(), v)
		}},
	}},
	{name: "history", want: "the name of a file", set: func(c *Config, v string) bool {
		c.History = v
		return v != ""
	}},
	{name: "limits", keys: []configKey{
		{name: "max_trace_size_bytes", want: wantWhole, set: whole(func(c *Config) *int { return &c.Engine.Limits.TraceBytes })},
		{name: "max_steps_per_trace", want: wantWhole, set: whole(func(c *Config) *int { return &c.Engine.Limits.Steps })},
		{name: "max_output_chars", want: wantWhole, set: whole(func(c *Config) *int { return &c.Engine.Limits.OutputChars })},
		{name: "max_step_result_bytes", want: wantWhole, set: whole(func(c *Config) *int { return &c.Engine.Limits.ResultBytes })},
		{name: "max_sub_trace_depth", want: wantWhole, set: whole(func(c *Config) *int { return &c.Engine.Limits.SubTraceDepth })},
		{name: "max_json_depth", want: wantWhole, set: whole(func(c *Config) *int { return &c.Engine.Limits.JSONDepth })},
		{name: "max_values", want: wantWhole, set: whole(func(c *Config) *int { return &c.Engine.Limits.Values })},
		{name: "max_compiled_bytes", want: wantWhole, set: whole(func(c *Config) *int { return &c.Engine.Limits.Compiled })},
	}},
	{name: "cassette", keys: cassetteKeys},
	{name: "cache_dir", want: wantFolder, place: func(c *Config) *Place { return &c.Places.CacheDir }, set: func(c *Config, v string) bool {
		c.CacheDir = v
		return v != ""
	}},
	{name: "providers", keys: []configKey{
		{name: "judge", keys: serviceKeys(func(c *Config) *model.Service { return &c.Providers.Judge })},
		{name: "embedding", keys: serviceKeys(func(c *Config) *model.Service { return &c.Providers.Embedding })},
	}},
}

const wantWhole = "a whole number from 1 to 1073741824"

// MaxConfigured limits every number in a configuration, so that offsets and budgets do not overflow.
const MaxConfigured = 1 << 30

func whole(field func(*Config) *int) func(*Config, string) bool { return wholeTo(MaxConfigured, field) }

// wholeTo parses an integer from 1 to most.
func wholeTo(most int, field func(*Config) *int) func(*Config, string) bool {
	return func(c *Config, v string) bool {
		n, err := strconv.Atoi(v)
		*field(c) = n
		return err == nil && n > 0 && n <= most
	}
}

// read reads the keys of a mapping. It descends no deeper than configKeys.
func (c *Config) read(node *yaml.Node, known []configKey) error {
	if node.Kind != yaml.MappingNode {
		return configFault(node, "expected a mapping of keys to values")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		at := slices.IndexFunc(known, func(k configKey) bool { return k.name == key.Value })
		switch {
		case at < 0:
			return configFault(key, fmt.Sprintf("unknown key %q%s", wording.Preview(key.Value), configHint(key.Value, known)))
		case seen[key.Value]:
			return configFault(key, fmt.Sprintf("key %q occurs twice", key.Value))
		}
		seen[key.Value] = true
		if err := c.take(known[at], value); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) take(key configKey, value *yaml.Node) error {
	if key.keys != nil {
		return c.read(value, key.keys)
	}
	if key.each != nil {
		return c.readEach(value, key.each)
	}
	if value.Kind != yaml.ScalarNode || !key.set(c, value.Value) {
		problem := fmt.Sprintf("%s must be %s", key.name, key.want)
		if !key.private {
			problem += fmt.Sprintf(", got %q", wording.Preview(value.Value))
		}
		return configFault(value, problem)
	}
	if key.place != nil {
		*key.place(c) = Place{value.Line, value.Column}
	}
	return nil
}

// configSyntax returns the error for malformed YAML.
func configSyntax(err error) error {
	line, column, message := yamlfault.Of(err)
	return &ConfigError{max(line, 1), max(column, 1), message}
}

func configFault(n *yaml.Node, message string) error {
	return &ConfigError{n.Line, n.Column, message}
}

func configHint(name string, known []configKey) string {
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = k.name
	}
	if near := suggest.Nearest(name, names); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return "; known: " + wording.JoinNames(names)
}
