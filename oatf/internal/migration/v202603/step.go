package v202603

import (
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Step migrates documents of the earlier revision to the later one.
var Step = migration.Step{From: earlier, To: later, Up: up}

func up(d *migration.Document) {
	upAttack(d.Top().Child("attack"))
	modes := d.Modes()
	d.EachPhase(func(ph migration.Phase) {
		upTrigger(ph)
		upActions(ph)
		upExtractors(ph)
		upState(ph)
		upMode(ph)
	})
	d.EachIndicator(func(o migration.Object, protocol model.Protocol) { newIndicator(o, protocol, modes).up() })
}
