package commands_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/scripted"
)

func TestMain(m *testing.M) {
	racetest.FewerLaws()
	testscript.Main(m, map[string]func(){"cupel": cupel, "attest-engine": cupel})
}

// cupel is the program as main.go builds it.
func cupel() {
	signal.Ignore(commands.WriteSignals...) // they become errors of writing
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	stdout, keep := heard(os.Getenv(heardFolder))
	code := commands.Main(commands.Env{
		Context: ctx, Stdin: os.Stdin, Stdout: stdout, Stderr: heardError(os.Getenv(heardFolder)), Getenv: os.Getenv,
	}, os.Args)
	keep()
	os.Exit(code)
}

// TestScripts runs every testdata/script/**/*.txtar. A script runs in a folder of its
// own with the files it brings; $TESTDATA is the project's testdata folder, and
//
//	exits CODE COMMAND…        runs a command and compares its exit code
//	models NAME [SCRIPT]       starts a service of models, whose base URL is then $NAME
//	calls NAME N [FILE]        compares how often it was called; <=N: at most
//	expand FILE…               puts the values of variables into a file
//
// are added to testscript's own commands. JSON output of cupel must conform to its schema.
func TestScripts(t *testing.T) {
	testdata, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	var scripts []string
	for _, script := range racetest.Some(t, findScripts(t, filepath.Join(testdata, "script"))) {
		scripts = append(scripts, script)
	}
	if len(scripts) == 0 {
		t.Fatal("no scripts found")
	}
	t.Logf("%d scripts", len(scripts))
	documents := t.TempDir()
	t.Cleanup(func() { validateHeard(t, documents); knowHeard(t, documents); adviseHeard(t, documents) }) // after the scripts, which run at once
	testscript.Run(t, testscript.Params{
		Files:               scripts,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "models": models, "calls": calls, "expand": expand},
		Setup: func(env *testscript.Env) error {
			env.Setenv("TESTDATA", testdata)
			folder := filepath.Join(documents, filepath.Base(env.WorkDir))
			env.Setenv(heardFolder, folder)
			env.Values[servicesKey{}] = map[string]*scripted.Service{}
			brought, err := documentsBelow(env.WorkDir)
			env.Defer(func() {
				if err := keepWritten(env.WorkDir, folder, brought); err != nil {
					t.Error(err)
				}
			})
			return errors.Join(err, os.Mkdir(folder, 0o755))
		},
	})
}

func findScripts(t *testing.T, root string) (list []string) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".txtar" {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
