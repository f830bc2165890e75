package simulate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/model"
)

// generatable is what may be generated in one place of the state: an object with at least one
// of the members whose values are checked. Members of other names may come with them.
type generatable struct {
	content map[string]func(oatf.Value) error
	other   []string
}

// What the protocol bindings expect (format §7.1.1, §7.2.1, §7.3.1).
var (
	toolAnswer   = generatable{content: map[string]func(oatf.Value) error{"content": listOf(contentItem)}, other: []string{"structuredContent", "isError"}}
	promptAnswer = generatable{content: map[string]func(oatf.Value) error{"messages": listOf(promptMessage)}}
	sampled      = generatable{content: map[string]func(oatf.Value) error{"content": sampledMessage}}
	elicited     = generatable{content: map[string]func(oatf.Value) error{"content": mapping}, other: []string{"action"}}
	taskAnswer   = generatable{content: map[string]func(oatf.Value) error{"messages": listOf(taskMessage), "artifacts": listOf(artifact)}, other: []string{"status"}}
	taskInput    = generatable{content: map[string]func(oatf.Value) error{"parts": listOf(typed)}, other: []string{"role", "messageId"}}
	agentInput   = generatable{content: map[string]func(oatf.Value) error{"messages": listOf(agentMessage)}, other: []string{"tools", "state", "forwardedProps", "threadId", "runId"}}
)

// check says what is wrong with what was generated.
func (g *generatable) check(v oatf.Value) error {
	object, ok := v.(model.Object)
	if !ok {
		return errors.New("the provider generated " + describe(v) + ", expected an object")
	}
	some := false
	for _, m := range object {
		check, content := g.content[m.Key]
		if !content {
			if !slices.Contains(g.other, m.Key) {
				return fmt.Errorf("the provider generated %q, which has no place here", m.Key)
			}
			continue
		}
		some = true
		if err := check(m.Value); err != nil {
			return fmt.Errorf("the provider generated a wrong %s: %w", m.Key, err)
		}
	}
	if !some {
		var keys []string
		for key := range g.content {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		return errors.New("the provider generated no " + strings.Join(keys, " or "))
	}
	return nil
}

// complete puts what was generated beside what the document states, or says what is wrong with
// it.
func (g *generatable) complete(stated model.Object, v oatf.Value) (oatf.Value, error) {
	if err := g.check(v); err != nil {
		return nil, err
	}
	generated := v.(model.Object)
	for _, m := range generated {
		if _, there := stated.Get(m.Key); there {
			return nil, fmt.Errorf("the provider generated %q, which the document states", m.Key)
		}
	}
	return append(slices.Clip(stated), generated...), nil
}

func listOf(check func(oatf.Value) error) func(oatf.Value) error {
	return func(v oatf.Value) error {
		list, ok := v.([]oatf.Value)
		if !ok {
			return errors.New("expected a list, found " + describe(v))
		}
		for i := range list {
			if err := check(list[i]); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return nil
	}
}

func mapping(v oatf.Value) error {
	if _, ok := v.(model.Object); !ok {
		return errors.New("expected an object, found " + describe(v))
	}
	return nil
}

// oneOf wants an object whose member is one of some texts, or any text when there are none.
func oneOf(v oatf.Value, key string, texts ...string) error {
	if err := mapping(v); err != nil {
		return err
	}
	text, ok := member[string](v.(model.Object), key)
	switch {
	case !ok:
		return fmt.Errorf("expected a text as %s", key)
	case len(texts) > 0 && !slices.Contains(texts, text):
		return fmt.Errorf("%s is %q, expected %s", key, text, strings.Join(texts, ", "))
	}
	return nil
}

func typed(v oatf.Value) error { return oneOf(v, "type") }

func contentItem(v oatf.Value) error {
	return oneOf(v, "type", "text", "image", "audio", "resource", "resource_link")
}

func promptMessage(v oatf.Value) error {
	if err := oneOf(v, "role", "user", "assistant"); err != nil {
		return err
	}
	content, _ := v.(model.Object).Get("content")
	return inMember("content", contentItem(content))
}

func sampledMessage(v oatf.Value) error {
	if err := oneOf(v, "role", "user", "assistant"); err != nil {
		return err
	}
	content, _ := v.(model.Object).Get("content")
	return inMember("content", oneOf(content, "type", "text", "image", "audio"))
}

func taskMessage(v oatf.Value) error {
	if err := oneOf(v, "role", "agent", "user"); err != nil {
		return err
	}
	return artifact(v)
}

func artifact(v oatf.Value) error {
	if err := mapping(v); err != nil {
		return err
	}
	parts, _ := v.(model.Object).Get("parts")
	return inMember("parts", listOf(typed)(parts))
}

func agentMessage(v oatf.Value) error {
	return oneOf(v, "role", "user", "assistant", "system", "tool")
}

func inMember(key string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// describe names the type of a value.
func describe(v oatf.Value) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a text"
	case model.Number:
		return "a number"
	case []oatf.Value:
		return "a list"
	}
	return "an object"
}
