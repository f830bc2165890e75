package migrate

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// printer writes a value as YAML in drawn styles, with comments where YAML takes them.
type printer struct {
	*rapid.T
	strings.Builder
	remarks int
	step    int
}

func print(t *rapid.T, doc model.Object) string {
	p := &printer{T: t, step: rapid.IntRange(1, 4).Draw(t, "step")}
	p.members(doc, 0, false)
	text := p.String()
	return strings.ReplaceAll(text, "\n", rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end"))
}

func (p *printer) yes(label string) bool { return rapid.IntRange(0, 4).Draw(p.T, label) == 4 }

// tail ends a line, perhaps with a comment.
func (p *printer) tail() {
	if p.yes("tail") {
		p.WriteString(" " + p.remark())
	}
	p.WriteString("\n")
}

func (p *printer) remark() string { p.remarks++; return fmt.Sprintf("# r%d", p.remarks) }

func (p *printer) before(column int) {
	if p.yes("before") {
		p.WriteString(strings.Repeat(" ", column) + p.remark() + "\n")
	}
}

func (p *printer) members(o model.Object, column int, inline bool) {
	for i, m := range o {
		if i > 0 || !inline {
			p.before(column)
			p.WriteString(strings.Repeat(" ", column))
		}
		p.WriteString(p.text(m.Key, false) + ":")
		p.value(m.Value, column)
	}
}

func (p *printer) value(v model.Value, column int) {
	object, isObject := v.(model.Object)
	list, isList := v.([]model.Value)
	text, isText := v.(string)
	switch {
	case isObject && len(object) > 0 && !p.yes("flow"):
		p.tail()
		p.members(object, column+p.step, false)
	case isList && len(list) > 0 && !p.yes("flow"):
		p.tail()
		inner := column + rapid.IntRange(0, p.step).Draw(p.T, "dash")
		for _, item := range list {
			p.before(inner)
			p.WriteString(strings.Repeat(" ", inner) + "-")
			p.item(item, inner)
		}
	case isText && strings.HasSuffix(text, "\n"):
		p.WriteString(" |\n")
		for line := range strings.Lines(text) {
			p.WriteString(strings.Repeat(" ", column+p.step) + line)
		}
	default:
		p.WriteString(" ")
		p.flow(v, column)
		p.tail()
	}
}

func (p *printer) item(v model.Value, column int) {
	if object, ok := v.(model.Object); ok && len(object) > 0 && !p.yes("flow") {
		p.WriteString(" ")
		p.members(object, column+2, true)
		return
	}
	if text, ok := v.(string); ok && strings.HasSuffix(text, "\n") {
		v = strings.TrimSuffix(text, "\n") + "\n"
	}
	p.value(v, column)
}

func (p *printer) flow(v model.Value, column int) {
	switch v := v.(type) {
	case model.Object:
		p.WriteString("{")
		for i, m := range v {
			p.comma(i, column)
			p.WriteString(p.text(m.Key, true) + ": ")
			p.flow(m.Value, column)
		}
		p.WriteString("}")
	case []model.Value:
		p.WriteString("[")
		for i, item := range v {
			p.comma(i, column)
			p.flow(item, column)
		}
		p.WriteString("]")
	case string:
		p.WriteString(p.text(v, true))
	case bool:
		fmt.Fprint(p, v)
	case model.Number:
		p.WriteString(string(v))
	}
}

func (p *printer) comma(i, column int) {
	if i > 0 {
		p.WriteString(",")
	}
	switch {
	case p.yes("break"):
		p.WriteString(" " + p.remark() + "\n" + strings.Repeat(" ", column+1+p.step))
	case i > 0:
		p.WriteString(" ")
	}
}

func (p *printer) text(s string, inFlow bool) string {
	quoted := yamltext.Quoted(s)
	plain := yamltext.Text(s)
	if plain != s || inFlow && strings.ContainsAny(s, ",[]{}") || p.yes("quoted") {
		return quoted
	}
	return plain
}

func means(t *rapid.T, text string) any {
	source, err := yamltext.ReadAudited([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return unordered(yamltext.Value(source.Root))
}

func apply(t *rapid.T, text string, result *Result) string {
	out, err := finding.Apply([]byte(text), result.Edits)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
