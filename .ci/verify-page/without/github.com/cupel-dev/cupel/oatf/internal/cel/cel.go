// Package cel stands in for the package of that name: verify.html evaluates no OATF document.
package cel

import "errors"

type Problem struct{ Message, Name string }

func Cost(expression string) int          { return len(expression) }
func Check(string) error                  { return errors.ErrUnsupported }
func Problems(string, []string) []Problem { return nil }
func Paths(string) ([]string, bool)       { return nil, false }
