package oatfcmd

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/keys"
	"github.com/cupel-dev/cupel/oatf/simulate"
	"github.com/cupel-dev/cupel/oatf/try"
)

// trial is one command of `cupel oatf try`.
type trial struct {
	kind     string
	usage    string
	operand  string
	examples []string
	yes, no  string // the answer in words; "": the values say it
	flags    []cli.Flag
	revised  bool // the answer may differ between revisions of the format
	answer   func(env cmdline.Env, c *cli.Context, under try.Revised, expression string) (*try.Answer, error)
}

const tryCategory = "Message"

// trials returns the commands `cupel oatf try path|condition|…`.
func trials() []trial {
	return []trial{
		{
			kind: "path", usage: "show the values at a dot-path, or where it stops", operand: "PATH", yes: "found", no: "nothing there",
			examples: []string{"cupel oatf try path 'tools[*].description' --message list.json", `cupel oatf try path arguments.note --value '{"arguments":{}}'`, "gzip -dc list.json.gz | cupel oatf try path 'tools[*]' --message -"},
			flags:    messageFlags(), answer: onMessage(unrevised(try.Path)),
		},
		{
			kind: "condition", usage: "evaluate a condition on a value, with the result of each operator", operand: "CONDITION", yes: "holds", no: "does not hold",
			examples: []string{"cupel oatf try condition '{contains: secret, regex: \"key_[0-9]+\"}' --text 'the secret key_7'", "cupel oatf try condition '{gt: 3}' --value 4", "cupel oatf try condition '{any_of: [1, 2]}' --value 2.0 --format json"},
			flags:    messageFlags(), revised: true, answer: onMessage(try.Revised.Condition),
		},
		{
			kind: "predicate", usage: "evaluate a match predicate on a message, with the result of each entry", operand: "PREDICATE", yes: "holds", no: "does not hold",
			examples: []string{"cupel oatf try predicate '{arguments.cmd: {starts_with: rm}}' --message call.json", "cupel oatf try predicate '{isError: {exists: false}}' --value '{}'", "cupel oatf try predicate '{name: calc, arguments.n: {gt: 3}}' --message call.json --format json"},
			flags:    messageFlags(), revised: true, answer: onMessage(try.Revised.Predicate),
		},
		{
			kind: "regex", usage: "search with an RE2 expression, and show what an extractor captures", operand: "REGEX", yes: "matches", no: "no match",
			examples: []string{"cupel oatf try regex 'key_([0-9]+)' --text 'the secret key_7'", "cupel oatf try regex '(?i)password' --message call.json", "cupel oatf try regex '^rm ' --text 'rm x' --format json"},
			flags:    messageFlags(), revised: true, answer: onMessage(try.Revised.Regex),
		},
		{
			kind: "jsonpath", usage: "show the nodes of a JSONPath query, and what an extractor captures", operand: "QUERY", yes: "found", no: "no node",
			examples: []string{"cupel oatf try jsonpath '$.tools[?@.name == \"calc\"].description' --message list.json", "cupel oatf try jsonpath '$..note' --message call.json", "cupel oatf try jsonpath '$.a[-1]' --value '{\"a\":[1,2]}'"},
			flags:    messageFlags(), answer: onMessage(unrevised(try.JSONPath)),
		},
		{
			kind: "cel", usage: "evaluate a CEL expression on a message", operand: "EXPRESSION",
			examples: []string{"cupel oatf try cel 'message.tools.exists(t, t.name == \"calc\")' --message list.json", "cupel oatf try cel 'size(note) > 10' --variable note=arguments.note --message call.json", "cupel oatf try cel 'message.tools.map(t, t.name)' --message list.json --format json"},
			flags:    append([]cli.Flag{variableFlag()}, messageFlags()...), revised: true, answer: tryCEL,
		},
		{
			kind: "template", usage: "interpolate a template, and say what becomes of each reference", operand: "TEMPLATE",
			examples: []string{"cupel oatf try template 'hello {{user}}: {{request.arguments.note}}' --extractor user=ann --request call.json", "cupel oatf try template '{{probe.token}}' --extractor probe.token=7", "cupel oatf try template '{{response.isError}}' --response answer.json --format json"},
			flags:    templateFlags(), answer: tryTemplate,
		},
		{
			kind: "trigger", usage: "evaluate whether a trigger ends its phase, with the deciding step", operand: "TRIGGER", yes: "the phase advances", no: "the phase does not advance",
			examples: []string{"cupel oatf try trigger tools/call:calc --event tools/call --value '{\"name\":\"calc\"}'", "cupel oatf try trigger '{event: tools/call, count: 3, after: 30s}' --event tools/call --count 2 --elapsed 29s", "cupel oatf try trigger '{after: 30s}' --elapsed 31s"},
			flags:    append(triggerFlags(), messageFlags()...), revised: true, answer: tryTrigger,
		},
	}
}

