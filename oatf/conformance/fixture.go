package conformance

import "github.com/cupel-dev/cupel/oatf"

// fixture is an entry of a suite file.
type fixture struct {
	name, id        string
	input, expected oatf.Value
	errorKind       string       // which error is expected; "" is any
	diagnostics     oatf.Value   // the codes of the expected diagnostics, a list; nil is any
	only            bool         // nothing else may be found
	under           oatf.Profile // profile to run under

	line, column int
	digest       string
}

func textOf(o oatf.Object, key string) string {
	v, _ := o.Get(key)
	s, _ := v.(string)
	return s
}

func stringOf(v oatf.Value) string {
	s, _ := v.(string)
	return s
}
