package naive

import "strings"

// spec compares the spec that the header names with the plan's.
func (c *reasoningCheck) spec() {
	if c.header == nil {
		return
	}
	stated, ok := text(c.header.members, "spec_id")
	if ok && c.beside.spec != "" && stated != c.beside.spec {
		c.warn("plan.spec_mismatch", c.header.line)
	}
}

// listings maps members of outputs to the kind of the objects they name.
var listings = map[string]string{
	"evidence_ids": "evidence_registered", "claim_ids": "claim_emitted", "final_claim_ids": "claim_emitted",
	"validated_claim_ids": "claim_emitted", "rejected_claim_ids": "claim_emitted", "missing_support_claim_ids": "claim_emitted",
}

// outputs finds ids in step outputs that no earlier event has.
func (c *reasoningCheck) outputs() {
	for i, e := range c.events {
		if e.kind != "step_finished" {
			continue
		}
		kind, typed := text(e.detail, "type")
		if !typed {
			kind, _ = text(e.detail, "kind")
		}
		output := c.renamed(e.detail, kind)
		for member, brings := range listings {
			list, _ := output[member].([]any)
			if !strings.Contains(" "+outputs[kind], " "+member+":") {
				continue // a member that means nothing in this output
			}
			for _, id := range list {
				if !c.places.before(i, brings, id.(string)) {
					c.warn("ref.output_unknown", e.line)
				}
			}
		}
	}
}

// chunk compares the id of a chunk with its bytes in a file with a correct hash.
func (c *reasoningCheck) chunk(e readEvent, name string, from, to, size int64) {
	id, _ := text(e.detail, "chunk_id")
	if to-from == size {
		from, to = 0, size
	}
	if !isHash(id) || to > size {
		return
	}
	if digest, _, rule := c.sumOf(c.run.Evidence, name, from, to); rule == "" && digest != id {
		c.warn("hash.chunk", e.line)
	}
}