// TryCommand is `cupel oatf try KIND`.
func TryCommand(kind string) func(cmdline.Env) *cli.Command {
	return func(env cmdline.Env) *cli.Command {
		list := trials()
		return list[slices.IndexFunc(list, func(t trial) bool { return t.kind == kind })].command(env)
	}
}

type tryAnswer struct {
	*trial
	expression string
	revision   oatf.Revision // "" where they do not differ
	*try.Answer
}

var triedForms = app.Forms[tryAnswer]{{Name: "text", Write: triedText}, {Name: "json", Write: triedJSON}}

const trySchema = "cupel.try/1"

func (t *trial) command(env cmdline.Env) *cli.Command {
	cmd := app.Showing(env, app.Shown{Schema: trySchema, Lists: []string{"values", "why", "warnings"}}, triedForms, &cli.Command{
		Name: t.kind, Usage: t.usage, ArgsUsage: t.operand, UsageText: strings.Join(t.examples, "\n"),
		Description: "The exit code is 0 for yes, 1 for no, 2 for a mistake.",
		Flags:       append(t.allFlags(), &cli.StringFlag{Name: "format", Category: "Output", Value: "text", Usage: "`FORMAT`: text or json"}),
	}, func(c *cli.Context) (tryAnswer, error) {
		if c.NArg() != 1 {
			return tryAnswer{}, &cmdline.UsageError{Message: "give one " + strings.ToLower(t.operand), Hint: "`cupel help oatf try " + t.kind + "` shows the usage"}
		}
		revision, err := t.revision(c)
		if err != nil {
			return tryAnswer{}, err
		}
		answer, err := t.answer(env, c, try.Under(revision), c.Args().First())
		if err == nil && !answer.Holds {
			err = cmdline.ErrNo
		}
		return tryAnswer{t, c.Args().First(), revision, answer}, err
	})
	run := cmd.Action
	cmd.Action = func(c *cli.Context) error {
		err := run(c)
		if wrong, ok := errors.AsType[*try.SyntaxError](err); ok {
			cmdline.PrintError(env, wrong.Error(), "")
			for _, line := range append(caret(wrong), say.Visible(wrong.Help)) {
				if line != "" {
					fmt.Fprintf(env.Stderr, "cupel: hint: %s\n", line)
				}
			}
			return cmdline.ErrSaid
		}
		return err
	}
	return cmd
}

func (t *trial) allFlags() []cli.Flag {
	if !t.revised {
		return t.flags
	}
	return append(t.flags, app.RevisionFlag(tryCategory, "is "+string(oatf.SDK01)+": an expression alone does not show it"))
}

// revision returns the revision of the answer, "" if revisions do not differ.
func (t *trial) revision(c *cli.Context) (oatf.Revision, error) {
	if !t.revised {
		return "", nil
	}
	known, err := app.ReadRevisions(c, app.ConfiguredBy(c))
	if err != nil {
		return "", err
	}
	r, err := known.Of("") // an expression has no file: the configuration nearest to the current folder applies
	return cmp.Or(r, oatf.SDK01), err
}

