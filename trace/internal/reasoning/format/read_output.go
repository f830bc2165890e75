package format

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// outputMember is a member of a step's output. Only the form of outputs and the ids in them are checked.
type outputMember uint8

// outputs are the kinds of step outputs and their tables. The discriminators are checked before.
var outputs = [...]struct {
	name  string
	shape shape[outputMember]
}{
	{"understand", shape[outputMember]{
		{name: "type"},
		{name: "kind"},
		{name: "normalized_question", want: aString},
		{name: "assumptions", want: someStrings},
		{name: "task_type", want: aString},
	}},
	{"gather", shape[outputMember]{
		{name: "type"},
		{name: "kind"},
		{name: "evidence_ids", want: evidenceIDs, alias: "evidence_refs"},
		{name: "retrieval_queries", want: someStrings},
		{name: "retrieval_provenance", want: anObject},
	}},
	{"derive", shape[outputMember]{
		{name: "type"},
		{name: "kind"},
		{name: "claim_ids", want: claimIDs, alias: "emitted_claim_ids"},
	}},
	{"verify", shape[outputMember]{
		{name: "type"},
		{name: "kind"},
		{name: "validated_claim_ids", want: claimIDs},
		{name: "rejected_claim_ids", want: claimIDs},
		{name: "missing_support_claim_ids", want: claimIDs, alias: "insufficient_support"},
	}},
	{"finalize", shape[outputMember]{
		{name: "type"},
		{name: "kind"},
		{name: "final_claim_ids", want: claimIDs},
		{name: "final_answer", want: aString},
		{name: "uncertainty", want: aString},
	}},
	{"insufficient", shape[outputMember]{
		{name: "type"},
		{name: "kind"},
		{name: "reason", want: aString},
		{name: "retrieved", want: anInteger},
		{name: "required", want: anInteger},
	}},
}

// outputReader reads step outputs, a union by "type" or "kind".
type outputReader struct {
	*objects
	at   location
	keys siphash.Key
}

func (r *outputReader) read(n strictjson.Node) []Listed {
	name, path, ok := r.discriminator(n)
	if !ok {
		return nil
	}
	wanted := outputName(name)
	for i := range outputs {
		if outputs[i].name == wanted {
			out := read(r.objects, n, r.at, outputs[i].shape)
			return r.listed(&out, outputs[i].shape)
		}
	}
	f := r.objects.at(rule.OutputKindUnknown, path, fault.PlaceOf(name), fmt.Sprintf("unknown output %q", fault.Preview(name.TextBytes(nil))))
	f.Expected = "one of understand, gather, derive, verify, finalize, insufficient (insufficient_evidence)"
	r.reject(f)
	return nil
}

func (r *outputReader) listed(out *members[outputMember], table shape[outputMember]) []Listed {
	b := r.block
	first := len(b.listed)
	for i := range table {
		list := out.at(outputMember(i))
		if table[i].want != evidenceIDs && table[i].want != claimIDs || !list.Is(strictjson.Array) {
			continue
		}
		target := CitesClaim
		if table[i].want == evidenceIDs {
			target = CitesEvidence
		}
		index := 0
		for n := range list.Children() {
			if n.Is(strictjson.String) {
				b.listed = append(b.listed, Listed{idOf(textOf(n), r.keys), target, table[i].name, index})
			}
			index++
		}
	}
	return b.listed[first:len(b.listed):len(b.listed)]
}

// discriminator returns the member that names the kind of output. ok is false if it is missing.
func (r *outputReader) discriminator(n strictjson.Node) (name strictjson.Node, path string, ok bool) {
	name, path = n.Get("type"), r.at.member("type")
	if other := n.Get("kind"); !other.Missing() {
		if name.Missing() {
			name, path = other, r.at.member("kind")
		} else if name.Is(strictjson.String) && outputName(name) != outputName(other) {
			r.reject(r.objects.at(rule.OutputKindConflict, path, fault.PlaceOf(name), fmt.Sprintf("output is of type %s and of kind %s", fault.Preview(name.Raw()), fault.Preview(other.Raw()))))
			return name, path, false
		}
	}
	switch {
	case name.Missing():
		r.reject(r.objects.at(rule.FieldMissing, path, fault.Opening(n), `mandatory member "type" is missing: it says which output this is`))
	case !name.Is(strictjson.String):
		r.wrongType(name, path, "type", aString)
	case name.TextIs(""):
		r.reject(r.objects.at(rule.FieldEmpty, path, fault.PlaceOf(name), `mandatory member "type" is empty`))
	default:
		return name, path, true
	}
	return name, path, false
}

// outputName returns the name of an output kind. Both spellings of the insufficient kind are equal.
func outputName(n strictjson.Node) string {
	name, _ := n.Text()
	if name == "insufficient_evidence" {
		return "insufficient"
	}
	return name
}
