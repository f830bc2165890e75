package commands

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// offerOf is what the last word of a line can become; a blank at the end begins a new word.
func offerOf(t *testing.T, line string) cmdline.Offer {
	t.Helper()
	env, _ := testEnv(t)
	return cmdline.Offered(newApp(env), strings.Split(line, " "))
}

// TestOffered goes through testdata/completion.txt: lines, and after "=>" the offers: the kind, the start of the
// word, and words; "…" matches any number of them.
func TestOffered(t *testing.T) {
	text, err := os.ReadFile("testdata/completion.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for row := range strings.Lines(string(text)) {
		line, want, ok := strings.Cut(strings.TrimSuffix(row, "\n"), "=> ")
		if !ok || strings.HasPrefix(row, "#") {
			continue
		}
		cases++
		o := offerOf(t, strings.Trim(line, "|"))
		got := strings.Join(slices.Concat([]string{o.Kind + o.Keep}, cmdline.WordNames(o.Words)), " ")
		if first, isPart := strings.CutSuffix(want, " …"); isPart && strings.HasPrefix(got, first+" ") {
			continue
		}
		if got != want {
			t.Errorf("%s=> %s\nexpected %s", line, got, want)
		}
	}
	if cases == 0 {
		t.Fatal("no cases")
	}
	t.Logf("%d lines", cases)
}

// allFlags goes through the flags of all commands.
func allFlags(t *testing.T, do func(command string, f cli.Flag)) {
	t.Helper()
	env, _ := testEnv(t)
	for _, cmd := range cmdline.Leaves("", newApp(env).Commands) {
		for _, f := range cmd.Flags {
			do(cmd.Name, f)
		}
	}
}

// TestWordsOfFlags: what completion offers as a value means something, is what the help names,
// and is what the command takes: any other value is refused with the same words.
func TestWordsOfFlags(t *testing.T) {
	flags := 0
	allFlags(t, func(command string, f cli.Flag) {
		name := "--" + f.Names()[0]
		s, ok := f.(cmdline.Spoken)
		if !ok {
			if _, usage := cmdline.NameFlag(f); strings.Contains(usage, " or ") && strings.Contains(usage, "auto") {
				t.Errorf("%s %s has a closed set of values, it seems, and offers none: %s", command, name, usage)
			}
			return
		}
		flags++
		known := s.Vocabulary()
		for _, w := range known.Words() {
			if w.Name == "" || w.Means == "" || strings.ContainsAny(w.Name+w.Means, "\n\t") {
				t.Errorf("%s %s offers %q, which means %q", command, name, w.Name, w.Means)
			}
		}
		if !known.Many && !known.Open {
			checkRefusal(t, command, name, cmdline.WordNames(known.Words()))
		}
	})
	if flags == 0 {
		t.Fatal("no flags")
	}
	t.Logf("%d flags", flags)
}

// checkRefusal checks that a command refuses an unknown value, and names the known ones.
func checkRefusal(t *testing.T, command, flag string, known []string) {
	t.Helper()
	env, _ := testEnv(t)
	var said bytes.Buffer
	env.Stdin, env.Stderr = strings.NewReader(""), &said
	args := append(strings.Fields("cupel "+command), strings.Fields(cmp.Or(refusable[command], "/dev/null"))...)
	args = slices.DeleteFunc(args, func(arg string) bool { return strings.HasPrefix(arg, flag+"=") })
	if code := Main(env, append(args, flag+"=zzzzzz")); code != cmdline.ExitCannot || !strings.Contains(said.String(), "zzzzzz") {
		t.Errorf("cupel %s %s=zzzzzz: exit code %d\n%s", command, flag, code, &said)
	}
	for _, word := range known {
		if !strings.Contains(said.String(), word) {
			t.Errorf("cupel %s %s=zzzzzz does not say that %s is known:\n%s", command, flag, word, &said)
		}
	}
}

// refusable are the operands and flags without which a command has something else to say.
var refusable = map[string]string{
	"attest eval":            "--assertions=../testdata/attest/suite/object.json /dev/null",
	"attest serve":           " ",
	"evidence diff":          "/dev/null /dev/zero",
	"evidence digest policy": "--experimental /dev/null",
	"explain":                "V-001",
	"help":                   "man",
	"oatf eval":              "--trace=/dev/null /dev/null",
	"oatf migrate":           "--to=2026-03 /dev/null",
	"record":                 "--output=missing/log",
	"oatf simulate":          "--events=/dev/null /dev/null",
	"schema":                 "cupel.yaml",
	"selftest":               " ",
	"version":                " ",
}

// TestOfferingsAreTaken: each word that is offered for a value is one that the command knows.
func TestOfferingsAreTaken(t *testing.T) {
	allFlags(t, func(command string, f cli.Flag) {
		s, ok := f.(cmdline.Spoken)
		if !ok || s.Vocabulary().Many {
			return
		}
		for _, w := range s.Vocabulary().Words() {
			env, _ := testEnv(t)
			var said bytes.Buffer
			env.Stdin, env.Stderr = strings.NewReader(""), &said
			args := append(strings.Fields("cupel "+command), "--"+f.Names()[0]+"="+w.Name)
			Main(env, args)
			if strings.Contains(said.String(), fmt.Sprintf("%q for --%s", w.Name, f.Names()[0])) {
				t.Errorf("%v: %s", args, &said)
			}
		}
	})
}

// TestEveryOperandIsOffered checks that completion knows the possible operands of every command: names of files or
// folders, words, or nothing, for expressions.
func TestEveryOperandIsOffered(t *testing.T) {
	env, _ := testEnv(t)
	app := newApp(env)
	for _, cmd := range cmdline.Leaves("", app.Commands) {
		o := offerOf(t, cmd.Name+" ")
		switch {
		case cmd.ArgsUsage == "" || strings.HasPrefix(cmd.Name, "oatf try "):
			if o.Kind != cmdline.OfferWords || len(o.Words) > 0 {
				t.Errorf("%s takes nothing that could be offered, but offers %v", cmd.Name, o)
			}
		case o.Kind == cmdline.OfferWords && len(o.Words) == 0:
			t.Errorf("%s offers nothing for %s", cmd.Name, cmd.ArgsUsage)
		}
	}
}

// TestOfferingsAreFresh: what is offered follows what is typed: every word of a list begins so,
// and to type one whole offers nothing but what begins with it.
func TestOfferingsAreFresh(t *testing.T) {
	for _, line := range []string{"", "trace ", "trace verify --", "explain ", "trace verify --select ", "schema ", "help "} {
		all := offerOf(t, line).Words
		if len(all) == 0 {
			t.Errorf("%q offers nothing", line)
		}
		for _, w := range all {
			typed := line + w.Name[:(len(w.Name)+1)/2]
			if strings.HasSuffix(line, "--") {
				typed = strings.TrimSuffix(line, "--") + w.Name[:(len(w.Name)+1)/2]
			}
			var want []cmdline.Word
			begun := typed[strings.LastIndexByte(typed, ' ')+1:]
			for _, other := range all {
				if strings.HasPrefix(other.Name, begun) {
					want = append(want, other)
				}
			}
			if diff := gocmp.Diff(cmdline.WordNames(want), cmdline.WordNames(offerOf(t, typed).Words)); diff != "" {
				t.Errorf("%q: -want +got\n%s", typed, diff)
			}
		}
	}
}
