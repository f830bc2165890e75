//go:build !js

package commands

import (
	reportcmd "github.com/cupel-dev/cupel/commands/report"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// mergeCounts are the numbers in the summaries of reports that their lists determine.
var mergeCounts = map[string][]reportcmd.Count{
	"trace": withFindings(
		counted("inputs", "inputs", reportcmd.One),
		counted("valid", "inputs", anyOf(reportcmd.Text("verdict", "valid"), reportcmd.Text("verdict", "consistent"))),
		counted("invalid", "inputs", anyOf(reportcmd.Text("verdict", "invalid"), reportcmd.Text("verdict", "inconsistent"))),
		counted("rejected", "inputs", reportcmd.Text("verdict", "rejected")),
		counted("sessions.sessions", "inputs", reportcmd.Within("sessions", reportcmd.One)),
		counted("sessions.valid", "inputs", reportcmd.Within("sessions", reportcmd.Text("verdict", "valid"))),
		counted("sessions.invalid", "inputs", reportcmd.Within("sessions", reportcmd.Text("verdict", "invalid"))),
		counted("sessions.rejected", "inputs", reportcmd.Within("sessions", reportcmd.Text("verdict", "rejected"))),
	),
	"hash": {
		counted("inputs", "inputs", reportcmd.One),
		counted("events", "events", reportcmd.One),
		counted("hashed", "events", reportcmd.Present("content_hash")),
		counted("matched", "events", reportcmd.Flag("match", true)),
		counted("mismatched", "events", reportcmd.Flag("match", false)),
	},
	"evidence": withFindings(
		counted("inputs", "inputs", reportcmd.One),
		counted("valid", "inputs", reportcmd.Text("verdict", "valid")),
		counted("invalid", "inputs", reportcmd.Text("verdict", "invalid")),
		counted("events", "inputs", reportcmd.Sum("events")),
	),
	"evidenceLint": {
		counted("inputs", "inputs", reportcmd.One),
		counted("invalid", "inputs", reportcmd.Text("verdict", "invalid")),
		counted("events", "inputs", reportcmd.Sum("events")),
		counted("errors", "inputs", reportcmd.Sum("errors")),
		counted("warnings", "inputs", reportcmd.Sum("warnings")),
		counted("infos", "inputs", reportcmd.Sum("infos")),
		counted("findings_omitted", "inputs", reportcmd.Sum("findings_omitted")),
	},
	"redact": withFindings(
		counted("inputs", "inputs", reportcmd.One),
		counted("redacted", "inputs", reportcmd.Flag("redacted", true)),
	),
	"show": withFindings(
		counted("inputs", "inputs", reportcmd.One),
		counted("valid", "inputs", reportcmd.Text("verdict", "valid")),
		counted("invalid", "inputs", reportcmd.Text("verdict", "invalid")),
		counted("events", "inputs", reportcmd.Sum("events")),
		counted("shown", "events", reportcmd.One),
	),
	"proof": {
		counted("inputs", "inputs", reportcmd.One),
		counted("valid", "inputs", reportcmd.Text("verdict", "valid")),
		counted("invalid", "inputs", reportcmd.Text("verdict", "invalid")),
	},
	"digest": { // the lists are those of the subcommand
		optional(counted("files", "inputs", reportcmd.One)),
		optional(counted("tools", "tools", reportcmd.One)),
		optional(counted("policies", "policies", reportcmd.One)),
		optional(counted("events", "events", reportcmd.One)),
		optional(counted("matched", "events", reportcmd.Flag("match", true))),
		optional(counted("mismatched", "events", reportcmd.Flag("match", false))),
	},
	"lint": {
		counted("files", "files", reportcmd.One),
		counted("errors", "files", reportcmd.Sum("errors")),
		counted("warnings", "files", reportcmd.Sum("warnings")),
		counted("fixed", "files", reportcmd.Sum("fixed")),
	},
	"verdict": {
		counted("exploited", "verdicts", reportcmd.Text("result", "exploited")),
		counted("partial", "verdicts", reportcmd.Text("result", "partial")),
		counted("not_exploited", "verdicts", reportcmd.Text("result", "not_exploited")),
		counted("error", "verdicts", reportcmd.Text("result", "error")),
		counted("not_applicable", "verdicts", reportcmd.Text("result", "not_applicable")),
		counted("captures", "inputs", reportcmd.One),
		counted("messages", "inputs", reportcmd.Sum("messages")),
		counted("bad_lines", "inputs", reportcmd.Sum("bad_lines")),
	},
	"eval": {
		optional(counted("pass", "suites", results("pass"))),
		optional(counted("soft_fail", "suites", results("soft_fail"))),
		optional(counted("hard_fail", "suites", results("hard_fail"))),
		optional(counted("unanswerable", "suites", results("unanswerable"))),
	},
	"validate": {
		counted("traces", "traces", reportcmd.One),
		counted("valid", "traces", reportcmd.Flag("valid", true)),
		counted("invalid", "traces", reportcmd.Flag("valid", false)),
	},
}

func counted(member, list string, of func(strictjson.Node) int64) reportcmd.Count {
	return reportcmd.Count{Member: member, List: list, Of: of}
}

func optional(c reportcmd.Count) reportcmd.Count {
	c.Optional = true
	return c
}

func anyOf(a, b func(strictjson.Node) int64) func(strictjson.Node) int64 {
	return func(element strictjson.Node) int64 { return a(element) + b(element) }
}

// withFindings adds counts of findings. Filtered findings are only in the summary.
func withFindings(counts ...reportcmd.Count) []reportcmd.Count {
	for _, severity := range []string{"error", "warning"} {
		c := counted(severity+"s", "inputs", reportcmd.Within("findings", reportcmd.Text("severity", severity)))
		c.Least = true
		counts = append(counts, c)
	}
	return counts
}

// results returns a function that counts the results of assertions with a status, except skipped ones.
func results(status string) func(strictjson.Node) int64 {
	is := reportcmd.Text("status", status)
	return reportcmd.Within("results", func(result strictjson.Node) int64 {
		if skipped, _ := result.Get("skipped").Bool(); skipped {
			return 0
		}
		return is(result)
	})
}
