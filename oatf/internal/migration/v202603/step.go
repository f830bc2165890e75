package v202603

import (
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Step migrates documents between the two revisions.
var Step = migration.Step{From: earlier, To: later, Up: up, Down: down}

func up(d *migration.Document) {
	upAttack(d.Top().Child("attack"))
	d.EachPhase(func(ph migration.Phase) {
		upTrigger(ph)
		upActions(ph)
		upExtractors(ph)
		upState(ph)
		upMode(ph)
	})
	modes := d.Modes()
	d.EachIndicator(func(o migration.Object, protocol model.Protocol) { newIndicator(o, protocol, modes).up() })
}

func down(d *migration.Document) {
	downAttack(d.Top().Child("attack"))
	d.EachPhase(func(ph migration.Phase) {
		downMode(ph)
		downTrigger(ph)
		downActions(ph)
		downExtractors(ph)
		downState(ph)
	})
	modes := d.Modes()
	d.EachIndicator(func(o migration.Object, protocol model.Protocol) { newIndicator(o, protocol, modes).down() })
}
