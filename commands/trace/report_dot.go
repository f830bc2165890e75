package tracecmd

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace"
)

// groundingDOT draws claims as ellipses, evidence as boxes and citations as arrows. Invalid ones are dashed.
func groundingDOT(w *bufio.Writer, g grounded) error {
	d := drawing{w, map[string]bool{}}
	fmt.Fprintln(w, "digraph grounding {\n  rankdir=LR;")
	for _, c := range g.Claims {
		style := ""
		if !c.Reaches {
			style = ", style=dashed"
		}
		d.node("claim", c.ID, style)
	}
	for _, c := range g.Claims {
		for _, s := range c.Supports {
			d.arrow(dotQuote("claim "+c.ID), s)
		}
	}
	for _, e := range g.Unused {
		d.node("evidence", e.ID, ", shape=box, style=dotted")
	}
	fmt.Fprintln(w, "}")
	return nil
}

// drawing is a graph that is being written.
type drawing struct {
	w     *bufio.Writer
	drawn map[string]bool // the nodes
}

// node draws a node once and returns its name.
func (d drawing) node(kind, id, style string) string {
	name := dotQuote(kind + " " + id)
	if !d.drawn[name] {
		d.drawn[name] = true
		fmt.Fprintf(d.w, "  %s [label=%s%s];\n", name, dotQuote(id), style)
	}
	return name
}

func (d drawing) arrow(claim string, s trace.Citation) {
	shape, label, style := "", "", ""
	switch s.Kind {
	case "evidence":
		shape = ", shape=box"
	case "tool_call":
		shape = ", shape=hexagon"
	}
	if s.Span != nil && s.Kind == "evidence" {
		label = fmt.Sprintf("%d-%d", s.Span[0], s.Span[1])
	}
	if s.Holds != nil && !*s.Holds {
		style = ", style=dashed"
	}
	cited := d.node(s.Kind, s.Ref, shape)
	fmt.Fprintf(d.w, "  %s -> %s [label=%s%s];\n", claim, cited, dotQuote(label), style)
}

// dotQuote quotes a text as a DOT string.
func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(say.Visible(s)) + `"`
}
