package report

import (
	"fmt"
	"io"
	"slices"
)

// format is one row of the list of formats.
type format struct {
	name string
	open constructor

	// everyRule: a finding that breaks several rules is written once for each.
	everyRule bool
	// asked: only for runs whose Formats name it.
	asked bool
	// listing: nothing is shown of a good answer with a Listing but that.
	listing bool
	// mute: what is written has no place for a failure.
	mute bool
}

// constructor makes the writer of one format.
type constructor func(w io.Writer, run Run, opt Options) Writer

// formats are all of them, in the order the help shows them.
var formats = []format{
	{name: "text", open: newText, listing: true},
	{name: "short", open: newShort},
	{name: "json", open: newJSON, everyRule: true},
	{name: "jsonl", open: newJSONLines, everyRule: true},
	{name: "sarif", open: newSARIF},
	{name: "github", open: newGitHub},
	{name: "junit", open: newJUnit},
	{name: "html", open: newHTML},
	{name: "markdown", open: newMarkdown},
	{name: "ndjson", open: newEventLines, asked: true, mute: true},
	{name: "cloudevents-batch", open: newEventBatch, asked: true, mute: true},
}

// Formats are the formats of every report, in the order the help shows them.
func Formats() []string {
	var names []string
	for _, f := range formats {
		if !f.asked {
			names = append(names, f.name)
		}
	}
	return names
}

// New returns the writer for a format, or an error when there is no such format.
func New(name string, w io.Writer, run Run, opt Options) (Writer, error) {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return nil, fmt.Errorf("unknown format %q", name)
	}
	writer := formats[i].open(w, run, opt)
	if formats[i].everyRule {
		writer = &everyRule{Writer: writer}
	}
	return writer, nil
}

// ListingOnly reports whether all these formats show nothing of a good answer with a
// Listing but that, so that one answer may hold the lines of many.
func ListingOnly(names []string) bool {
	return !slices.ContainsFunc(formats, func(f format) bool { return !f.listing && slices.Contains(names, f.name) })
}

// IsMute reports whether what is written in a format has no place for a failure: a part of it
// looks like the whole.
func IsMute(name string) bool {
	return slices.ContainsFunc(formats, func(f format) bool { return f.name == name && f.mute })
}

// KnownFormats are the names that New accepts for the run, in the order the help shows them.
func (r Run) KnownFormats() []string {
	if r.Formats == nil {
		return Formats()
	}
	return r.Formats
}
