package serve

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/attest"
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
limits:
  max_trace_size_bytes: 1
  max_steps_per_trace: 2
  max_output_chars: 3
  max_step_result_bytes: 4
  max_sub_trace_depth: 5
  max_json_depth: 6
  max_values: 7
  max_compiled_bytes: 8
`
	want := Config{LogLevel: "debug", Options: Options{Concurrent: 8, Memory: 9, Engine: attest.Options{
		Lax: true, AssertionErrorsAsResults: true, NoShortCircuit: true, Timeout: 10 * time.Second,
		Limits: attest.Limits{TraceBytes: 1, Steps: 2, OutputChars: 3, ResultBytes: 4, SubTraceDepth: 5, JSONDepth: 6, Values: 7, Compiled: 8},
	}}}
	got, err := ParseConfig([]byte(text))
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if got, err := ParseConfig(nil); err != nil || got != (Config{}) {
		t.Errorf("an empty file is %+v, %v", got, err)
	}
}

func TestConfigFaults(t *testing.T) {
	for text, want := range map[string]string{
		"validation: loose":                `1:13: validation must be strict or lax, got "loose"`,
		"max_concurrent: 0":                `1:17: max_concurrent must be a whole number from 1 to 1073741824, got "0"`,
		"eval_timeout: -1s":                `1:15: eval_timeout must be a duration such as 30s, got "-1s"`,
		"log: info":                        "1:6: expected a mapping of keys to values",
		"log: {level: loud}":               `1:14: level must be debug, info, warn or error, got "loud"`,
		"validatio: lax":                   `1:1: unknown key "validatio" (did you mean "validation"?)`,
		"zzz: 1":                           `1:1: unknown key "zzz"; known: validation, assertion_errors, short_circuit, eval_timeout, max_concurrent, max_memory_bytes, log, limits`,
		"validation: lax\nvalidation: lax": `2:1: key "validation" occurs twice`,
		"{}\n---\n{}":                      "1:1: more than one document; a configuration is one",
		"log: {level: info":                "2:1: invalid YAML: did not find expected ',' or '}' while parsing a flow mapping that begins in line 1",
		"\xff":                             "1:1: invalid YAML: invalid leading UTF-8 octet (value: 255)",
	} {
		_, err := ParseConfig([]byte(text))
		var fault *ConfigError
		if !errors.As(err, &fault) || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
