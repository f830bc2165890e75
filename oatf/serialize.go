package oatf

import (
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Serialize writes a document as YAML 1.2 (§3.4): block style, "oatf" first, fields in the specification's order,
// extension fields after the key that they followed, and no ambiguous scalars. It does not add defaults; use
// Normalize first for the expanded form. Parse returns the same document, if Limits suffice and, for a document
// that does not show its revision, the revision is given. Invalid UTF-8, which Parse never returns, is replaced.
func Serialize(doc *model.Document) []byte {
	return yamltext.Write(documentTree(doc))
}

func documentTree(d *model.Document) model.Object {
	var f fields
	f.value("oatf", d.OATF)
	f.text("$schema", d.Schema)
	f.value("attack", attackTree(&d.Attack, revision.Of(d.Revision).Keys))
	return f.list
}

// fields collects the members of an object, without absent ones.
type fields struct{ list model.Object }

func (f *fields) value(key string, v model.Value) {
	f.list = append(f.list, model.Member{Key: key, Value: v})
}

func (f *fields) present(key string, v model.Value) {
	if v != nil {
		f.value(key, v)
	}
}

func (f *fields) text(key string, s *string) { scalar(f, key, s) }

func (f *fields) integer(key string, n *int64) {
	if n != nil {
		f.value(key, model.Number(strconv.FormatInt(*n, 10)))
	}
}

// scalar adds an optional string of any string type.
func scalar[S ~string](f *fields, key string, s *S) {
	if s != nil {
		f.value(key, string(*s))
	}
}

func sequence[T any](f *fields, key string, items []T, tree func(*T) model.Value) {
	if items == nil {
		return
	}
	list := make([]model.Value, len(items))
	for i := range items {
		list[i] = tree(&items[i])
	}
	f.value(key, list)
}

// texts adds an optional list of strings of any string type.
func texts[S ~string](f *fields, key string, items []S) {
	sequence(f, key, items, func(s *S) model.Value { return string(*s) })
}

// with inserts the extension fields after the keys that they followed.
func (f *fields) with(extensions model.Extensions) model.Object {
	if len(extensions) == 0 {
		return f.list
	}
	out := make(model.Object, 0, len(f.list)+len(extensions))
	out = appendAfter(out, extensions, func(after string) bool { return after == "" })
	for _, m := range f.list {
		out = append(out, m)
		out = appendAfter(out, extensions, func(after string) bool { return after == m.Key })
	}
	return appendAfter(out, extensions, func(after string) bool {
		return after != "" && !slices.ContainsFunc(f.list, func(m model.Member) bool { return m.Key == after })
	})
}

func appendAfter(out model.Object, e model.Extensions, here func(after string) bool) model.Object {
	for i := range e {
		if here(e[i].After) {
			out = append(out, model.Member{Key: e[i].Key, Value: e[i].Value})
		}
	}
	return out
}

func attackTree(a *model.Attack, keys profile.Keys) model.Object {
	var f fields
	f.text("id", a.ID)
	f.text("name", a.Name)
	f.integer("version", a.Version)
	scalar(&f, "status", a.Status)
	scalar(&f, "created", a.Created)
	scalar(&f, "modified", a.Modified)
	f.text("author", a.Author)
	f.text("description", a.Description)
	scalar(&f, "grace_period", a.GracePeriod)
	f.present("severity", severityTree(a.Severity))
	texts(&f, "impact", a.Impact)
	f.present("classification", classificationTree(a.Classification))
	sequence(&f, "references", a.References, referenceTree)
	f.value("execution", executionTree(&a.Execution))
	sequence(&f, "indicators", a.Indicators, func(ind *model.Indicator) model.Value { return indicatorTree(ind, keys) })
	if a.Correlation != nil {
		var c fields
		scalar(&c, "logic", a.Correlation.Logic)
		f.value("correlation", c.list)
	}
	return f.with(a.Extensions)
}

func severityTree(s *model.Severity) model.Value {
	if s == nil {
		return nil
	}
	if s.Scalar {
		return string(s.Level)
	}
	var f fields
	f.value("level", string(s.Level))
	f.integer("confidence", s.Confidence)
	return f.list
}

func classificationTree(c *model.Classification) model.Value {
	if c == nil {
		return nil
	}
	var f fields
	scalar(&f, "category", c.Category)
	sequence(&f, "mappings", c.Mappings, frameworkMappingTree)
	texts(&f, "tags", c.Tags)
	return f.list
}

func frameworkMappingTree(m *model.FrameworkMapping) model.Value {
	var f fields
	f.value("framework", string(m.Framework))
	f.value("id", m.ID)
	f.text("name", m.Name)
	f.text("url", m.URL)
	scalar(&f, "relationship", m.Relationship)
	return f.list
}

func referenceTree(r *model.Reference) model.Value {
	var f fields
	f.value("url", r.URL)
	f.text("title", r.Title)
	f.text("description", r.Description)
	return f.list
}
