// Package parse turns the nodes of an OATF text into its model (SDK specification §3.1).
// It checks types, required fields and closed enumerations; what depends on context is
// the validator's business.
package parse

import (
	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Options tune Document.
type Options struct {
	Limits        model.Limits
	UnknownFields model.UnknownFields
	Revision      model.Revision // "": told by the marks of the document
}

// Document reads the text of a document. The error, when there is one, is a
// model.ParseErrors with every fault that could be found; the document is returned beside
// it when the text is YAML and its root a mapping.
func Document(input []byte, o Options) (*model.Document, error) {
	source, fault := yamltext.Read(input, o.Limits)
	if fault != nil {
		return nil, model.ParseErrors{fault}
	}
	r := &reading{faults: yamltext.NewFaults(source), unknown: o.UnknownFields}
	root := node{reading: r, yaml: source.Root, index: whole}
	if source.Root.Kind != yaml.MappingNode {
		return nil, model.ParseErrors{root.notMapping()}
	}
	yamltext.Audit(r.faults)
	if r.profile, source.Signs = revision.Recognize(source.Root); o.Revision != "" {
		r.profile = revision.Of(o.Revision)
	}
	doc := readDocument(root)
	doc.Origin, doc.Revision = source, r.profile.Revision
	if len(r.faults.All()) == 0 {
		return doc, nil
	}
	source.Faults = r.faults.Sorted()
	return doc, model.ParseErrors(source.Faults)
}
