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

// Recognition is which revision a suite is of, and what tells it.
type Recognition struct {
	Revision oatf.Revision
	Why      string // "it has primitives/extract-protocol", to stand behind "because"
}

// Recognize tells of which revision a suite is. The first of these that tells decides:
//
//   - a kind of fixture for a function that one revision alone has;
//   - a kind that the published suite of a revision is the first to have, of several
//     revisions the latest;
//   - the marks of the documents and indicators in the fixtures: the revision that most of
//     those with marks have, of several the latest.
//
// A suite that nothing tells is of the oldest revision, as a document without marks is. The
// order of files does not matter. An error says which file cannot be read, or is that of ctx; a
// file that is no list of cases, or holds documents that are none, has no marks.
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

// byMarks counts the documents and indicators of each revision that have marks of one.
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
			return Recognition{p.Revision, "most of its documents with marks of a revision have those of this one"}, nil
		}
	}
	return Recognition{revision.All[0].Revision, "nothing in it tells the revision"}, nil
}

// documents are the documents of a file: it is one itself, or its cases have them as text; a
// case with an indicator has a document of nothing else.
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

// member is the value of a key, nil when the node has none.
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

// documentOf is a document of one indicator alone.
func documentOf(indicator *yaml.Node) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{indicator}}
	return mapping("attack", mapping("indicators", list))
}

func mapping(key string, value *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: key}, value}}
}
