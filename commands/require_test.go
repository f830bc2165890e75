package commands_test

// require is what a test and a property have in common.
type require interface {
	Fatalf(format string, args ...any)
	Helper()
}

func check(t require, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}
