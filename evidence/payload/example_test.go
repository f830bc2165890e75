package payload_test

import (
	"fmt"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/payload"
)

func ExampleChecker() {
	event := `{"specversion":"1.0","type":"assay.tool.decision","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z",` +
		`"datacontenttype":"application/json","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","assayrunid":"run_a","assayseq":0,` +
		`"assayproducer":"assay","assayproducerversion":"3.10.0","assaygit":"abc1234","assaypii":false,"assaysecrets":false,` +
		`"assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"tool":"read_file","decision":"maybe"}}`
	r, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(event))
	if err != nil {
		fmt.Println(err)
		return
	}
	said, err := payload.NewChecker(payload.Options{}).Event(nil, &r)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range said {
		fmt.Printf("%s at %s: %s, expected %s [%s]\n", f.Severity, f.Path, f.Message, f.Expected, f.Rule)
	}
	// Output:
	// error at /data/decision: member decision has a value that ADR-006 does not allow, expected "allow", "deny", "requires_approval" or "error" [EV-233]
}
