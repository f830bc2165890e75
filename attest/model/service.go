package model

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Service is the configuration of a model service. Zero fields mean the caller's choice.
type Service struct {
	BaseURL     string            // http or https, without credentials; the names of the calls are appended
	Model       string            // for requests that name none
	Headers     map[string]string // sent to the host of the base URL alone, next to the key
	KeyEnv      string            // the environment variable that holds the key; the key itself is nowhere here
	Timeout     time.Duration     // of one attempt
	RPM         int               // attempts per minute, at most
	Concurrency int               // calls at once, at most
	Prices      map[string]Price  // by the name of the model
}

// The greatest values of a Service. A pace keeps the time of each attempt of a minute.
const (
	MaxConcurrency = 4096
	MaxRPM         = 1_000_000
)

// Price is a model's price.
type Price struct {
	Input, Output float64 // USD per million tokens
}

// ReadBaseURL parses a base URL and removes a final slash. Errors do not repeat the text, which can contain a secret.
func ReadBaseURL(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	switch {
	case err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "":
		return nil, fmt.Errorf("a base URL is written like https://api.openai.com/v1 or http://localhost:11434/v1")
	case base.User != nil:
		return nil, fmt.Errorf("a base URL must not contain credentials: put the key in an environment variable")
	case base.Fragment != "" || base.ForceQuery:
		return nil, fmt.Errorf("end a base URL with its path, or with a query such as ?api-version=2024-10-21, without #: call names are appended to the path")
	}
	base.Path = strings.TrimRight(base.Path, "/")
	base.RawPath = strings.TrimRight(base.RawPath, "/")
	return base, nil
}
