package session

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// CheckPayload returns the errors ("code path") and the notes of the payload table,
// sorted. inside says that a fault is one that no JSON Schema can express: draft-07
// cannot look for a sibling member whose name depends on another's.
func CheckPayload(eventType string, payload strictjson.Node) (faults, notes []string, inside bool) {
	c := payloadChecker{
		tables: schemaV02(),
		writer: jcs.NewWriter(nil),
		note: func(m payloadNote) {
			notes = append(notes, rules[m.rule].ID+" "+m.at.path(string(m.name)))
		},
		report: func(f payloadFault) {
			switch f.rule {
			case ruleRedactionDiffers:
				notes = append(notes, rules[f.rule].ID+" "+f.path)
			default:
				faults = append(faults, rules[f.rule].ID+" "+f.path)
				inside = inside || f.inside
			}
		},
	}
	c.check(typeV0([]byte(eventType)), payload)
	slices.Sort(faults)
	slices.Sort(notes)
	return faults, notes, inside
}

// KnownV0 reports whether an event type belongs to the 14-field envelope.
func KnownV0(eventType string) bool { return typeV0([]byte(eventType)) != 0 }

// SharedRules returns the rows that other families explain.
func SharedRules() []finding.Rule { return rules[ownRules:] }

// PutAllAway puts all sessions away that are there, ended or not.
func (s *Sessions) PutAllAway() error {
	for _, one := range s.list {
		if one.checker == nil {
			continue
		}
		if one.row == nil {
			s.resting.push(one)
		}
		if err := s.putAway(one); err != nil {
			return err
		}
	}
	return nil
}
