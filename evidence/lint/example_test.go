package lint_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/evidence/lint"
)

func ExampleLint() {
	stream := `{"specversion":"1.0","type":"assay.fs.access","source":"urn:example:runner:1","id":"run_a:0","time":"2026-03-02T09:00:00Z",` +
		`"datacontenttype":"application/json","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","assayrunid":"run_a","assayseq":0,` +
		`"assayproducer":"assay","assayproducerversion":"3.10.0","assaygit":"4f1c9e2","assaypii":false,"assaysecrets":false,"data":{"hits":"three","file":"/home/bob/notes.txt"},` +
		`"assaycontenthash":"sha256:de2eef0163fbb7f5c42fa1c0389bc5bc20cfa2d5a67aa16fe7a7b8f6a4ee6f27"}`
	report, err := lint.Lint(context.Background(), strings.NewReader(stream), int64(len(stream)), "run.ndjson", lint.Options{NoVerify: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		fmt.Printf("%s:%d: %s: %s [%s]\n", f.File, f.Line, f.Severity, f.Message, f.Rule)
	}
	// Output:
	// run.ndjson:1: warning: assaypii is false, but the event has personal data or the path of a user's home folder [EV-442]
	// run.ndjson:1: error: member hits is a string, expected an integer from 0 [EV-252]
	// run.ndjson:1: warning: /data/file has the path of a user's home folder (sensitive, home-path) [EV-421]
}
