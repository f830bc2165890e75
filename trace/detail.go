package trace

// Detail is what findings about traces say beyond what all findings say.
type Detail struct {
	Provisional bool `json:"provisional,omitempty"` // it went out before the verdict, and falls away when the input is rejected
}

// Remarks implements finding.Detail.
func (Detail) Remarks() [][2]string { return nil }
