package payload

import (
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/policypair"
)

// cluster is a digest in a decision with the members that describe it.
type cluster struct {
	digest     int
	others     []int
	incomplete rule // the digest exists, another member is missing
	alone      rule // another member exists, the digest is missing
}

var policyCluster = cluster{
	digest:     decisionShape.place("policy_snapshot_digest"),
	others:     places("policy_snapshot_digest_alg", "policy_snapshot_canonicalization", "policy_snapshot_schema"),
	incomplete: policyIncomplete, alone: policyAlone,
}

var toolCluster = cluster{
	digest:     decisionShape.place("tool_definition_digest"),
	others:     places("tool_definition_digest_alg", "tool_definition_canonicalization", "tool_definition_schema", "tool_definition_source"),
	incomplete: toolIncomplete, alone: toolAlone,
}

// The members of a decision that rules name.
var (
	atDecision  = decisionShape.place("decision")
	atPolicy    = decisionShape.place("policy_digest")
	atSnapshot  = decisionShape.place("policy_snapshot_digest")
	atDelegator = decisionShape.place("delegated_from")
	atDepth     = decisionShape.place("delegation_depth")
)

func places(names ...string) (list []int) {
	for _, name := range names {
		list = append(list, decisionShape.place(name))
	}
	return list
}

// decision checks relations between a decision's members.
func (c *Checker) decision() {
	c.cluster(&policyCluster)
	c.cluster(&toolCluster)
	c.samePolicy()
	if v := c.values[atDepth]; !v.Missing() && c.values[atDelegator].Missing() {
		c.refuse(1<<atDelegator, depthAlone, v, "member delegation_depth is present, but delegated_from is not")
	}
	if v := c.values[atDecision]; isText(v) && string(v.TextBytes(c.scratch)) == decisionError {
		c.at(decisionIsError, v, `the decision is "error", which ADR-006 does not list`)
	}
}

func (c *Checker) cluster(k *cluster) {
	var missing, there uint32
	var first evidence.Value
	for _, i := range k.others {
		switch v := c.values[i]; {
		case v.Missing():
			missing |= 1 << i
		case there == 0:
			first = v
			fallthrough
		default:
			there |= 1 << i
		}
	}
	name := decisionShape.members[k.digest].name
	switch v := c.values[k.digest]; {
	case !v.Missing() && missing != 0:
		c.refuse(missing, k.incomplete, v, "member "+name+" is present without "+decisionShape.list(missing))
	case !v.Missing() || there == 0:
	case rules[k.alone].Severity == evidence.SeverityError:
		c.refuse(1<<k.digest, k.alone, first, decisionShape.list(there)+" without the digest "+name)
	default:
		c.at(k.alone, first, decisionShape.list(there)+" without the digest "+name)
	}
}

// samePolicy checks that the snapshot's digest is that of the policy.
func (c *Checker) samePolicy() {
	snapshot, policy := c.values[atSnapshot], c.values[atPolicy]
	switch policypair.Compare(snapshot, policy) {
	case policypair.Unpaired:
		if isText(snapshot) {
			c.at(policyAbsent, snapshot, "member policy_snapshot_digest is present, but policy_digest, which it describes, is not")
		}
	case policypair.Different:
		if isText(snapshot) && isText(policy) { // the shape rules report what is not a text
			c.at(policyDiffers, snapshot, "member policy_snapshot_digest differs from policy_digest")
		}
	}
}
