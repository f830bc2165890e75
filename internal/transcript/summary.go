package transcript

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript/ids"
)

// Summary counts the content of a transcript. Memory grows with named tools, models, files and calls.
type Summary struct {
	Turns     int64 // user prompts in the main thread
	Answers   int64 // model responses, including subagents
	Subagents int64

	tools   map[string]*ToolCount
	models  map[string]int64
	files   map[string]int64
	calls   ids.Set
	open    ids.Column[uint16] // of each call: the place of its tool in byPlace and 1, or 0 after its result
	places  map[*ToolCount]uint16
	byPlace []*ToolCount
	seen    ids.Set
	agents  map[uint64]bool
	run     bool
	format  Format
}

type ToolCount struct {
	Name       string `json:"name"`
	Calls      int64  `json:"calls"`
	Failed     int64  `json:"failed"`
	Unanswered int64  `json:"without_result"`
}

// Count is a name and its count.
type Count struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

const maxNamed = 10_000 // distinct files, tools and models

// NewSummary returns an empty summary.
func NewSummary(f Format) *Summary {
	return &Summary{
		format: f, tools: map[string]*ToolCount{}, models: map[string]int64{}, files: map[string]int64{},
		places: map[*ToolCount]uint16{}, agents: map[uint64]bool{},
	}
}

func (s *Summary) Add(_ string, r *Record) {
	fresh := s.fresh(r)
	if r.Has(Prompt) && !r.Has(Side) && fresh {
		s.Turns++
	}
	if r.Has(Side) && !r.Agent.Missing() && !s.agents[Key(r.Agent)] && len(s.agents) < maxNamed {
		s.agents[Key(r.Agent)] = true
		s.Subagents++
	}
	if s.format != Inspect { // a sample is a whole conversation, whose parts are counted
		s.answer(r, fresh)
	}
	for i := range r.Parts {
		s.part(&r.Parts[i])
	}
}

// fresh reports whether a repeatable record occurs for the first time.
func (s *Summary) fresh(r *Record) bool {
	if !r.Has(Update) {
		return true
	}
	_, fresh := s.seen.Add(Key(r.ID))
	return fresh
}

// answer counts the responses of models.
func (s *Summary) answer(r *Record, fresh bool) {
	if !r.Has(Model) || r.Has(Synthetic) {
		s.run = s.run && r.Role == NoRole && len(r.Parts) == 0
		return
	}
	begun := 0
	for i := range r.Parts {
		if r.Parts[i].Kind == Begin {
			begun++
		}
	}
	key := Key(r.Response)
	switch {
	case begun > 0:
		s.Answers += int64(begun)
	case key != 0:
		if _, fresh := s.seen.Add(key); fresh {
			s.Answers++
		}
	case s.format == Codex && s.run:
	case fresh:
		s.Answers++
	}
	s.run = true
	if model := text(r.Model); model != "" && (s.models[model] > 0 || len(s.models) < maxNamed) {
		s.models[model]++
	}
}

func (s *Summary) part(p *Part) {
	switch p.Kind {
	case Turn:
		s.Turns++
	case Begin:
		if s.format == Inspect {
			s.Answers++
		}
	case Call:
		s.call(p)
	case Result:
		n := s.calls.Find(Key(p.ID))
		if n < 0 || *s.open.At(n) == 0 {
			return
		}
		t := s.byPlace[*s.open.At(n)-1]
		*s.open.At(n) = 0
		t.Unanswered--
		if failed(p) {
			t.Failed++
		}
	}
}

// failed reports whether a result is an error.
func failed(p *Part) bool {
	return !p.Error.Missing() && !p.Error.Is(strictjson.True) || isTrue(p.Error)
}

func (s *Summary) call(p *Part) {
	key := Key(p.ID)
	if key != 0 && s.calls.Find(key) >= 0 {
		return
	}
	name := cmp.Or(text(p.Name), p.As, "?")
	t := s.tools[name]
	if t == nil {
		if len(s.tools) >= maxNamed {
			return
		}
		t = &ToolCount{Name: name}
		s.tools[name] = t
		s.byPlace = append(s.byPlace, t)
		s.places[t] = uint16(len(s.byPlace))
	}
	t.Calls++
	if key != 0 && !p.Server {
		t.Unanswered++
		s.calls.Add(key)
		s.open.Append(s.places[t])
	}
	for _, member := range []string{"file_path", "path", "notebook_path", "filePath", "absolute_path"} {
		s.touched(text(p.Value.Last(member)))
	}
	if input := text(p.Value); strings.HasPrefix(input, "*** Begin Patch") {
		for line := range strings.Lines(input) {
			for _, what := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: "} {
				if name, ok := strings.CutPrefix(strings.TrimSpace(line), what); ok {
					s.touched(name)
				}
			}
		}
	}
}

func (s *Summary) touched(name string) {
	if name != "" && (s.files[name] > 0 || len(s.files) < maxNamed) {
		s.files[name]++
	}
}

// Tools returns the tools, most used first.
func (s *Summary) Tools() []ToolCount { return SortedTools(s.tools) }

// SortedTools returns the tools, most used first.
func SortedTools(tools map[string]*ToolCount) (list []ToolCount) {
	for _, t := range tools {
		list = append(list, *t)
	}
	slices.SortFunc(list, func(a, b ToolCount) int { return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Name, b.Name)) })
	return list
}

// Models returns the models and their number of records.
func (s *Summary) Models() []Count { return counts(s.models) }

// Files returns the files in call arguments and their number of calls.
func (s *Summary) Files() []Count { return counts(s.files) }

func counts(m map[string]int64) (list []Count) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, Count{name, m[name]})
	}
	slices.SortStableFunc(list, func(a, b Count) int { return cmp.Compare(b.Count, a.Count) })
	return list
}
