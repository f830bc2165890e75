package model

import "time"

// Service is what a configuration says of a service of models. Zero fields leave the choice to
// whoever asks it.
type Service struct {
	BaseURL     string           // http or https, without credentials; the names of the calls are appended
	Model       string           // for requests that name none
	KeyEnv      string           // the environment variable that holds the key; the key itself is nowhere here
	Timeout     time.Duration    // of one attempt
	RPM         int              // attempts per minute, at most
	Concurrency int              // calls at once, at most
	Prices      map[string]Price // by the name of the model
}

// Price is what a model costs.
type Price struct {
	Input, Output float64 // USD per million tokens
}
