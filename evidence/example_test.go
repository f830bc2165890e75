package evidence_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/seal"
)

// An event is hashed, and its recorded hash is checked. Only a finding of severity
// error says that it must not be trusted.
func Example() {
	event := `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":4},
		"assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf"}`
	result, err := evidence.NewHasher(evidence.Options{Check: true}).Hash([]byte(event))
	if err != nil {
		fmt.Println("no answer:", err)
		return
	}
	fmt.Println(result.ContentHash(), result.Match == evidence.Same)
	for _, f := range result.Findings {
		fmt.Printf("line %d: %v: %s [%s]\n", f.Line, f.Severity, f.Message, f.Rule)
	}
	// Output:
	// sha256:1b69226f3c5a457bc9e1ea34afc23c30224ab535d267322ff92ae870c1184d02 false
	// line 2: error: content hash mismatch: the recorded hash is not the hash of the content [hash.mismatch]
}

// The hash is that of the shell's recipe in the package comment.
func ExampleContentHash() {
	hash, err := evidence.ContentHash([]byte(`{
		"specversion": "1.0", "type": "assay.env.filtered", "datacontenttype": "application/json",
		"id": "run_a:0", "source": "urn:runner:1", "subject": null, "data": {"mode": "strict"}
	}`))
	fmt.Println(hash, err)
	// Output: sha256:783efa353737f6a6910af41f54792ce6cf80d83b0ebe06363d819824cd767ba2 <nil>
}

func ExampleContentHash_invalid() {
	_, err := evidence.ContentHash([]byte(`{"specversion":"1.0","type":"assay.env.filtered","data":{"mode":"a","mode":"b"}}`))
	fmt.Println(err)
	// Output: event has no content hash: line 1, column 69: member name "mode" occurs twice [json.duplicate_key]
}

func ExampleHashStream() {
	stream := `{"specversion":"1.0","type":"a","datacontenttype":"application/json","data":1}
{"specversion":"1.0","type":"b","datacontenttype":"application/json"}
`
	total, err := evidence.HashStream(context.Background(), strings.NewReader(stream), evidence.Options{}, func(e *evidence.Result) error {
		fmt.Printf("line %d: %.12q\n", e.Line, e.ContentHash())
		for _, f := range e.Findings {
			fmt.Printf("line %d: %v: %s [%s]\n", e.Line, f.Severity, f.Message, f.Rule)
		}
		return nil
	})
	fmt.Println(total.Events, total.Hashed, total.Rooted, err)
	// Output:
	// line 1: "sha256:8679b"
	// line 2: ""
	// line 2: error: member data is missing [data.missing]
	// 2 1 false <nil>
}

func ExampleHasher_explain() {
	h := evidence.NewHasher(evidence.Options{Explain: true})
	event, err := h.Hash([]byte(`{"type":"a","subject":"tool:x","specversion":"1.0","id":"r:0","data":{"z":1,"a":1.50}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", event.Explanation.Input)
	for _, m := range event.Explanation.Covered {
		fmt.Printf("%s %d–%d %q\n", m.Name, m.Start, m.End, m.Note)
	}
	fmt.Println("not covered:", event.Explanation.NotCovered)
	// Output:
	// {"data":{"a":1.5,"z":1},"datacontenttype":"application/json","specversion":"1.0","subject":"tool:x","type":"a"}
	// data 69–85 ""
	// datacontenttype 0–0 "assumed"
	// specversion 45–50 ""
	// subject 22–30 ""
	// type 8–11 ""
	// not covered: [id]
}

// What was read for the hash answers every other question about the event.
func ExampleEvent() {
	result, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(
		`{"specversion":"1.0","type":"assay.tool.decision","assayseq":7,"site":"b","data":{"tool":"read_file","args":{"path":"/etc/hosts"}}}`))
	if err != nil || result.Event == nil {
		fmt.Println(err, result.Findings)
		return
	}
	e := result.Event
	number, ok := e.Get(evidence.AttrSequence).Int()
	fmt.Println("sequence number:", number, ok, "time:", e.Get(evidence.AttrTime).Exists())
	for member := range e.Root().Children() {
		if evidence.AttributeOf(member.Name()) == evidence.AttrOther {
			fmt.Printf("extension: %s=%s\n", member.Name(), member.Raw())
		}
	}
	for v := range e.Get(evidence.AttrData).All() {
		if text, ok := v.Text(); ok {
			start, end := v.Span()
			fmt.Printf("%s: %q, bytes %d to %d\n", v.Pointer(), text, start, end)
		}
	}
	// Output:
	// sequence number: 7 true time: false
	// extension: site="b"
	// /data/tool: "read_file", bytes 89 to 100
	// /data/args/path: "/etc/hosts", bytes 116 to 128
}

// A run root is signed, so anyone with the public key can detect a rewritten run.
func ExampleSigner() {
	public, private, _ := ed25519.GenerateKey(nil)
	var signer evidence.Signer
	signer, _ = seal.NewSigner(private)
	message := seal.PreAuthEncoding("text/plain", []byte(evidence.RunRoot("sha256:aaa", "sha256:bbb")))
	signature, err := signer.Sign(context.Background(), message)
	fmt.Println(len(signature), err)

	var verifier evidence.Verifier
	verifier, _ = seal.NewVerifier(public)
	fmt.Println(verifier.Verify(context.Background(), message, signature))
	fmt.Println(verifier.Verify(context.Background(), message[1:], signature))
	// Output:
	// 64 <nil>
	// <nil>
	// bad signature
}

func ExampleDiagnose() {
	event := `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":3}}`
	// The producer hashed data alone: printf '{"hits":3}' | sha256sum
	for _, note := range evidence.Diagnose([]byte(event), "sha256:5429ed31f7eec9dbc86e358b3bacc5eb07eba26715ab1e05c802841f2d3fbd57", evidence.Limits{}) {
		fmt.Println(note)
	}
	// Output: the recorded value is the hash with this mistake: only data was hashed, without the type and the other members
}

func ExampleRunRoot() {
	// printf '%s\n' sha256:aaa sha256:bbb | sha256sum
	fmt.Println(evidence.RunRoot("sha256:aaa", "sha256:bbb"))
	// Output: sha256:cb78ea919fd708c5efe1476b2821acf96916d5afb505323f0149e422fac90fd8
}
