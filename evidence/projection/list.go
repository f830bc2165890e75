package projection

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// DefaultMaxTools limits the tools of a text. Servers have some dozens.
const DefaultMaxTools = 10_000

// ToolOptions configures digests of tools. The zero value uses definitions without a server id.
type ToolOptions struct {
	Of        Of
	ServerID  string // of [Definition]: the server whose list this is, "" for none; never read from a tool
	Canonical bool   // keep the digested text
	MaxTools  int    // in one text; default DefaultMaxTools
}

// List is the content of a text.
type List struct {
	Tools    []Tool            // with a digest, in the order of the text
	Manifest *evidence.Sum     // under [Manifest], when every tool of a list has a digest; nil for a single tool
	Findings []finding.Finding // why others have no digest, and further notes
}

// ReadTools returns the digests of the tools in a text: a tool, an array, a tools/list result or a JSON-RPC
// response with one. An object with "name" is a tool. It takes 28 bytes per value. The text must not change
// meanwhile.
func ReadTools(text []byte, opt ToolOptions) List {
	opt.MaxTools = cmp.Or(opt.MaxTools, DefaultMaxTools)
	p := &projector{input: newInput(text), writer: newWriter(), opt: opt, seen: map[string]evidence.Sum{}}
	root, ok := p.scan(ruleShape)
	if !ok {
		return List{Findings: p.findings}
	}
	tools, isList, ok := p.toolsOf(root)
	if !ok {
		return List{Findings: p.findings}
	}
	var list List
	for _, at := range tools {
		if t, ok := p.tool(at); ok {
			list.Tools = append(list.Tools, p.placed(t, at))
		}
	}
	if opt.Of == Manifest && isList && len(list.Tools) == len(tools) {
		sum := manifest(list.Tools)
		list.Manifest = &sum
	}
	slices.SortStableFunc(p.findings, finding.Compare)
	list.Findings = p.findings
	return list
}

// placed returns a tool with its position. It warns of another tool with the same name and a different digest.
func (p *projector) placed(t Tool, at strictjson.Node) Tool {
	var place finding.Finding
	p.point(&place, at)
	t.Line = place.Line
	if before, repeated := p.seen[t.Name]; !repeated {
		p.seen[t.Name] = t.Sum
	} else if before != t.Sum {
		p.fault(ruleRepeated, at.Get("name"), fmt.Sprintf("the list has two tools with the name %s and different digests", say.Quoted(t.Name)))
	}
	return t
}

// toolsOf returns the tools in a text. isList is false for a single tool.
func (p *projector) toolsOf(root strictjson.Node) (tools []strictjson.Node, isList, ok bool) {
	switch {
	case root.Is(strictjson.Array):
		return p.elements(root)
	case !root.Is(strictjson.Object):
		p.fault(ruleShape, root, "expected a tool or a list of tools, found "+say.Article(root.Kind().String()))
		return nil, false, false
	case root.Get("name").Exists():
		return []strictjson.Node{root}, false, true
	case root.Get("error").Exists() && !root.Get("result").Exists():
		p.fault(ruleShape, root.Get("error"), "the response is an error: it has no tools")
		return nil, false, false
	case root.Get("method").Exists():
		p.fault(ruleShape, root.Get("method"), "the file is a request; the tools are in the response")
		return nil, false, false
	case root.Get("result").Exists():
		return p.result(root.Get("result"))
	case root.Get("tools").Exists():
		return p.result(root)
	}
	return []strictjson.Node{root}, false, true // which has no name
}

func (p *projector) result(at strictjson.Node) (tools []strictjson.Node, isList, ok bool) {
	list := at.Get("tools")
	if !list.Is(strictjson.Array) {
		where := list
		if !list.Exists() {
			where = at
		}
		p.fault(ruleShape, where, "expected an array of tools in tools/list, found "+say.Article(list.Kind().String()))
		return nil, true, false
	}
	if next := at.Get("nextCursor"); !next.Missing() {
		p.fault(rulePage, next, "the list continues after this page")
	}
	return p.elements(list)
}

func (p *projector) elements(list strictjson.Node) (tools []strictjson.Node, isList, ok bool) {
	if n := list.Len(); n > p.opt.MaxTools {
		f := p.fault(ruleShape, list, fmt.Sprintf("the list has %d tools, the limit is %d", n, p.opt.MaxTools))
		f.Help = say.RaiseHint("--max-tools")
		return nil, true, false
	}
	return slices.Collect(list.Children()), true, true
}

// manifest returns the digest of a list of tools: of their names and digests, sorted by name.
func manifest(tools []Tool) evidence.Sum {
	sorted := slices.Clone(tools)
	slices.SortFunc(sorted, func(a, b Tool) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), slices.Compare(a.Sum[:], b.Sum[:]))
	})
	w := newWriter()
	w.open()
	w.text("projection", Manifest.ID())
	w.name("tools")
	w.dst = append(w.dst, '[')
	for i, t := range sorted {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		w.open()
		w.text("name", t.Name)
		w.text("tool_digest", t.Sum.String())
		w.close()
	}
	w.dst = append(w.dst, ']')
	w.close()
	return digest.Of(w.dst)
}
