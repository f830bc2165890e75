package privacy_test

import (
	"fmt"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
)

// An event is redacted under a policy file that makes one member public.
func Example() {
	result, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(
		`{"type":"assay.fs.access","subject":"/Users/name/file","data":{"hits":3,"cmd":"--token=xyz","authorization":"Basic eA==","home":"/home/bob"}}`))
	if err != nil || result.Event == nil {
		fmt.Println(err, result.Findings)
		return
	}
	policy, err := privacy.ParsePolicy("policy.yaml", []byte("classes:\n- {pointer: /data/home, class: public}\n"), privacy.Default(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	out, changes, err := privacy.NewRedactor(policy).Event(nil, result.Event)
	fmt.Printf("%s %v\n", out, err)
	for _, c := range changes {
		fmt.Printf("%s: %s (%v, %s)\n", c.Pointer, c.Action, c.Class, c.Rule)
	}
	// Output:
	// {"type":"assay.fs.access","subject":"~/**/file","data":{"hits":3,"cmd":"--token=***","home":"/home/bob"}} <nil>
	// /subject: generalized (sensitive, home-path)
	// /data/cmd: replaced (forbidden, credential-flag)
	// /data/authorization: removed (forbidden, authorization-header)
}

// A mistake in a policy file has its place.
func ExampleParsePolicy_mistake() {
	_, err := privacy.ParsePolicy("policy.yaml", []byte("classes:\n- pointer: /data/args\n  class: secret\n"), privacy.Default(), nil)
	fmt.Println(err)
	// Output: policy.yaml:3:10: unknown class "secret"
}
