// Package parse converts an OATF text's nodes to the model (SDK specification §3.1). It checks
// types, required fields and closed enumerations; the validator checks the rest.
package parse

import (
	"reflect"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/keytable"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Options tune Document.
type Options struct {
	Limits        model.Limits
	UnknownFields model.UnknownFields
	Revision      model.Revision // "": detected from the document
}

// Document parses a document. The error is a model.ParseErrors with all faults found; the document
// is also returned if the text is YAML with a mapping at the root.
func Document(input []byte, o Options) (*model.Document, error) {
	source, fault := yamltext.Read(input, o.Limits)
	if fault != nil {
		return nil, model.ParseErrors{fault}
	}
	r := &parser{faults: yamltext.NewFaults(source), unknown: o.UnknownFields}
	root := node{parser: r, yaml: source.Root, index: whole}
	if source.Root.Kind != yaml.MappingNode {
		return nil, model.ParseErrors{root.notMapping()}
	}
	yamltext.Audit(r.faults)
	if r.profile, source.Signs = revision.Recognize(source.Root); o.Revision != "" {
		r.profile = revision.Of(o.Revision)
	}
	doc := &model.Document{Origin: source, Revision: r.profile.Revision}
	root.read(reflect.ValueOf(doc).Elem(), keytable.Document)
	if len(r.faults.All()) == 0 {
		return doc, nil
	}
	source.Faults = r.faults.Sorted()
	return doc, model.ParseErrors(source.Faults)
}