// unrevised adapts a function whose answer is the same under all revisions.
func unrevised(answer func(string, oatf.Value) (*try.Answer, error)) func(try.Revised, string, oatf.Value) (*try.Answer, error) {
	return func(_ try.Revised, expression string, v oatf.Value) (*try.Answer, error) {
		return answer(expression, v)
	}
}

// caretWidth is the context around a caret, in code points.
const caretWidth = 60

// caret returns the faulty line of an expression with a caret under the error.
func caret(e *try.SyntaxError) []string {
	lines := strings.Split(e.Text, "\n")
	line := []rune(lines[min(e.Line, len(lines))-1])
	at := min(max(e.Column-1, 0), len(line))
	before := say.Visible(string(line[max(0, at-caretWidth):at]))
	after := say.Visible(string(line[at:min(len(line), at+caretWidth)]))
	return []string{before + after, strings.Repeat(" ", report.Columns(before)) + "^"}
}

// messageFlags returns the flags for a message or value.
func messageFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "message", Category: tryCategory, Usage: "the JSON text in `FILE`, or -"},
		&cli.StringFlag{Name: "value", Category: tryCategory, Usage: "this `JSON`"},
		&cli.StringFlag{Name: "text", Category: tryCategory, Usage: "this `TEXT`, as a string"},
		input.MaxBytesFlag(tryCategory),
	}
}

// message reads those flags. It returns nil without them.
func message(env cmdline.Env, c *cli.Context) (*oatf.Value, error) {
	var set []string
	for _, name := range []string{"message", "value", "text"} {
		if c.IsSet(name) {
			set = append(set, "--"+name)
		}
	}
	switch {
	case len(set) > 1:
		return nil, &cmdline.UsageError{Message: strings.Join(set, " and ") + " cannot be combined", Hint: "give one of them"}
	case len(set) == 0:
		return nil, nil
	case c.IsSet("text"):
		var text oatf.Value = c.String("text")
		return &text, nil
	case c.IsSet("value"):
		return decoded("--value", []byte(c.String("value")), len(c.String("value")))
	}
	return fileFlagValue(env, c, "message")
}

// fileFlagValue reads JSON from the file that a flag names. It returns nil without the flag.
func fileFlagValue(env cmdline.Env, c *cli.Context, flag string) (*oatf.Value, error) {
	if !c.IsSet(flag) {
		return nil, nil
	}
	most, err := input.Positive(c, "max-bytes")
	if err != nil {
		return nil, err
	}
	inputs, err := input.ExpandInputs(env, c, []string{c.String(flag)}, input.Reads{Patterns: input.JSONFiles})
	if err != nil {
		return nil, err
	}
	if len(inputs) != 1 {
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("--%s has %d files; give one", flag, len(inputs)), Hint: ""}
	}
	text, err := input.ReadWhole(inputs[0], most)
	if err != nil {
		return nil, err
	}
	return decoded(inputs[0].Name, text, most)
}

func decoded(name string, text []byte, most int) (*oatf.Value, error) {
	v, err := capture.Decode(text, capture.Limits{LineBytes: max(most, capture.DefaultLineBytes)})
	if bad, ok := errors.AsType[*capture.LineError](err); ok {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("%s:%d:%d: %s", name, bad.Line, bad.Column, bad.Message), Hint: bad.Hint}
	}
	return &v, err
}

func onMessage(answer func(under try.Revised, expression string, message oatf.Value) (*try.Answer, error)) func(cmdline.Env, *cli.Context, try.Revised, string) (*try.Answer, error) {
	return func(env cmdline.Env, c *cli.Context, under try.Revised, expression string) (*try.Answer, error) {
		v, err := neededMessage(env, c)
		if err != nil {
			return nil, err
		}
		return answer(under, expression, *v)
	}
}

