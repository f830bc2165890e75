package initcmd

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/buildinfo"
)

const projectFile = `# What cupel checks here, and how. "cupel help cli.md" explains the keys.
fail-on: error             # warning: also fail on warnings
# exclude: [drafts/]       # files to leave out, with patterns as in .gitignore
# require: [chain, end]    # what each log and evidence input must have
`

// hook returns the entry of the hook, for a list whose dashes are behind an indentation.
func hook(indent string) string {
	return indent + "- repo: https://github.com/cupel-dev/cupel\n" +
		indent + "  rev: v" + buildinfo.Version + "\n" +
		indent + "  hooks: [{id: cupel-check}]\n"
}

func hookFile() string { return "repos:\n" + hook("  ") }

func workflowFile() string {
	return `name: cupel
on: [push, pull_request]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: cupel-dev/cupel@v` + buildinfo.Version + `
        with:
          args: check
`
}

func job() string {
	return fmt.Sprintf(`
cupel:
  image: python:3-slim
  script:
    - pip install https://github.com/cupel-dev/cupel/releases/download/v%[1]s/cupel_cli-%[1]s-py3-none-manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl
    - code=0; cupel check --format text --format junit=cupel.xml --format gitlab=cupel-quality.json || code=$?
    - exit $code
  artifacts:
    when: always
    reports:
      junit: cupel.xml
      codequality: cupel-quality.json
`, buildinfo.Version)
}

// lines returns a hint with lines that the user has to add.
func lines(text string) error {
	return errors.New("it has a layout that cupel does not change; add these lines:\n" + strings.Trim(text, "\n"))
}

// appendHook adds the hook behind the last one. Everything before it, comments too, stays as it is.
func appendHook(old string) (string, error) {
	root := parse(old)
	n := len(root.Content)
	if n < 2 || root.Content[n-2].Value != "repos" {
		return "", lines(hook("  "))
	}
	repos := root.Content[n-1]
	if repos.Kind != yaml.SequenceNode || repos.Style&yaml.FlowStyle != 0 || len(repos.Content) == 0 {
		return "", lines(hook("  "))
	}
	added := ended(old) + hook(strings.Repeat(" ", repos.Column-1))
	after := parse(added)
	if len(after.Content) != n || !extends(after.Content[n-1], repos) || !sameNodes(after.Content[:n-1], root.Content[:n-1]) {
		return "", lines(hook("  "))
	}
	return added, nil
}

// appendJob adds a job at the end of a pipeline.
func appendJob(old string) (string, error) {
	root, added := parse(old), ended(old)+job()
	after := parse(added)
	if root.Kind != yaml.MappingNode || len(root.Content) == 0 || !extends(after, root) {
		return "", lines(job())
	}
	return added, nil
}

// parse returns the root of a text with one document, or an empty node.
func parse(text string) *yaml.Node {
	loader, err := yaml.NewLoader(strings.NewReader(text))
	var doc, second yaml.Node
	if err != nil || loader.Load(&doc) != nil || len(doc.Content) == 0 || loader.Load(&second) == nil {
		return &yaml.Node{}
	}
	return doc.Content[0]
}

// extends reports whether a collection begins with all members of another one, and has more.
func extends(n, before *yaml.Node) bool {
	return n.Kind == before.Kind && len(n.Content) > len(before.Content) && sameNodes(n.Content[:len(before.Content)], before.Content)
}

func sameNodes(a, b []*yaml.Node) bool {
	values := func(list []*yaml.Node) (out []any) {
		for _, n := range list {
			var v any
			if n.Decode(&v) != nil {
				return []any{n}
			}
			out = append(out, v)
		}
		return out
	}
	return reflect.DeepEqual(values(a), values(b))
}

// ended returns a text whose last line is complete.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
