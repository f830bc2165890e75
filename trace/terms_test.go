package trace_test

import (
	"crypto/ed25519"
	"reflect"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/trace"
	_ "github.com/cupel-dev/cupel/trace/reference"
)

// terms sets one option each, by its field: those that can change the verdict on a
// session log, with their flags, and those that cannot, with "".
var terms = []struct {
	field, flag string
	set         func(*trace.Options)
}{
	{"Engine", "--engine", func(o *trace.Options) { o.Engine = trace.Both }},
	{"Strict", "--strict", func(o *trace.Options) { o.Strict = true }},
	{"Limits.LineBytes", "--max-line-bytes", func(o *trace.Options) { o.Limits.LineBytes = 1 << 20 }},
	{"Limits.Depth", "--max-depth", func(o *trace.Options) { o.Limits.Depth = 99 }},
	{"Limits.Keys", "--max-keys", func(o *trace.Options) { o.Limits.Keys = 99 }},
	{"Limits.Values", "--max-values", func(o *trace.Options) { o.Limits.Values = 99 }},
	{"Session.StrictPayload", "--strict-payload", func(o *trace.Options) { o.Session.StrictPayload = true }},
	{"Session.IntegrityOnly", "--integrity-only", func(o *trace.Options) { o.Session.IntegrityOnly = true }},
	{"Session.Canonicalization", "--canonicalization", func(o *trace.Options) { o.Session.Canonicalization = "strict" }},
	{"Session.TrustedKeys", "--key", func(o *trace.Options) {
		o.Session.TrustedKeys = []ed25519.PublicKey{make(ed25519.PublicKey, ed25519.PublicKeySize)}
	}},
	{"Session.HMACKey", "--hmac-key-file", func(o *trace.Options) { o.Session.HMACKey = []byte("key") }},

	{"Session.Sources", "--sources", func(o *trace.Options) { o.Session.Sources = sourceTexts{} }},

	{"", "", func(o *trace.Options) { o.Engine, o.Session.Canonicalization, o.Limits.Depth = trace.Fast, "auto", 128 }},
	{"Name", "", func(o *trace.Options) { o.Name = "log" }},
	{"Jobs", "", func(o *trace.Options) { o.Jobs = 3 }},
	{"Inline", "", func(o *trace.Options) { o.Inline = true }},
	{"Limits.Findings", "", func(o *trace.Options) { o.Limits.Findings = 1 }},
	{"Limits.IDs", "", func(o *trace.Options) { o.Limits.IDs = 99 }},
	{"Sum", "", func(o *trace.Options) { o.Sum = true }},
	{"OnFinding", "", func(o *trace.Options) { o.OnFinding = func(trace.Finding) {} }},
	{"OnTranscript", "", func(o *trace.Options) { o.OnTranscript = func() {} }},
	{"Reasoning", "", func(o *trace.Options) { o.Reasoning.Contiguous = true }},
}

// endOnly are options about a log's end, which one run asks for by itself, and those that
// make a run one of several, or a log many, or are about transcripts alone: no state is kept
// of that.
var endOnly = []string{"Secrets", "ExpectSHA256", "Anchor", "AnchorGrowing", "After", "Unended", "Diagnose", "Growing", "Resume", "Follow", "BySession", "Limits.Sessions", "Limits.Ended", "Session.ExpectCount", "Session.ExpectHead"}

// TestTerms resumes under each two of the options: a run is refused if an option that can change a verdict differs,
// and the error lists exactly those.
func TestTerms(t *testing.T) {
	log := workingDay(t, 4)
	for _, before := range terms {
		earlier := trace.Options{Growing: true}
		before.set(&earlier)
		state := kept(t, verify(t, []byte(log), earlier).State)
		for _, now := range terms {
			opt := trace.Options{Resume: state}
			now.set(&opt)
			_, err := trace.Verify(t.Context(), strings.NewReader(log[state.Start():]), opt)
			if before.flag == now.flag {
				if err != nil {
					t.Errorf("%s, then %s: %v", before.field, now.field, err)
				}
				continue
			}
			named := ""
			if err != nil {
				named = strings.TrimPrefix(err.Error(), "the state was written under another ")
			}
			for _, term := range terms {
				differs := term.flag != "" && (term.flag == before.flag || term.flag == now.flag)
				if got := contains(named, term.flag); term.flag != "" && got != differs {
					t.Errorf("%s, then %s: %s is named: %v (%v)", before.field, now.field, term.flag, got, err)
				}
			}
		}
	}
}

func contains(named, flag string) bool {
	for name := range strings.SplitSeq(named, ", another ") {
		if name == flag {
			return true
		}
	}
	return false
}

// TestTermsAreAll: no option is forgotten.
func TestTermsAreAll(t *testing.T) {
	known := map[string]bool{}
	for _, term := range terms {
		known[term.field] = true
	}
	for _, field := range endOnly {
		known[field] = true
	}
	var look func(of reflect.Type, prefix string)
	look = func(of reflect.Type, prefix string) {
		for i := range of.NumField() {
			field := of.Field(i)
			switch name := prefix + field.Name; {
			case name == "Limits" || name == "Session":
				look(field.Type, name+".")
			case !known[name]:
				t.Errorf("can %s change a verdict? It is no term, and not among the other options here", name)
			}
		}
	}
	look(reflect.TypeFor[trace.Options](), "")
}

// TestVersionIsATerm: another version does not go on either, nor a state without terms.
func TestVersionIsATerm(t *testing.T) {
	state := kept(t, grown(t, workingDay(t, 4), nil).State)
	version := buildinfo.Version
	buildinfo.Version = version + ".1"
	defer func() { buildinfo.Version = version }()
	if err := state.CheckOptions(trace.Options{}); err == nil || !strings.HasSuffix(err.Error(), " another version of cupel") {
		t.Error(err)
	}
	state.Terms = nil
	for _, err := range []error{state.Check(), state.CheckOptions(trace.Options{})} {
		if err == nil || !strings.Contains(err.Error(), "does not say under which version") {
			t.Error(err)
		}
	}
}