func neededMessage(env cmdline.Env, c *cli.Context) (*oatf.Value, error) {
	v, err := message(env, c)
	if err == nil && v == nil {
		err = &cmdline.UsageError{Message: "no message given", Hint: "give a message with --message FILE, --value JSON or --text TEXT"}
	}
	return v, err
}

func variableFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "variable", KeepSpace: true, Category: tryCategory, Usage: "bind a name to the value at a simple dot-path: `NAME=PATH`; repeatable"}
}

func tryCEL(env cmdline.Env, c *cli.Context, under try.Revised, expression string) (*try.Answer, error) {
	pairs, err := namedValues(c, "variable")
	if err != nil {
		return nil, err
	}
	v, err := neededMessage(env, c)
	if err != nil {
		return nil, err
	}
	var variables []oatf.Variable
	for _, p := range pairs {
		variables = append(variables, oatf.Variable{Name: p[0], Path: p[1]})
	}
	return under.CEL(env.Context, expression, *v, variables)
}

func namedValues(c *cli.Context, flag string) (pairs [][2]string, err error) {
	for _, given := range c.StringSlice(flag) {
		name, value, ok := strings.Cut(given, "=")
		if !ok || name == "" {
			return nil, &cmdline.UsageError{Message: fmt.Sprintf("--%s is %q, expected NAME=…", flag, say.Preview(given, say.Usual)), Hint: ""}
		}
		pairs = append(pairs, [2]string{name, value})
	}
	return pairs, nil
}

func templateFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "extractor", KeepSpace: true, Category: tryCategory, Usage: "a captured value, as `NAME=VALUE`; for another actor, ACTOR.NAME; repeatable"},
		&cli.StringFlag{Name: "request", Category: tryCategory, Usage: "the current request, the JSON text in `FILE`, or -"},
		&cli.StringFlag{Name: "response", Category: tryCategory, Usage: "the current response, the JSON text in `FILE`, or -"},
		input.MaxBytesFlag(tryCategory),
	}
}

func tryTemplate(env cmdline.Env, c *cli.Context, _ try.Revised, template string) (*try.Answer, error) {
	if c.String("request") == "-" && c.String("response") == "-" {
		return nil, &cmdline.UsageError{Message: walk.ErrStdinTwice.Error(), Hint: ""}
	}
	pairs, err := namedValues(c, "extractor")
	if err != nil {
		return nil, err
	}
	extractors := map[string]string{}
	for _, p := range pairs {
		extractors[p[0]] = p[1]
	}
	request, err := fileFlagValue(env, c, "request")
	if err != nil {
		return nil, err
	}
	response, err := fileFlagValue(env, c, "response")
	if err != nil {
		return nil, err
	}
	return try.Template(template, extractors, request, response)
}

// modeWords returns the known modes. Others can be valid, too.
func modeWords() (list []cmdline.Word) {
	for _, w := range keys.At(oatf.V202603, []string{"attack", "execution", "mode"}, keys.Where{}).Words {
		list = append(list, cmdline.Word{Name: w.Text, Means: w.Title})
	}
	return list
}

func eventWords() (list []cmdline.Word) {
	seen := map[string]bool{}
	for _, mode := range oatf.KnownModes() {
		for _, event := range oatf.Events(mode) {
			if !seen[event] {
				seen[event] = true
				list = append(list, cmdline.Word{Name: event, Means: "an event of " + strings.Join(cmdline.WordNames(cmdline.WordsOf(oatf.EventModes(event), nil)), ", ")})
			}
		}
	}
	return list
}

func triggerFlags() []cli.Flag {
	const category = "Moment"
	return []cli.Flag{
		cmdline.Suggest(&cli.StringFlag{Name: "event", Category: category, Usage: "the event's `TYPE`, with a qualifier in sdk-0.1 if needed, such as tools/call:calc (default: only time passes)"}, eventWords),
		&cli.StringFlag{Name: "elapsed", Category: category, Usage: "the `TIME` since the phase began, such as 31s (default: none)"},
		&cli.Int64Flag{Name: "count", Category: category, Usage: "`N` earlier events of the phase"},
		cmdline.OneOf(&cli.StringFlag{Name: "mode", Category: category, Value: "mcp_server", Usage: "the `MODE` of the phase"}, modeWords()...),
	}
}

