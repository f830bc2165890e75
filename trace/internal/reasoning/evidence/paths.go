package evidence

import "strings"

const (
	maxForms = 1_000          // templates; beyond them a path is kept in full
	ownPath  = ^uint32(0) - 1 // the form of a path that follows no template
	idMark   = "\x00"
)

// paths stores evidence paths as templates, because most contain the evidence id.
type paths struct {
	Forms []string          `json:"forms,omitempty"` // the templates
	Odd   map[uint32]string `json:"odd,omitempty"`   // paths that follow none, by evidence number

	known map[string]uint32 // template → its place in Forms
}

// ready allocates nil maps.
func (p *paths) ready() {
	if p.Odd == nil {
		p.Odd = map[uint32]string{}
	}
	p.known = make(map[string]uint32, len(p.Forms))
	for i, template := range p.Forms {
		p.known[template] = uint32(i)
	}
}

// form returns the number of a path's template, or of the path if it has no template.
func (p *paths) form(number uint32, path, id string) uint32 {
	template, found := cutID(path, id)
	if n, ok := p.known[template]; ok && found {
		return n
	}
	if !found || len(p.Forms) >= maxForms {
		p.Odd[number] = path
		return ownPath
	}
	n := uint32(len(p.Forms))
	p.Forms = append(p.Forms, template)
	p.known[template] = n
	return n
}

func (p *paths) of(number, form uint32, id string) string {
	if form == ownPath {
		return p.Odd[number]
	}
	return putID(p.Forms[form], id)
}

// cutID removes the id from a path. found is false if it is absent.
func cutID(path, id string) (template string, found bool) {
	before, after, found := strings.Cut(path, id)
	return before + idMark + after, found
}

func putID(template, id string) string {
	return strings.Replace(template, idMark, id, 1)
}
