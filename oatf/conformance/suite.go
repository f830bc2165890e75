package conformance

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// Recognition is a suite's revision and the evidence for it.
type Recognition struct {
	Revision oatf.Revision
	Why      string // "it has primitives/extract-protocol", used after "because"
}

// Recognize detects a suite's revision by the first applicable criterion:
//
//   - a kind of fixture for a function of only one revision;
//   - a kind introduced by a revision's published suite, the latest of several;
//   - the marks of documents and indicators in the fixtures: the most frequent
//     revision, the latest of several.
//
// Without evidence it is the oldest revision, as for a document. The order of files does not matter. The error
// reports an unreadable file or is ctx's; files without cases or documents have no marks.
func Recognize(ctx context.Context, root fs.FS) (Recognition, error) {
	kinds := map[string]bool{}
	err := walk(root, func(name string) error {
		kinds[kindOf(name)] = true
		return ctx.Err()
	})
	if err != nil {
		return Recognition{}, err
	}
	for _, telling := range []func(*profile.Profile) []string{
		func(p *profile.Profile) []string { return p.Suite.Only },
		func(p *profile.Profile) []string { return p.Suite.First },
	} {
		for _, p := range slices.Backward(revision.All) {
			list := telling(p)
			if i := slices.IndexFunc(list, func(kind string) bool { return kinds[kind] }); i >= 0 {
				return Recognition{p.Revision, "it has " + list[i]}, nil
			}
		}
	}
	return byMarks(ctx, root)
}

// byMarks counts the documents and indicators by the revision that their marks show.
func byMarks(ctx context.Context, root fs.FS) (Recognition, error) {
	counts := make([]int, len(revision.All))
	err := walk(root, func(name string) error {
		text, err := readFile(root, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, doc := range documents(name, text) {
			if p, signs := revision.Recognize(doc); len(signs) > 0 {
				counts[slices.Index(revision.All, p)]++
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return Recognition{}, err
	}
	most := slices.Max(counts)
	for i, p := range slices.Backward(revision.All) {
		if most > 0 && counts[i] == most {
			return Recognition{p.Revision, "most documents of the suite have this revision"}, nil
		}
	}
	return Recognition{revision.All[0].Revision, "the suite does not show its revision"}, nil
}

// documents returns a file's documents: the file itself, the cases' texts, or a document for a case's indicator.
func documents(name string, text []byte) (docs []*yaml.Node) {
	source, err := yamltext.ReadAudited(text)
	if err != nil {
		return nil
	}
	if isDocument(name) {
		return []*yaml.Node{source.Root}
	}
	for _, entry := range source.Root.Content {
		input := member(entry, "input")
		switch indicator := member(input, "indicator"); {
		case indicator != nil:
			docs = append(docs, documentOf(indicator))
		case input != nil && input.Kind == yaml.ScalarNode:
			if inner, err := yamltext.ReadAudited([]byte(input.Value)); err == nil {
				docs = append(docs, inner.Root)
			}
		}
	}
	return docs
}

// member returns the value of a key, or nil.
func member(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func documentOf(indicator *yaml.Node) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{indicator}}
	return mapping("attack", mapping("indicators", list))
}

func mapping(key string, value *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: key}, value}}
}
