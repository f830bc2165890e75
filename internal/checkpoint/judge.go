package checkpoint

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
)

// Result says who signed a checkpoint.
type Result struct {
	Origin       string        `json:"origin"`
	Size         int64         `json:"size"`
	Root         string        `json:"root"` // base64, as in the checkpoint
	SignedBy     []string      `json:"signed_by"`
	Cosignatures []Cosignature `json:"cosignatures"`
	Unchecked    int           `json:"unchecked,omitempty"` // cosignatures of ML-DSA keys
}

// Cosignature is a valid cosignature of a known witness.
type Cosignature struct {
	Name string `json:"name"`
	Time string `json:"time"`
}

func base64Of(sum digest.Sum) string { return base64.StdEncoding.EncodeToString(sum[:]) }

// Judge verifies the signatures of a checkpoint against a policy at a time.
func (c *Checkpoint) Judge(p *Policy, now time.Time) (r Result, found []finding.Finding) {
	r = Result{Origin: c.Origin, Size: c.Size, Root: base64Of(c.Root), SignedBy: []string{}, Cosignatures: []Cosignature{}}
	add := func(id rule, message, help string) {
		f := rules[id].New(message)
		f.Help = help
		found = append(found, f)
	}
	signed, _, bad := c.verify(p.logs)
	if bad != "" {
		add(ruleSignature, fmt.Sprintf("the signature of %s does not match the checkpoint", say.Quoted(bad)), "")
		return r, found
	}
	for _, s := range c.signatures {
		for _, k := range p.logs {
			if signed[k].base64 == s.base64 {
				r.SignedBy = append(r.SignedBy, k.String())
			}
		}
	}
	if len(signed) == 0 {
		add(ruleUnknownKey, "no known log key has signed the checkpoint, expected "+strings.Join(p.logs.names(), " or "), "ask the log's operator for its key")
		return r, found
	}
	if named := p.logs.named(c.Origin, signed); !named {
		add(ruleOrigin, fmt.Sprintf("the origin is %s, but the key that signed has another name", say.Quoted(c.Origin)), "")
	}
	witnessed, unchecked, bad := c.verify(p.witnesses)
	if r.Unchecked = unchecked; bad != "" {
		add(ruleSignature, fmt.Sprintf("the cosignature of %s does not match the checkpoint", say.Quoted(bad)), "")
		return r, found
	}
	for _, k := range p.witnesses {
		s, ok := witnessed[k]
		if !ok {
			continue
		}
		seconds, _ := cosignedAt(s.raw) // it is verified
		at := time.Unix(seconds, 0).UTC()
		r.Cosignatures = append(r.Cosignatures, Cosignature{k.name, at.Format(time.RFC3339)})
		if at.After(now) {
			add(ruleFuture, fmt.Sprintf("%s cosigned at %s, which is in the future", say.Quoted(k.name), at.Format(time.RFC3339)), "check the clock of this machine and of the witness")
		}
	}
	if ok, missing := p.met(witnessed); !ok {
		help := ""
		if unchecked > 0 {
			help = "cosignatures of ML-DSA keys are not checked, and do not count"
		}
		add(ruleQuorum, "the checkpoint has "+missing, help)
	}
	return r, found
}

func (list Keys) named(origin string, signed map[Key]signature) bool {
	for _, k := range list {
		if _, ok := signed[k]; ok && k.name == origin {
			return true
		}
	}
	return false
}

