package reasoning

import "github.com/cupel-dev/cupel/internal/jcs"

// Profile is the canonical text of the format, canonicalization version 1.
var Profile = &jcs.Profile{Name: "rar-v1", Python: true, ExponentPlus: true, Zero: "0.0", NegativeZero: "0.0"}
