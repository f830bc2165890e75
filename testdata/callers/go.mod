// The module of someone else: what callers of the libraries write, which must go on
// compiling. TestCallers builds and runs it.
module example.com/callers

go 1.26

require github.com/cupel-dev/cupel v0.0.0

replace github.com/cupel-dev/cupel => ../..
