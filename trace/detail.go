package trace

import "fmt"

// Detail holds the fields that only findings about traces have.
type Detail struct {
	Provisional bool    `json:"provisional,omitempty"` // it went out before the verdict, and falls away when the input is rejected
	Session     *string `json:"session,omitempty"`     // with Options.BySession: the session that it is about; nil for none
}

// Remarks implements finding.Detail.
func (d Detail) Remarks() [][2]string {
	if d.Session == nil {
		return nil
	}
	return [][2]string{{"session", *d.Session}}
}

// Part implements finding.Parted.
func (d Detail) Part() string {
	if d.Session == nil {
		return ""
	}
	return fmt.Sprintf("session %q", *d.Session)
}
