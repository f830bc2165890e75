package serve

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
)

func TestConfig(t *testing.T) {
	const text = `
validation: lax
assertion_errors: result
short_circuit: false
eval_timeout: 10s
max_concurrent: 8
max_memory_bytes: 9
log: {level: debug}
history: scores.jsonl
limits:
  max_trace_size_bytes: 1
  max_steps_per_trace: 2
  max_output_chars: 3
  max_step_result_bytes: 4
  max_sub_trace_depth: 5
  max_json_depth: 6
  max_values: 7
  max_compiled_bytes: 8
cassette: {mode: replay, dir: tape}
cache_dir: vectors
providers:
  judge:
    base_url: http://localhost:11434/v1
    model: llama3
    api_key_env: MY_KEY
    timeout: 5s
    rpm: 9
    concurrency: 10
    prices: {llama3: {input: 0.5, output: 2}, "free": {}}
  embedding: {model: e5}
`
	judge := model.Service{
		BaseURL: "http://localhost:11434/v1", Model: "llama3", KeyEnv: "MY_KEY", Timeout: 5 * time.Second, RPM: 9, Concurrency: 10,
		Prices: map[string]model.Price{"llama3": {Input: 0.5, Output: 2}, "free": {}},
	}
	want := Config{LogLevel: "debug", Cassette: Cassette{Replay, "tape"}, CacheDir: "vectors", History: "scores.jsonl", Providers: Providers{judge, model.Service{Model: "e5"}}, Places: Places{CassetteMode: Place{19, 18}, CacheDir: Place{20, 12}}, Options: Options{Concurrent: 8, Memory: 9, Engine: attest.Options{
		Lax: true, AssertionErrorsAsResults: true, NoShortCircuit: true, Timeout: 10 * time.Second,
		Limits: attest.Limits{TraceBytes: 1, Steps: 2, OutputChars: 3, ResultBytes: 4, SubTraceDepth: 5, JSONDepth: 6, Values: 7, Compiled: 8},
	}}}
	got, err := ParseConfig([]byte(text))
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if got, err := ParseConfig(nil); err != nil || !cmp.Equal(got, Config{}) {
		t.Errorf("an empty file is %+v, %v", got, err)
	}
}

func TestConfigFaults(t *testing.T) {
	for text, want := range map[string]string{
		"validation: loose":                               `1:13: validation must be strict or lax, got "loose"`,
		"max_concurrent: 0":                               `1:17: max_concurrent must be a whole number from 1 to 1073741824, got "0"`,
		"eval_timeout: -1s":                               `1:15: eval_timeout must be a duration such as 30s, got "-1s"`,
		"providers: {judge: {api_key: sk-secret}}":        `1:21: unknown key "api_key" (did you mean "api_key_env"?)`,
		"providers: {judge: {api_key_env: sk-secret}}":    "1:34: api_key_env must be the name of the environment variable that holds the key",
		"providers: {judge: {base_url: 'http://u:p@h/'}}": "1:31: base_url must be a base URL such as http://localhost:11434/v1, without credentials and #",
		"providers: {judge: {base_url: 'file:///x'}}":     "1:31: base_url must be a base URL such as http://localhost:11434/v1, without credentials and #",
		"providers: {judge: {rpm: 1000001}}":              `1:26: rpm must be a whole number from 1 to 1000000, got "1000001"`,
		"providers: {judge: {model: ''}}":                 `1:28: model must be the name of a model, got ""`,
		"providers: {judge: {timeout: 5}}":                `1:30: timeout must be a duration such as 20s, got "5"`,
		"providers: {judge: {prices: {m: 3}}}":            "1:33: expected a mapping of keys to values",
		"providers: {judge: {prices: [m]}}":               "1:29: expected a mapping of names to values",
		"providers: {judge: {prices: {m: {input: -1}}}}":  `1:41: input must be USD per million tokens, a number from 0 to 1000000, got "-1"`,
		"providers: {judge: {prices: {m: {input: NaN}}}}": `1:41: input must be USD per million tokens, a number from 0 to 1000000, got "NaN"`,
		"providers: {judge: {prices: {m: {}, m: {}}}}":    `1:37: key "m" occurs twice`,
		"cassette: {mode: relive}":                        `1:18: mode must be live, record or replay, got "relive"`,
		"cache_dir: ''":                                   `1:12: cache_dir must be the name of a folder, got ""`,
		"cassette: {dir: ''}":                             `1:17: dir must be the name of a folder, got ""`,
		"log: info":                                       "1:6: expected a mapping of keys to values",
		"log: {level: loud}":                              `1:14: level must be debug, info, warn or error, got "loud"`,
		"validatio: lax":                                  `1:1: unknown key "validatio" (did you mean "validation"?)`,
		"zzz: 1":                                          `1:1: unknown key "zzz"; known: validation, assertion_errors, short_circuit, eval_timeout, max_concurrent, max_memory_bytes, log, history, limits, cassette, cache_dir, providers`,
		"validation: lax\nvalidation: lax":                `2:1: key "validation" occurs twice`,
		"{}\n---\n{}":                                     "1:1: the configuration has more than one document, expected one",
		"log: {level: info":                               "2:1: invalid YAML: did not find expected ',' or '}' while parsing a flow mapping that begins in line 1",
		"\xff":                                            "1:1: invalid YAML: invalid leading UTF-8 octet (value: 255)",
	} {
		_, err := ParseConfig([]byte(text))
		var fault *ConfigError
		if !errors.As(err, &fault) || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestBelow: a name is below the folder of the configuration, unless it says where it is.
func TestBelow(t *testing.T) {
	for dir, want := range map[string]string{"": "", "tape": "a/b/tape", "../tape": "a/tape", "/tape": "/tape"} {
		c := Config{Cassette: Cassette{Dir: dir}, CacheDir: dir, History: dir}
		if c.Below("a/b"); c.Cassette.Dir != want || c.CacheDir != want || c.History != want {
			t.Errorf("%s is %s, %s and %s, want %s", dir, c.Cassette.Dir, c.CacheDir, c.History, want)
		}
	}
}
