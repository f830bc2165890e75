package profile

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Shape describes the content that can be generated at a place of the state: an object with at least one of the
// checked members. Other members are allowed.
type Shape struct {
	Content map[string]Check
	Other   []string
	Whole   Check // of the object; nil: nothing more
}

// Check returns an error for invalid content.
type Check func(model.Value) error

// Complete merges generated and stated content, or returns why the result is invalid.
func (s *Shape) Complete(stated model.Object, v model.Value) (model.Value, error) {
	if err := s.check(v); err != nil {
		return nil, err
	}
	generated := v.(model.Object)
	for _, m := range generated {
		if _, there := stated.Get(m.Key); there {
			return nil, fmt.Errorf("the provider generated %q, which the document already gives", m.Key)
		}
	}
	return append(slices.Clip(stated), generated...), nil
}

func (s *Shape) check(v model.Value) error {
	object, ok := v.(model.Object)
	if !ok {
		return errors.New("the provider generated " + value.Describe(v) + ", expected an object")
	}
	some := false
	for _, m := range object {
		check, content := s.Content[m.Key]
		if !content {
			if !slices.Contains(s.Other, m.Key) {
				return fmt.Errorf("the provider generated %q, which is not allowed here", m.Key)
			}
			continue
		}
		some = true
		if err := check(m.Value); err != nil {
			return fmt.Errorf("the provider generated an invalid %s: %w", m.Key, err)
		}
	}
	if !some {
		return errors.New("the provider did not generate " + strings.Join(s.keys(), " or "))
	}
	if s.Whole == nil {
		return nil
	}
	if err := s.Whole(v); err != nil {
		return fmt.Errorf("the provider's response is not an answer: %w", err)
	}
	return nil
}

// keys returns the members. At least one of them is required.
func (s *Shape) keys() []string {
	keys := make([]string, 0, len(s.Content))
	for key := range s.Content {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// ListOf requires a list of valid values.
func ListOf(check Check) Check {
	return func(v model.Value) error {
		list, ok := v.([]model.Value)
		if !ok {
			return errors.New("expected a list, found " + value.Describe(v))
		}
		for i := range list {
			if err := check(list[i]); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return nil
	}
}

// Mapping requires an object.
func Mapping(v model.Value) error {
	if _, ok := v.(model.Object); !ok {
		return errors.New("expected an object, found " + value.Describe(v))
	}
	return nil
}

// Text requires a string.
func Text(v model.Value) error {
	if _, ok := v.(string); !ok {
		return errors.New("expected a text, found " + value.Describe(v))
	}
	return nil
}

// Named requires an object whose member is one of texts, or any string if texts is empty.
func Named(key string, texts ...string) Check {
	return func(v model.Value) error {
		if err := Mapping(v); err != nil {
			return err
		}
		member, _ := v.(model.Object).Get(key)
		text, ok := member.(string)
		switch {
		case !ok:
			return fmt.Errorf("expected a text as %s", key)
		case len(texts) > 0 && !slices.Contains(texts, text):
			return errors.New(say.Expected(key, strconv.Quote(text), strings.Join(texts, ", ")))
		}
		return nil
	}
}

// In requires an object whose member passes a check. A missing member counts as null.
func In(key string, check Check) Check {
	return func(v model.Value) error {
		if err := Mapping(v); err != nil {
			return err
		}
		member, _ := v.(model.Object).Get(key)
		if err := check(member); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		return nil
	}
}

// All requires a value to pass every check.
func All(checks ...Check) Check {
	return func(v model.Value) error {
		for _, check := range checks {
			if err := check(v); err != nil {
				return err
			}
		}
		return nil
	}
}

// Any requires a value to pass one of the checks. It returns the error of the first check.
func Any(checks ...Check) Check {
	return func(v model.Value) error {
		first := checks[0](v)
		for _, check := range checks {
			if check(v) == nil {
				return nil
			}
		}
		return first
	}
}

// Forms defined by the protocols in any revision.
var (
	ContentItem   = Named("type", "text", "image", "audio", "resource", "resource_link")
	SampledItem   = Named("type", "text", "image", "audio")
	PromptMessage = All(Named("role", "user", "assistant"), In("content", ContentItem))
	AgentMessage  = Named("role", "user", "assistant", "system", "tool")
)
