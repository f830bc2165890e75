//go:build !js

package commands

import (
	attestcmd "github.com/cupel-dev/cupel/commands/attest"
	checkcmd "github.com/cupel-dev/cupel/commands/check"
	evidencecmd "github.com/cupel-dev/cupel/commands/evidence"
	initcmd "github.com/cupel-dev/cupel/commands/init"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	lspcmd "github.com/cupel-dev/cupel/commands/lsp"
	metacmd "github.com/cupel-dev/cupel/commands/meta"
	oatfcmd "github.com/cupel-dev/cupel/commands/oatf"
	recordcmd "github.com/cupel-dev/cupel/commands/record"
	reportcmd "github.com/cupel-dev/cupel/commands/report"
	tracecmd "github.com/cupel-dev/cupel/commands/trace"

	"github.com/urfave/cli/v2"
)

// sections are the sections of `cupel help`.
var sections = []cmdline.Section{
	{Title: "Start here", Rows: []cmdline.SectionRow{
		{Name: "check", Title: "detect and check every supported file: cupel check [PATH…]"},
		{Name: "explain", Title: "explain a rule, with a bad and a good example: cupel explain RULE"},
		{Name: "help", Title: "help for a command or topic; cupel help topics lists the topics"},
	}},
	{Title: "Formats (cupel help FORMAT lists its commands)", Rows: []cmdline.SectionRow{{Name: "trace"}, {Name: "evidence"}, {Name: "oatf"}, {Name: "attest"}}},
	{Title: "Integrate", Rows: []cmdline.SectionRow{
		{Name: "init", Title: "set up a checkout: cupel.yaml, a hook and a CI step"},
		{Name: "record", Title: "record an agent's events: agent | cupel record -o LOG --end"},
		{Name: "witness", Title: "cosign the checkpoints of logs"},
		{Name: "lsp", Title: "language server for editors"},
		{Name: "report", Title: "merge the reports of several runs"},
		{Name: "schema", Title: "print JSON Schemas"},
		{Name: "completion", Title: "completion script for a shell"},
		{Name: "selftest", Title: "test this installation"},
		{Name: "version", Title: "version and supported specifications"},
	}},
}

