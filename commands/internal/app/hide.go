package app

import (
	"sync"

	"github.com/cupel-dev/cupel/internal/secrets"
)

// Hider returns a function for [report.Run.Hide]: it hides what a set of rules finds in a text.
func Hider(rules func() (*secrets.Set, error)) func(text string) string {
	var mu sync.Mutex
	var scanner *secrets.Scanner
	return func(text string) string {
		mu.Lock()
		defer mu.Unlock()
		if scanner == nil {
			set, err := rules()
			if err != nil {
				return secrets.Stars
			}
			scanner = secrets.NewScanner(set)
		}
		hidden, _ := scanner.Redact([]byte(text), nil, nil)
		return string(hidden)
	}
}
