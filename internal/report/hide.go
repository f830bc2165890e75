package report

// shared returns an answer as html and markdown show it: without a guarded listing and what the run hides.
func (r *Run) shared(a Answer) Answer {
	if a.Guarded {
		a.Listing = ""
	}
	if r.Hide == nil {
		return a
	}
	a.Row, a.Facts = r.hideTexts(a.Row), r.hideFacts(a.Facts)
	if a.Figures != nil {
		figures := Figures{Facts: r.hideFacts(a.Figures.Facts)}
		for _, t := range a.Figures.Tables {
			rows := make([][]string, len(t.Rows))
			for i, row := range t.Rows {
				rows[i] = r.hideTexts(row)
			}
			t.Rows = rows
			figures.Tables = append(figures.Tables, t)
		}
		a.Figures = &figures
	}
	return a
}

func (r *Run) hideTexts(list []string) []string {
	var hidden []string // nil for nil: an answer without a row
	for _, text := range list {
		hidden = append(hidden, r.Hide(text))
	}
	return hidden
}

func (r *Run) hideFacts(list []Fact) []Fact {
	hidden := make([]Fact, len(list))
	for i, f := range list {
		f.Value, f.Members = r.Hide(f.Value), r.hideFacts(f.Members)
		hidden[i] = f
	}
	return hidden
}
