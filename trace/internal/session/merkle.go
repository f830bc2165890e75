package session

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/rfc6962"
	"github.com/cupel-dev/cupel/internal/say"
)

// merkle compares the Merkle root in a SESSION_END of an envelope 1.0 with the events before it.
type merkle struct {
	Leaves rfc6962.Tree
	Merkle sigState
	idle   bool // no event to come carries a root
	after  bool // events before the log are not there
	out    *reporter
}

func (p *merkle) take(e *event) {
	if e.kind != sessionEnd {
		if !p.idle {
			p.Leaves.AddHash(e.hash.Sum)
		}
		return
	}
	root := e.detail.said["merkle_root"]
	switch {
	case !carriesRoot(root):
		return
	case p.after:
		p.Merkle = sigUnchecked
		return
	}
	p.Merkle = sigValid
	what := remark{rule: ruleMerkleRoot, at: payloadMember}
	computed := p.Leaves.Root().Hex()
	switch {
	case !root.is():
		found := say.Article(root.kind.String())
		what.message, what.expected, what.found = fmt.Sprintf("merkle_root is %s, expected a string", found), computed, found
	case root.text != computed:
		what.message, what.expected, what.found = "merkle_root is not the root over the events before", computed, clip(root.text)
	case e.detail.hasLeaves && e.detail.leaves != p.Leaves.Leaves:
		what.message, what.expected, what.found = "merkle_leaf_count is not the number of events before", fmt.Sprint(p.Leaves.Leaves), fmt.Sprint(e.detail.leaves)
	default:
		return
	}
	p.Merkle = sigInvalid
	p.out.fault(e, what)
}

// carriesRoot reports whether a merkle_root must be compared with the previous events.
func carriesRoot(root statement) bool { return root.is() || root.misshapen(false) }
