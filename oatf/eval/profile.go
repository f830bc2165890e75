package eval

import (
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
)

// Profile is a revision with its evaluation of single messages. The package's functions with the
// same names use SDK01. An [Evaluator] uses its document's revision.
type Profile struct{ profile *profile.Profile }

// Under returns the evaluation of a revision; that of SDK01 for "" and for unknown ones.
func Under(r oatf.Revision) Profile { return Profile{revision.Of(r)} }

// sdk01 is the profile of the functions of the package.
var sdk01 = Under(oatf.SDK01)
