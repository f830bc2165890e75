package bundle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/internal/say"
)

// Filter selects events by envelope. All conditions must match. The zero Filter selects every event, even an
// unreadable one.
type Filter struct {
	types, subjects []pattern
	runs            []pattern
	since, until    *envelope.Time
	sequences       []interval
}

// interval is a range of sequence numbers, including both ends.
type interval struct{ first, last uint64 }

// FilterText is the text form of a Filter. An empty member selects everything.
type FilterText struct {
	// Types and Subjects are patterns in which "*" matches any characters. One pattern of each list must match. An
	// event without subject matches no subject.
	Types, Subjects []string

	// Runs are patterns for run ids.
	Runs []string

	// Since and Until are the earliest and latest time: an RFC 3339 timestamp, or a date, which means the whole day
	// in UTC.
	Since, Until string

	// Sequences are numbers and ranges, separated by commas: "0-9,12,20-".
	Sequences string
}

// NewFilter parses a filter. The error names the invalid part and its syntax.
func NewFilter(text FilterText) (f Filter, err error) {
	f.types, f.subjects, f.runs = patterns(text.Types), patterns(text.Subjects), patterns(text.Runs)
	if f.since, err = bound("since", text.Since, "T00:00:00Z"); err != nil {
		return f, err
	}
	if f.until, err = bound("until", text.Until, "T23:59:60.999999999Z"); err != nil { // leap seconds are part of the day
		return f, err
	}
	if f.since != nil && f.until != nil && f.until.Compare(*f.since) < 0 {
		return f, fmt.Errorf("until %s is before since %s", f.until, f.since)
	}
	f.sequences, err = intervals(text.Sequences)
	return f, err
}

func bound(name, text, timeOfDay string) (*envelope.Time, error) {
	if text == "" {
		return nil, nil
	}
	for _, whole := range []string{text, text + timeOfDay} {
		if t, _, ok := envelope.ParseTime([]byte(whole)); ok {
			return &t, nil
		}
	}
	return nil, fmt.Errorf("%s is %s, expected a time such as 2026-01-02T03:04:05Z, or a date", name, say.Quoted(text))
}

func intervals(text string) (list []interval, err error) {
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		first, last, ranged := strings.Cut(part, "-")
		if !ranged {
			last = first
		}
		from, err := strconv.ParseUint(first, 10, 64)
		to := ^uint64(0)
		if err == nil && last != "" {
			to, err = strconv.ParseUint(last, 10, 64)
		}
		if err != nil || to < from {
			return nil, fmt.Errorf("seq has %s, expected numbers and ranges such as 0-9,12,20-", say.Quoted(part))
		}
		list = append(list, interval{from, to})
	}
	return list, nil
}

// All reports whether the filter selects every event.
func (f *Filter) All() bool {
	return f.types == nil && f.subjects == nil && f.runs == nil && f.since == nil && f.until == nil && f.sequences == nil
}

// Passes reports whether an event is selected. Its Event must be set, unless unreadable.
func (f *Filter) Passes(r *evidence.Result) bool {
	if f.All() {
		return true
	}
	if r.Event == nil {
		return false
	}
	return anyMatches(f.types, r.Event.Get(evidence.AttrType)) && anyMatches(f.runs, r.Event.Get(evidence.AttrRunID)) && anyMatches(f.subjects, r.Event.Get(evidence.AttrSubject)) &&
		f.inTime(r.Event) && f.inSequence(r.Event)
}

func (f *Filter) inTime(e *evidence.Event) bool {
	if f.since == nil && f.until == nil {
		return true
	}
	t, _, ok := envelope.ParseTime(e.Get(evidence.AttrTime).TextBytes(nil))
	return ok && (f.since == nil || t.Compare(*f.since) >= 0) && (f.until == nil || t.Compare(*f.until) <= 0)
}

func (f *Filter) inSequence(e *evidence.Event) bool {
	if f.sequences == nil {
		return true
	}
	n, err := strconv.ParseUint(string(e.Get(evidence.AttrSequence).Raw()), 10, 64)
	return err == nil && slices.ContainsFunc(f.sequences, func(i interval) bool { return i.first <= n && n <= i.last })
}

// pattern is the parts of a pattern between its stars.
type pattern []string

func patterns(texts []string) (list []pattern) {
	for _, text := range texts {
		list = append(list, strings.Split(text, "*"))
	}
	return list
}

// anyMatches reports whether a value is a string that matches one of the patterns. An empty list matches
// everything.
func anyMatches(list []pattern, value evidence.Value) bool {
	if list == nil {
		return true
	}
	text, ok := value.Text()
	return ok && slices.ContainsFunc(list, func(p pattern) bool { return p.matches(text) })
}

func (p pattern) matches(text string) bool {
	text, ok := strings.CutPrefix(text, p[0])
	if !ok || len(p) == 1 {
		return ok && text == ""
	}
	last := len(p) - 1
	for _, piece := range p[1:last] {
		_, after, found := strings.Cut(text, piece) // the first place leaves most for the rest
		if !found {
			return false
		}
		text = after
	}
	return strings.HasSuffix(text, p[last])
}
