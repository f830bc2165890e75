package serve

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/attest/model"
)

// Providers are the model services in a configuration.
type Providers struct {
	Judge     model.Service // of layer 6
	Embedding model.Service // of layer 5
}

// variable matches names of environment variables.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func serviceKeys(of func(*Config) *model.Service) []configKey {
	return []configKey{
		{name: "base_url", want: WantBaseURL, private: true, set: func(c *Config, v string) bool {
			of(c).BaseURL = v
			_, err := model.ReadBaseURL(v)
			return err == nil
		}},
		{name: "model", want: WantModel, set: func(c *Config, v string) bool {
			of(c).Model = v
			return v != ""
		}},
		{name: "api_key_env", want: "the name of the environment variable that holds the key", private: true, set: func(c *Config, v string) bool {
			of(c).KeyEnv = v
			return variable.MatchString(v)
		}},
		{name: "headers", private: true, each: func(c *Config, name string, value *yaml.Node) error { return readHeader(of(c), name, value) }},
		{name: "timeout", want: "a duration such as 20s", set: func(c *Config, v string) bool {
			d, err := time.ParseDuration(v)
			of(c).Timeout = d
			return err == nil && d > 0
		}},
		{name: "rpm", want: WantUpTo(model.MaxRPM), set: wholeTo(model.MaxRPM, func(c *Config) *int { return &of(c).RPM })},
		{name: "concurrency", want: WantUpTo(model.MaxConcurrency), set: wholeTo(model.MaxConcurrency, func(c *Config) *int { return &of(c).Concurrency })},
		{name: "prices", each: func(c *Config, name string, value *yaml.Node) error { return readPrice(of(c), name, value) }},
	}
}

// headerName matches names of headers.
var headerName = regexp.MustCompile(`^[A-Za-z0-9!#$%&'*+.^_|~-]+$`)

// readHeader reads a header to be sent with every call.
func readHeader(s *model.Service, name string, value *yaml.Node) error {
	printable := value.Kind == yaml.ScalarNode && !strings.ContainsFunc(value.Value, func(r rune) bool { return r < ' ' || r > '~' })
	if !headerName.MatchString(name) || !printable {
		return configFault(value, "expected the name of a header and a value of printable ASCII")
	}
	if s.Headers == nil {
		s.Headers = map[string]string{}
	}
	s.Headers[name] = value.Value
	return nil
}

func readPrice(s *model.Service, name string, value *yaml.Node) error {
	var price model.Price
	keys := []configKey{
		{name: "input", want: wantPrice, set: func(_ *Config, v string) bool { return readUSD(v, &price.Input) }},
		{name: "output", want: wantPrice, set: func(_ *Config, v string) bool { return readUSD(v, &price.Output) }},
	}
	if err := new(Config).read(value, keys); err != nil {
		return err
	}
	if s.Prices == nil {
		s.Prices = map[string]model.Price{}
	}
	s.Prices[name] = price
	return nil
}

const (
	wantPrice = "USD per million tokens, a number from 0 to 1000000"
	maxPrice  = 1e6
)

func readUSD(text string, into *float64) bool {
	f, err := strconv.ParseFloat(text, 64)
	*into = f
	return err == nil && f >= 0 && f <= maxPrice && !math.Signbit(f) && !strings.ContainsAny(text, "xX_")
}

// readEach reads a mapping whose keys are names chosen by the user.
func (c *Config) readEach(node *yaml.Node, each func(*Config, string, *yaml.Node) error) error {
	if node.Kind != yaml.MappingNode {
		return configFault(node, "expected a mapping of names to values")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name := node.Content[i]
		switch {
		case name.Kind != yaml.ScalarNode || name.Value == "":
			return configFault(name, "expected a name")
		case seen[name.Value]:
			return configFault(name, fmt.Sprintf("key %q occurs twice", wording.Preview(name.Value)))
		}
		seen[name.Value] = true
		if err := each(c, name.Value, node.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// Requirements on provider settings, wherever they are set.
const (
	WantBaseURL = "a base URL such as http://localhost:11434/v1, without credentials and #"
	WantModel   = "the name of a model"
)

// WantUpTo describes a valid number.
func WantUpTo(most int) string { return fmt.Sprintf("a whole number from 1 to %d", most) }
