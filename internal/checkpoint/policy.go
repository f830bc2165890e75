package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
)

// Policy says which logs' keys are known, and which witnesses must have cosigned a checkpoint.
type Policy struct {
	logs      Keys
	witnesses Keys
	parties   map[string]party
	quorum    string // of parties; "": none
}

// party is a witness or a group.
type party struct {
	key     Key // of a witness
	need    int // members of a group
	members []string
	taken   bool // it is a member of a group
}

// Of returns the policy that any of the logs' keys and each of the witnesses' keys must have signed.
func Of(keys Keys) (*Policy, error) {
	p := &Policy{parties: map[string]party{}}
	all := party{}
	for _, k := range keys {
		if err := p.distinct(k); err != nil {
			return nil, err
		}
		if k.kind == typeLog {
			p.logs = append(p.logs, k)
			continue
		}
		p.witnesses = append(p.witnesses, k)
		p.parties[k.String()] = party{key: k}
		all.members = append(all.members, k.String())
	}
	if len(p.logs) == 0 {
		return nil, errors.New("expected the key of a log, but the keys are those of witnesses")
	}
	if all.need = len(all.members); all.need > 0 {
		p.quorum = "all"
		p.parties[p.quorum] = all
	}
	return p, nil
}

// distinct returns an error if a public key is already known.
func (p *Policy) distinct(k Key) error {
	for _, other := range slices.Concat(p.logs, p.witnesses) {
		if other.public == k.public {
			return fmt.Errorf("the key of %s occurs twice", say.Quoted(k.name))
		}
	}
	return nil
}

// MaxPolicyBytes limits a policy file.
const MaxPolicyBytes = 1 << 20

// ParsePolicy parses a policy file. The error names the line.
func ParsePolicy(text []byte) (*Policy, error) {
	p := &Policy{parties: map[string]party{}}
	quorum := false
	at := 0
	for line := range bytes.Lines(text) {
		at++
		items := strings.FieldsFunc(strings.TrimSuffix(string(line), "\n"), func(r rune) bool { return r == ' ' || r == '\t' })
		if len(items) == 0 || strings.HasPrefix(items[0], "#") {
			continue
		}
		var err error
		switch {
		case strings.ContainsFunc(string(bytes.TrimRight(line, "\n")), func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
			err = errors.New("the line has a control character")
		case items[0] == "log":
			err = p.log(items[1:])
		case items[0] == "witness":
			err = p.witness(items[1:])
		case items[0] == "group":
			err = p.group(items[1:])
		case items[0] == "quorum" && quorum:
			err = errors.New("a second quorum, expected exactly one")
		case items[0] == "quorum":
			quorum = true
			err = p.setQuorum(items[1:])
		default:
			err = fmt.Errorf("unknown item %s, expected log, witness, group or quorum", say.Quoted(items[0]))
		}
		if err != nil {
			return nil, fmt.Errorf("in line %d, %w", at, err)
		}
	}
	switch {
	case !quorum:
		return nil, errors.New("the quorum line is missing")
	case len(p.logs) == 0:
		return nil, errors.New("a log line is missing")
	}
	return p, nil
}

func (p *Policy) log(items []string) error {
	if len(items) < 1 || len(items) > 2 {
		return errors.New("expected log VKEY [URL]")
	}
	k, err := ParseKey(items[0])
	if err == nil && k.kind != typeLog {
		err = fmt.Errorf("the key of %s is not of a log, expected Ed25519 (type 1)", say.Quoted(k.name))
	}
	if err == nil {
		err = p.distinct(k)
	}
	p.logs = append(p.logs, k)
	return err
}

func (p *Policy) witness(items []string) error {
	if len(items) < 2 || len(items) > 3 {
		return errors.New("expected witness NAME VKEY [URL]")
	}
	k, err := ParseKey(items[1])
	if err == nil && k.kind == typeLog {
		err = fmt.Errorf("the key of %s is not of a witness, expected type 4 or 6", say.Quoted(k.name))
	}
	if err == nil {
		err = p.distinct(k)
	}
	if err == nil {
		err = p.define(items[0], party{key: k})
	}
	p.witnesses = append(p.witnesses, k)
	return err
}

func (p *Policy) define(name string, what party) error {
	if _, ok := p.parties[name]; ok || name == "none" {
		return fmt.Errorf("the name %s is taken", say.Quoted(name))
	}
	p.parties[name] = what
	return nil
}

func (p *Policy) group(items []string) error {
	if len(items) < 3 {
		return errors.New("expected group NAME all|any|K NAME…")
	}
	g := party{members: items[2:]}
	switch items[1] {
	case "any":
		g.need = 1
	case "all":
		g.need = len(g.members)
	default:
		k, err := size(items[1])
		if err != nil || k < 1 || k > int64(len(g.members)) {
			return fmt.Errorf("%s is not a number of members, expected all, any, or 1 to %d", say.Quoted(items[1]), len(g.members))
		}
		g.need = int(k)
	}
	for _, name := range g.members {
		member, ok := p.parties[name]
		switch {
		case !ok:
			return undefined(name)
		case member.taken:
			return fmt.Errorf("%s is a member twice", say.Quoted(name))
		}
		member.taken = true
		p.parties[name] = member
	}
	return p.define(items[0], g)
}

func undefined(name string) error {
	return fmt.Errorf("no line above defines %s", say.Quoted(name))
}

func (p *Policy) setQuorum(items []string) error {
	if len(items) != 1 {
		return errors.New("expected quorum NAME or quorum none")
	}
	if items[0] == "none" {
		return nil
	}
	if _, ok := p.parties[items[0]]; !ok {
		return undefined(items[0])
	}
	p.quorum = items[0]
	return nil
}

// met reports whether those who signed meet the quorum, and describes what is missing.
func (p *Policy) met(signed map[Key]signature) (ok bool, missing string) {
	if p.quorum == "" {
		return true, ""
	}
	ok, have := p.meets(p.quorum, signed)
	need := p.parties[p.quorum].need
	if need == 0 {
		need = 1
	}
	return ok, fmt.Sprintf("%s of %s", strconv.Itoa(have), say.Counted(int64(need), "required cosignature"))
}

// meets reports whether a party has signed, and how many of its members have.
func (p *Policy) meets(name string, signed map[Key]signature) (ok bool, have int) {
	it := p.parties[name]
	if len(it.members) == 0 {
		if _, ok := signed[it.key]; ok {
			return true, 1
		}
		return false, 0
	}
	for _, member := range it.members {
		if ok, _ := p.meets(member, signed); ok {
			have++
		}
	}
	return have >= it.need, have
}