// registry returns all commands in the order of the help. tree returns the command tree.
func registry(tree func() *cli.App) []app.Command {
	return []app.Command{
		{Name: "check", About: cmdline.About{Heeds: []string{"strict", "oatf.revision"}}, Make: func(env Env) *cli.Command { return checkcmd.Command(env, checkersOf(), tree) }},
		initcmd.Spec.Command(),
		oatfcmd.New.Command(),
		{Name: "oatf lint", About: cmdline.About{Common: []string{"strict", "revision", "fix", "diff", "changed", "config", "baseline"}, Docs: []string{"oatf", "oatf-revisions"}, Heeds: []string{"strict", "oatf.revision"}}, Make: oatfcmd.LintCommand},
		{Name: "oatf fmt", About: cmdline.About{Common: []string{"list", "diff", "write", "exclude", "changed", "staged", "since"}, Docs: []string{"oatf"}}, Make: oatfcmd.FmtCommand},
		{Name: "oatf normalize", About: cmdline.About{Docs: []string{"oatf"}, Heeds: []string{"oatf.revision"}}, Make: oatfcmd.NormalizeCommand},
		{Name: "oatf migrate", About: cmdline.About{Docs: []string{"oatf-revisions"}}, Make: oatfcmd.MigrateCommand},
		{Name: "oatf eval", About: cmdline.About{Common: []string{"trace", "each", "require-delivery", "trace-format", "revision", "config"}, Docs: []string{"oatf", "pages"}, Heeds: []string{"oatf.revision"}}, Make: oatfcmd.EvalCommand},
		{Name: "oatf test", About: cmdline.About{Common: []string{"coverage", "trace-format", "revision"}, Docs: []string{"oatf-tests"}, Heeds: []string{"oatf.revision"}}, Make: oatfcmd.TestCommand},
		{Name: "oatf view", About: cmdline.About{Common: []string{"output", "revision", "config"}, Docs: []string{"oatf", "pages"}, Heeds: []string{"oatf.revision"}}, Make: oatfcmd.ViewCommand},
		{Name: "oatf simulate", About: cmdline.About{Common: []string{"events", "revision", "trace-format", "generate-command"}, Docs: []string{"oatf"}, Heeds: []string{"oatf.revision"}}, Make: oatfcmd.SimulateCommand},
		{Name: "oatf try path", About: cmdline.About{Docs: []string{"oatf"}, MayBeEmpty: []string{"OPERAND"}}, Make: oatfcmd.TryCommand("path")},
		{Name: "oatf try condition", About: cmdline.About{Docs: []string{"oatf"}}, Make: oatfcmd.TryCommand("condition")},
		{Name: "oatf try predicate", About: cmdline.About{Docs: []string{"oatf"}}, Make: oatfcmd.TryCommand("predicate")},
		{Name: "oatf try regex", About: cmdline.About{Docs: []string{"oatf"}}, Make: oatfcmd.TryCommand("regex")},
		{Name: "oatf try jsonpath", About: cmdline.About{Docs: []string{"oatf"}}, Make: oatfcmd.TryCommand("jsonpath")},
		{Name: "oatf try cel", About: cmdline.About{Docs: []string{"oatf"}}, Make: oatfcmd.TryCommand("cel")},
		{Name: "oatf try template", About: cmdline.About{Docs: []string{"oatf"}}, Make: oatfcmd.TryCommand("template")},
		{Name: "oatf try trigger", About: cmdline.About{Docs: []string{"oatf"}}, Make: oatfcmd.TryCommand("trigger")},
		{Name: "oatf conformance", About: cmdline.About{Docs: []string{"oatf"}}, Make: oatfcmd.ConformanceCommand},
		{Name: "evidence hash", About: cmdline.About{Common: []string{"check", "check-sums", "explain", "strict", "changed"}, Docs: []string{"formats"}}, Make: evidencecmd.HashCommand},
		{Name: "evidence verify", About: cmdline.About{Common: []string{"attestation", "key", "expect-sha256", "payloads", "follow", "strict", "changed"}, Heeds: []string{"strict"}}, Make: evidencecmd.VerifyCommand},
		{Name: "evidence lint", About: cmdline.About{Common: []string{"profile", "policy", "rules", "pii", "strict", "changed"}, Docs: []string{"evidence-payloads"}, Heeds: []string{"strict"}}, Make: evidencecmd.LintCommand},
		{Name: "evidence seal", About: cmdline.About{Common: []string{"output", "digest-file", "producer", "drop-unknown"}}, Make: evidencecmd.SealCommand},
		{Name: "evidence unseal", About: cmdline.About{Common: []string{"output", "all", "strict", "expect-sha256"}, Docs: []string{"evidence-seal"}}, Make: evidencecmd.UnsealCommand},
		{Name: "evidence pack", About: cmdline.About{Common: []string{"output", "write-context"}}, Make: evidencecmd.PackCommand},
		{Name: "evidence redact", About: cmdline.About{Common: []string{"profile", "policy", "output", "check", "diff", "verify", "report"}, Docs: []string{"evidence-classes"}}, Make: evidencecmd.RedactCommand},
		{Name: "evidence attest", Make: evidencecmd.AttestCommand},
		{Name: "evidence prove", About: cmdline.About{Docs: []string{"evidence-attest"}}, Make: evidencecmd.ProveCommand},
		{Name: "evidence verify-proof", About: cmdline.About{Common: []string{"root", "size", "event", "attestation", "key"}, Docs: []string{"evidence-attest"}}, Make: evidencecmd.VerifyProofCommand},
		{Name: "evidence show", About: cmdline.About{Common: []string{"type", "subject", "run", "since", "until"}}, Make: evidencecmd.ShowCommand},
		{Name: "evidence diff", About: cmdline.About{Docs: []string{"evidence-show"}}, Make: evidencecmd.DiffCommand},
		{Name: "evidence schema", About: cmdline.About{Docs: []string{"evidence-payloads"}, Words: func(*cli.App) []cmdline.Word { return evidencecmd.Types.Words() }}, Make: evidencecmd.SchemaCommand},
		{Name: "evidence keygen", About: cmdline.About{Docs: []string{"evidence-attest"}}, Make: evidencecmd.KeygenCommand},
		{Name: "evidence digest tool", About: cmdline.About{Common: []string{"server-id", "check", "projection", "explain"}, Docs: []string{"evidence-digest"}}, Make: evidencecmd.DigestToolCommand},
		{Name: "evidence digest policy", About: cmdline.About{Common: []string{"check", "projection", "explain"}, Docs: []string{"evidence-digest"}}, Make: evidencecmd.DigestPolicyCommand},
		{Name: "evidence digest semantic", About: cmdline.About{Common: []string{"profile", "set", "check", "explain"}, Docs: []string{"evidence-digest"}}, Make: evidencecmd.DigestSemanticCommand},
		{Name: "evidence digest json", About: cmdline.About{Common: []string{"domain", "explain"}, Docs: []string{"evidence-digest"}}, Make: evidencecmd.DigestJSONCommand},
		{Name: "trace verify", About: cmdline.About{Common: []string{"strict", "check-ids", "evidence-root", "no-evidence", "anchor", "key", "strict-payload", "follow", "changed", "config"}, Docs: []string{"reasoning-traces", "session-logs", "checkpoints", "formats", "engines"}, Heeds: []string{"strict"}}, Make: tracecmd.VerifyCommand},
		{Name: "trace seal", About: cmdline.About{Docs: []string{"session-logs", "checkpoints"}}, Make: tracecmd.SealCommand},
		{Name: "trace prove", About: cmdline.About{Docs: []string{"checkpoints"}}, Make: tracecmd.ProveCommand},
		{Name: "trace schema", About: cmdline.About{Docs: []string{"session-logs"}, Words: func(*cli.App) []cmdline.Word { return tracecmd.Types.Words() }}, Make: tracecmd.SchemaCommand},
		{Name: "trace report", About: cmdline.About{Docs: []string{"reasoning-traces", "transcripts"}}, Make: tracecmd.ReportCommand},
		{Name: "trace repair", About: cmdline.About{Docs: []string{"transcripts"}}, Make: tracecmd.RepairCommand},
		{Name: "attest serve", About: cmdline.About{Common: []string{"config", "log-level", "history", "judge", "cassette"}, MayBeEmpty: []string{"--log-level"}}, Make: attestcmd.ServeCommand},
		{Name: "attest eval", About: cmdline.About{Common: []string{"trace", "from", "tag", "filter", "judge", "cassette", "max-cost", "against", "history", "dry-run"}, Docs: []string{"attest-suite", "attest-import", "attest-cassettes"}}, Make: attestcmd.EvalCommand},
		{Name: "attest validate", About: cmdline.About{Common: []string{"strict", "lax", "from"}, Docs: []string{"attest-serve"}}, Make: attestcmd.ValidateCommand},
		{Name: "attest diff", About: cmdline.About{Common: []string{"compare", "calls", "from"}, Docs: []string{"attest-suite", "attest-import"}}, Make: attestcmd.DiffCommand},
		{Name: "attest record", About: cmdline.About{Common: []string{"compare", "from"}, Docs: []string{"attest-suite", "attest-import"}}, Make: attestcmd.RecordCommand},
		{Name: "attest schema", About: cmdline.About{Docs: []string{"attest-suite"}}, Make: attestcmd.SchemaCommand},
		{Name: "attest cache", Make: attestcmd.CacheCommand},
		{Name: "report verify", About: cmdline.About{Docs: []string{"json"}}, Make: reportcmd.VerifyCommand},
		{Name: "report merge", About: cmdline.About{Common: []string{"log", "allow-missing", "expect-inputs"}, Docs: []string{"scale"}}, Make: func(env Env) *cli.Command {
			return reportcmd.MergeCommand(env, mergeKinds(), checkersOf(), tracecmd.LogSummariser{})
		}},
		recordcmd.Spec.Command(),
		{Name: "witness", About: cmdline.About{Docs: []string{"checkpoints"}}, Make: tracecmd.WitnessCommand},
		lspcmd.Spec.Command(),
		metacmd.Explain.Command(),
		metacmd.Schema.Command(),
		metacmd.Selftest.Command(),
		{Name: "completion", About: cmdline.About{Docs: []string{"cli"}, Words: func(*cli.App) []cmdline.Word { return cmdline.WordsOf(cmdline.Shells(), cmdline.ShellMeans) }}, Make: cmdline.CompletionCommand},
		{Name: "__complete", About: cmdline.About{MayBeEmpty: []string{"OPERAND"}}, Make: func(env Env) *cli.Command { return cmdline.CompleteCommand(env, tree) }},
		metacmd.Version.Command(),
		metacmd.Help(tree).Command(),
	}
}

// lineOf returns the command line that args stand for.
func lineOf(args []string) []string { return attestcmd.EngineArgs(args)[1:] }
