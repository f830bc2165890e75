package privacy

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/secrets/personal"
)

// AppendTable appends the policy as text: classes with their treatment, forbidden names, text rules, and
// limitations.
func (p *Policy) AppendTable(dst []byte) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "profile %s, %s\n\n", p.profile, p.Digest())
	b.WriteString("Classes. The last row that matches a value applies; * is any member, ** any number of members.\n")
	columns(&b, len(p.rows), func(i int) []string {
		row := p.rows[i]
		more := row.Origin
		if row.Pattern != "" {
			more = "pattern " + row.Pattern + "  " + more
		}
		return []string{row.Type, row.Pointer, row.Class.String(), string(row.Handling), more}
	})
	b.WriteString("\nWhat is done\n")
	used := p.handlings()
	columns(&b, len(used), func(i int) []string { return []string{string(used[i].Handling), used[i].means} })
	if p.profile != ProfileUpstream {
		p.writeRules(&b)
	}
	b.WriteString("\nNot covered\n")
	for _, what := range p.NotCovered() {
		fmt.Fprintf(&b, "  %s\n", what)
	}
	return append(dst, b.String()...)
}

func (p *Policy) handlings() (used []meaning) {
	for _, h := range handlings {
		if slices.ContainsFunc(p.rows, func(r Row) bool { return r.Handling == h.Handling }) {
			used = append(used, h)
		}
	}
	return used
}

func (p *Policy) writeRules(b *strings.Builder) {
	if p.settings.Rules == RulesADR006 {
		b.WriteString("\nForbidden names. A member is removed, whatever it holds, when its name is one of them in lower case and\nwithout _ - and blanks.\n")
	} else {
		b.WriteString("\nNames. A member is removed when the last word of its name says that it holds a secret, as in X-Api-Key,\nDB_PASSWORD or privateKey, and its value can be one. The 17 names of the contract's reference are among them.\n")
	}
	for _, name := range ForbiddenNames() {
		if p.forbids([]byte(name)) {
			fmt.Fprintf(b, "  %s\n", name)
		}
	}
	b.WriteString("\nRules of texts. `cupel explain secret.NAME` describes one.\n")
	rules := p.rules()
	columns(b, len(rules), func(i int) []string {
		return []string{rules[i].ID, string(rules[i].Origin), doneAbout(rules[i].Class)}
	})
}

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

// notPersonal returns which personal data the policy does not find.
func (p *Policy) notPersonal() string {
	kinds := p.set().Personal()
	switch kinds {
	case 0:
		return "personal data beyond the home folders in paths"
	case personal.AllKinds:
		return "personal data without a fixed form, such as names, addresses and dates of birth"
	}
	var missing []string
	for _, name := range PersonalKinds() {
		if kinds&kindOf(name) == 0 {
			missing = append(missing, name)
		}
	}
	return "personal data without a fixed form, such as names, and these kinds, which are off: " + strings.Join(missing, ", ")
}

// NotCovered returns the limitations of redaction under the policy, as sentences without full stop.
func (p *Policy) NotCovered() []string {
	if p.profile == ProfileUpstream {
		return []string{
			"everything but the subject: data, source and all other members stay as they are, with the secrets in them",
			"home folders and secrets in the subject that the contract's reference misses: it hides only one, and only of kinds that it knows",
			"a subject that was redacted is changed again where the reference would do so",
		}
	}
	return []string{
		p.notPersonal(),
		"secrets that no rule recognizes by their form, their place or the name of their member",
		"ids, digests, times, booleans, and numbers other than payment cards stay unchanged; secrets in an id are reported",
		"source, tracestate and attributes that the contract does not name, unless the policy file says so: findings there are only reported",
	}
}