func tryTrigger(env cmdline.Env, c *cli.Context, under try.Revised, trigger string) (*try.Answer, error) {
	moment := try.Moment{Mode: oatf.Mode(c.String("mode")), Counted: c.Int64("count")}
	known := oatf.KnownModes()
	if !slices.Contains(known, moment.Mode) && !strings.HasSuffix(c.String("mode"), "_server") && !strings.HasSuffix(c.String("mode"), "_client") {
		return nil, cmdline.BadValue("mode", c.String("mode"), cmdline.WordNames(modeWords()))
	}
	if moment.Counted < 0 {
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("--count is %d, expected 0 or more", moment.Counted), Hint: ""}
	}
	if c.IsSet("elapsed") {
		var err error
		if moment.Elapsed, err = oatf.ParseDuration(c.String("elapsed")); err != nil {
			return nil, &cmdline.UsageError{Message: fmt.Sprintf("--elapsed is %q, expected a time such as 31s or PT5M", c.String("elapsed")), Hint: ""}
		}
	}
	v, err := message(env, c)
	switch {
	case err != nil:
		return nil, err
	case v != nil && !c.IsSet("event"):
		return nil, &cmdline.UsageError{Message: "a message requires --event, which is not given", Hint: "give the event with --event TYPE"}
	case c.IsSet("event"):
		moment.Event = simulate.NewEvent(under.Revision(), c.String("event"), v)
	}
	return under.Trigger(trigger, moment)
}

// triedText prints the answer as text: result and explanation.
func triedText(w *bufio.Writer, t tryAnswer) error {
	word := t.yes
	if !t.Holds {
		word = t.no
	}
	if word != "" {
		fmt.Fprintln(w, word)
	}
	for _, f := range t.Found {
		line := say.Preview(string(oatf.AppendJSON(nil, f.Value)), mostShownValue)
		if f.At != "" {
			line = f.At + ": " + line
		}
		fmt.Fprintln(w, say.Visible(line))
	}
	if t.More > 0 {
		fmt.Fprintf(w, "… and more\n")
	}
	for _, line := range t.Why {
		fmt.Fprintf(w, "  %s\n", say.Visible(line))
	}
	for _, d := range t.Warnings {
		fmt.Fprintf(w, "  warning: %s [%s]\n", say.Visible(d.Message), d.Code)
	}
	return nil
}

// mostShownValue limits the size of a printed value, in bytes.
const mostShownValue = 4 << 10

func triedJSON(w *bufio.Writer, t tryAnswer) error {
	type value struct {
		At    string          `json:"at"`
		Value json.RawMessage `json:"value"`
	}
	document := struct {
		Schema     string        `json:"schema"`
		Status     string        `json:"status"`
		Kind       string        `json:"kind"`
		Expression string        `json:"expression"`
		Revision   oatf.Revision `json:"revision,omitempty"`
		Answer     bool          `json:"answer"`
		Values     []value       `json:"values"`
		More       bool          `json:"more"`
		Why        []string      `json:"why"`
		Warnings   []warningJSON `json:"warnings"`
	}{trySchema, "ok", t.kind, t.expression, t.revision, t.Holds, []value{}, t.More > 0, append([]string{}, t.Why...), []warningJSON{}}
	for _, f := range t.Found {
		document.Values = append(document.Values, value{f.At, oatf.AppendJSON(nil, f.Value)})
	}
	for _, d := range t.Warnings {
		document.Warnings = append(document.Warnings, warningJSON{d.Code, d.Message})
	}
	return app.WriteJSON(w, document)
}