// Compare compares a whole log with a checkpoint, and with the last one that was seen of its origin, if any. The tree
// must have been asked for the roots at both sizes.
func (l *Lines) Compare(c *Checkpoint, seen *Head) (found []finding.Finding) {
	add := func(id rule, message, expected, actual string) {
		f := rules[id].New(message)
		f.Expected, f.Found = expected, actual
		found = append(found, f)
	}
	root := l.roots[c.Size]
	switch {
	case l.Size() < c.Size, l.cut && l.Size() == c.Size && root != c.Root:
		add(ruleTruncated, fmt.Sprintf("the log has %s, fewer than the %d of the checkpoint", say.Counted(l.complete(c), "complete event"), c.Size), fmt.Sprint(c.Size), fmt.Sprint(l.complete(c)))
	case root == c.Root:
	case l.Size() == c.Size:
		add(ruleFork, fmt.Sprintf("the log has the %s of the checkpoint, but other content", say.Counted(c.Size, "event")), base64Of(c.Root), base64Of(root))
	default:
		add(ruleRewritten, fmt.Sprintf("the first %s of the log are not those of the checkpoint", say.Counted(c.Size, "event")), base64Of(c.Root), base64Of(root))
	}
	switch {
	case seen == nil:
	case c.Size < seen.Size:
		add(ruleRollback, fmt.Sprintf("the checkpoint has %s, but an earlier run saw one with %d", say.Counted(c.Size, "event"), seen.Size), fmt.Sprint(seen.Size), fmt.Sprint(c.Size))
	case c.Size == seen.Size && c.Root != seen.Root:
		add(ruleFork, fmt.Sprintf("an earlier run saw another checkpoint of %s", say.Counted(c.Size, "event")), base64Of(seen.Root), base64Of(c.Root))
	case len(found) == 0 && l.roots[seen.Size] != seen.Root:
		add(ruleRewritten, fmt.Sprintf("the first %s of the log are not those of the checkpoint that an earlier run saw", say.Counted(seen.Size, "event")), base64Of(seen.Root), base64Of(l.roots[seen.Size]))
	}
	return found
}

// complete returns the number of events, without a last one that was cut.
func (l *Lines) complete(c *Checkpoint) int64 {
	if l.cut && l.Size() <= c.Size {
		return l.Size() - 1
	}
	return l.Size()
}

// Malformed returns the finding for a text that is not a checkpoint or a proof.
func Malformed(err error) finding.Finding { return rules[ruleShape].New(err.Error()) }

// NotIncluded returns the finding for a proof that does not lead from an event to the checkpoint's root.
func NotIncluded(index int64) finding.Finding {
	return rules[ruleProof].New(fmt.Sprintf("the proof does not show that the line is event %d of the checkpoint", index))
}

// StateSchema names the JSON form of State.
const StateSchema = "cupel.checkpoint-state/1"

// State is what a verifier or a witness remembers: the last checkpoint of each origin.
type State struct {
	Schema  string          `json:"schema"`
	Witness string          `json:"witness,omitempty"` // vkey of the witness
	Logs    map[string]Seen `json:"logs"`
}

// Seen is the last checkpoint of an origin.
type Seen struct {
	Size int64  `json:"size"`
	Root string `json:"root"`           // base64
	VKey string `json:"vkey,omitempty"` // key of the log, for a witness
}

// ParseState parses a state. An empty text is an empty state.
func ParseState(text []byte) (s State, err error) {
	if len(text) == 0 {
		return State{Schema: StateSchema, Logs: map[string]Seen{}}, nil
	}
	if json.Unmarshal(text, &s) != nil || s.Schema != StateSchema || s.Logs == nil {
		return s, errors.New("the file is not a state of checkpoints")
	}
	for origin := range s.Logs {
		if _, err := s.head(origin); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s State) head(origin string) (h Head, err error) {
	seen := s.Logs[origin]
	root, err := decode(seen.Root)
	if err != nil || len(root) != len(h.Root) || seen.Size < 0 || seen.Size > maxSize {
		return h, fmt.Errorf("the state of %s is not a size and a root", say.Quoted(origin))
	}
	return Head{origin, seen.Size, digest.Sum(root)}, nil
}

// Last returns the last head of an origin, or nil.
func (s State) Last(origin string) *Head {
	if _, ok := s.Logs[origin]; !ok {
		return nil
	}
	h, err := s.head(origin)
	if err != nil {
		return nil // ParseState has refused it
	}
	return &h
}

// Remember sets the last checkpoint of its origin.
func (s State) Remember(c *Checkpoint, vkey string) {
	s.Logs[c.Origin] = Seen{c.Size, base64Of(c.Root), vkey}
}
