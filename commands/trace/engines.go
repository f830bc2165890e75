//go:build !js

package tracecmd

import _ "github.com/cupel-dev/cupel/trace/reference" // --engine reference and both
