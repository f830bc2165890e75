package eval

import (
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
)

// Profile evaluates single messages under a revision. The package's functions with the same names use SDK01. An
// [Evaluator] uses its document's revision.
type Profile struct{ profile *profile.Profile }

// Under returns the evaluation under a revision, SDK01 for "" and unknown ones.
func Under(r oatf.Revision) Profile { return Profile{revision.Of(r)} }

var sdk01 = Under(oatf.SDK01)
