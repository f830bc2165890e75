package commands_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cupel-dev/cupel/internal/scripted"
)

// models is the script command `models [-close N] NAME [FILE]`. It starts a service of
// models that answers by the script in FILE (package scripted says how one is written; without
// it every answer is good) and puts its base URL into the variable NAME. With -close it closes
// each Nth connection.
func models(ts *testscript.TestScript, neg bool, args []string) {
	closing := 0
	if len(args) > 2 && args[0] == "-close" {
		var err error
		closing, err = strconv.Atoi(args[1])
		ts.Check(err)
		args = args[2:]
	}
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: models [-close N] NAME [FILE]")
	}
	var script []scripted.Answer
	if len(args) == 2 {
		var err error
		script, err = scripted.Parse([]byte(ts.ReadFile(args[1])))
		ts.Check(err)
	}
	service := scripted.StartClosing(closing, script...)
	ts.Defer(service.Close)
	ts.Setenv(args[0], service.URL)
	started(ts)[args[0]] = service
}

// calls is the script command `calls NAME N [FILE]`. It compares the number of calls that the
// service NAME has received, which is N, with <=N at most, and writes them to FILE: one JSON object per line with number,
// method, path, host, header and body.
func calls(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: calls NAME N|<=N [FILE]")
	}
	number, atMost := strings.CutPrefix(args[1], "<=")
	want, err := strconv.Atoi(number)
	ts.Check(err)
	service := started(ts)[args[0]]
	if service == nil {
		ts.Fatalf("no service %s was started", args[0])
	}
	list := service.Calls()
	var lines bytes.Buffer
	for _, call := range list {
		ts.Check(json.NewEncoder(&lines).Encode(call))
	}
	if len(list) > want || len(list) < want && !atMost {
		ts.Fatalf("%s got %d calls, want %s\n%s", args[0], len(list), args[1], lines.Bytes())
	}
	if len(args) == 3 {
		ts.Check(os.WriteFile(ts.MkAbs(args[2]), lines.Bytes(), 0o600))
	}
}

// expand is the script command `expand FILE…`. It puts the values of variables, such as $NAME, in
// the places of their names.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: expand FILE…")
	}
	for _, name := range args {
		text := os.Expand(ts.ReadFile(name), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}

// servicesKey is where a script keeps the services that it has started.
type servicesKey struct{}

func started(ts *testscript.TestScript) map[string]*scripted.Service {
	return ts.Value(servicesKey{}).(map[string]*scripted.Service)
}
