package privacy

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/cupel-dev/cupel/evidence/internal/secrets"
	"github.com/cupel-dev/cupel/internal/say"
)

// AppendTable appends the policy as people read it: the table of classes, what is done with
// each, the names that are forbidden wherever they stand, the rules of texts, and what no rule
// looks for.
func (p *Policy) AppendTable(dst []byte) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "profile %s, %s\n\n", p.profile, p.Digest())
	b.WriteString("Classes. Of several rows that fit a value the last one counts; * is any member, ** any number of them.\n")
	columns(&b, len(p.rows), func(i int) []string {
		row := p.rows[i]
		more := row.Origin
		if row.Pattern != "" {
			more = "pattern " + row.Pattern + "  " + more
		}
		return []string{row.Type, row.Pointer, row.Class.String(), string(row.Handling), more}
	})
	b.WriteString("\nWhat is done\n")
	columns(&b, len(handlings), func(i int) []string { return []string{string(handlings[i].Handling), handlings[i].means} })
	if p.profile != ProfileUpstream {
		p.writeRules(&b)
	}
	return append(dst, b.String()...)
}

// writeRules writes what is looked for everywhere.
func (p *Policy) writeRules(b *strings.Builder) {
	b.WriteString("\nForbidden names: a member of such a name is removed, in lower case and without _ - and blanks\n")
	for _, name := range secrets.ForbiddenNames() {
		if p.forbids([]byte(name)) {
			fmt.Fprintf(b, "  %s\n", name)
		}
	}
	b.WriteString("\nRules of texts\n")
	rules := secrets.Rules()
	columns(b, len(rules), func(i int) []string { return []string{rules[i].Name, rules[i].Does, rules[i].Pattern} })
	b.WriteString("\nNot covered\n")
	for _, what := range NotCovered() {
		fmt.Fprintf(b, "  %s\n", what)
	}
}

// columns writes aligned rows.
func columns(b *strings.Builder, rows int, row func(int) []string) {
	var aligned strings.Builder
	w := tabwriter.NewWriter(&aligned, 0, 1, 2, ' ', 0)
	for i := range rows {
		cells := row(i)
		for j := range cells {
			cells[j] = say.Visible(cells[j])
		}
		fmt.Fprintf(w, "  %s\n", strings.Join(cells, "\t"))
	}
	_ = w.Flush() // into memory
	for line := range strings.Lines(aligned.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

// NotCovered says what redaction by the default profile does not do, each a sentence without
// its end.
func NotCovered() []string {
	return []string{
		"personal data beyond the home folders in paths: no built-in rule knows names, addresses or numbers of people; a pattern of a policy file can",
		"secrets that no rule knows by their form, by the marker or flag before them, or by the name of their member",
		"member names, which stay as they are, and numbers, booleans and null, unless their member's name is forbidden",
		"what binds or places the event: its ids, type, time, digests and producer",
		"source, tracestate and attributes that the contract does not name: what is found there is reported, and changed only where a policy file says so",
	}
}
