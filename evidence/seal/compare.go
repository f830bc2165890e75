package seal

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Compare returns the mismatches between an attestation and a bundle: digest, name, predicate
// members. own is the facts of the read and verified bundle; Extent and Tree are required if
// [Attestation.Facts] has them, and ignored otherwise. The attested value is the expected one.
func (a *Attestation) Compare(own Facts) (findings []evidence.Finding) {
	f := a.Facts
	c := comparison{"the attestation covers another bundle", ruleSubject, nil}
	c.texts("/subject/0/digest/sha256", "its SHA-256", f.SHA256.Hex(), own.SHA256.Hex())
	c.texts("/subject/0/name", "its bundle id", f.BundleID, own.BundleID)
	c.what, c.rule = "the attested facts do not match the bundle", rulePredicate
	c.texts("/predicate/semantic_equivalence/value", "its run root", f.RunRoot, own.RunRoot)
	c.texts("/predicate/run/run_id", "its run id", f.RunID, own.RunID)
	c.numbers("/predicate/run/event_count", "its number of events", f.Events, own.Events)
	c.texts("/predicate/run/producer/name", "its producer's name", f.Producer.Name, own.Producer.Name)
	c.texts("/predicate/run/producer/version", "its producer's version", f.Producer.Version, own.Producer.Version)
	if !a.WithoutGit {
		c.texts("/predicate/run/producer/git", "its producer's revision", f.Producer.Git, own.Producer.Git)
	}
	c.texts("/predicate/run/time_window/start", "its earliest time", f.Start, own.Start)
	c.texts("/predicate/run/time_window/end", "its latest time", f.End, own.End)
	if f.Extent != nil {
		c.extent(f.Extent, own.Extent)
	}
	if f.Tree != nil {
		c.tree(*f.Tree, own.Tree)
	}
	for i := range c.findings {
		if a.Line > 0 {
			c.findings[i].Line, c.findings[i].Column = a.Line, 1
		}
	}
	return c.findings
}

// GitMissing returns the warning about an attestation that Trust.WithoutGit has accepted.
func GitMissing() evidence.Finding {
	f := *fault(rulePredicate, "/predicate/run/producer/git", "the attestation does not name the producer's git, as version 5 of the reference implementation wrote it")
	f.Severity = evidence.SeverityWarning
	return f
}

// NotAbout returns the finding for a file without an attestation of a known type about the bundle.
func NotAbout(attestations, about int) *evidence.Finding {
	if about > 0 {
		return fault(rulePredicate, "", "none of the bundle's attestations has a predicate type of evidence")
	}
	return fault(ruleSubject, "", fmt.Sprintf("none of the %d attestations is about the bundle", attestations))
}

// AllForeign returns the finding for a file whose attestations about the bundle are all by untrusted keys.
func AllForeign(about int) *evidence.Finding {
	return fault(ruleSignature, "", fmt.Sprintf("none of the %d attestations about the bundle is signed by a trusted key", about))
}

// Tree returns the attested head of the tree, or a finding that there is none.
func (a *Attestation) Tree() (TreeHead, *evidence.Finding) {
	if a.Facts.Tree == nil {
		f := differs(rulePredicate, "/predicateType", "the attestation does not have the root of the tree", TreePredicateType, a.PredicateType)
		f.Help = "run `cupel evidence attest --tree` to attest the tree"
		return TreeHead{}, f
	}
	return *a.Facts.Tree, nil
}

// HasRedaction compares a redaction report with the attested one. It returns nil if they are equal as JSON.
func (a *Attestation) HasRedaction(report []byte) *evidence.Finding {
	own, attested := canonical(report), canonical(a.Facts.Redaction)
	if own != nil && bytes.Equal(own, attested) {
		return nil
	}
	return fault(rulePredicate, "/predicate/redaction", "the attestation covers another redaction report")
}

// canonical returns a JSON text's canonical form, or nil.
func canonical(text []byte) []byte {
	doc, err := scan(text)
	if err != nil {
		return nil
	}
	return jcs.NewWriter(nil).Append(nil, doc.Root())
}

type comparison struct {
	what     string
	rule     rule
	findings []evidence.Finding
}

func (c *comparison) texts(pointer, name, attested, own string) {
	if attested != own {
		c.findings = append(c.findings, *differs(c.rule, pointer, c.what+": "+name+" differs", attested, own))
	}
}

func (c *comparison) numbers(pointer, name string, attested, own int64) {
	c.texts(pointer, name, strconv.FormatInt(attested, 10), strconv.FormatInt(own, 10))
}

func (c *comparison) tree(attested TreeHead, own *TreeHead) {
	if own == nil {
		own = &TreeHead{}
	}
	c.numbers("/predicate/tree/size", "the size of its tree", attested.Size, own.Size)
	c.texts("/predicate/tree/root", "the root of its tree", attested.Root.String(), own.Root.String())
}

func (c *comparison) extent(attested, own *Extent) {
	const at = "/predicate/extent"
	if own == nil {
		c.texts(at, "its extent", "an extent", "none that can be derived from its events")
		return
	}
	kinds := slices.Sorted(maps.Keys(attested.Types))
	for kind := range own.Types {
		if _, there := attested.Types[kind]; !there {
			kinds = append(kinds, kind)
		}
	}
	count := func(types map[string]int64, kind string) string {
		n, there := types[kind]
		if !there {
			return "none"
		}
		return strconv.FormatInt(n, 10)
	}
	before := len(c.findings)
	for _, kind := range kinds {
		if len(c.findings) == before { // of thousands the first is enough
			c.texts(at+"/retained_events_by_type/"+strictjson.PointerToken(kind), "its number of events of one type", count(attested.Types, kind), count(own.Types, kind))
		}
	}
	c.texts(at+"/observed/basis", "the basis of the observation", attested.Observed.Basis, own.Observed.Basis)
	c.texts(at+"/observed/source_type", "the event with the observation", attested.Observed.Source, own.Observed.Source)
	for _, name := range countNames {
		c.numbers(at+"/observed/counts/"+name, "an observed count", attested.Observed.Counts[name], own.Observed.Counts[name])
	}
}
