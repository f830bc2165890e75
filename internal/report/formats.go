package report

import (
	"fmt"
	"io"
	"slices"
)

type format struct {
	name string
	open constructor

	// everyRule writes a finding once per violated rule.
	everyRule bool
	// asked restricts the format to runs with it in Formats.
	asked bool
	// listing writes only the Listing of good answers.
	listing bool
	// mute means that the output cannot represent a failure.
	mute bool
}

type constructor func(w io.Writer, run Run, opt Options) Writer

// formats lists all formats in help order.
var formats = []format{
	{name: "text", open: newText, listing: true},
	{name: "short", open: newShort},
	{name: "json", open: newJSON, everyRule: true},
	{name: "jsonl", open: newJSONLines, everyRule: true},
	{name: "sarif", open: newSARIF},
	{name: "github", open: newGitHub},
	{name: "junit", open: newJUnit},
	{name: "gitlab", open: newGitLab},
	{name: "checkstyle", open: newCheckstyle},
	{name: "tap", open: newTAP},
	{name: "html", open: newHTML},
	{name: "markdown", open: newMarkdown},
	{name: "ndjson", open: newEventLines, asked: true, mute: true},
	{name: "cloudevents-batch", open: newEventBatch, asked: true, mute: true},
}

// Formats returns the names of the general formats in help order.
func Formats() []string {
	var names []string
	for _, f := range formats {
		if !f.asked {
			names = append(names, f.name)
		}
	}
	return names
}

// New returns the writer of a format, or an error for an unknown format.
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

// ListingOnly reports whether all formats write only the Listing of good answers. Then one answer can contain many
// lines.
func ListingOnly(names []string) bool {
	return !slices.ContainsFunc(formats, func(f format) bool { return !f.listing && slices.Contains(names, f.name) })
}

// IsMute reports whether a format cannot represent a failure, so that partial output looks complete.
func IsMute(name string) bool {
	return slices.ContainsFunc(formats, func(f format) bool { return f.name == name && f.mute })
}

// KnownFormats returns the formats that New accepts for the run, in help order.
func (r Run) KnownFormats() []string {
	if r.Formats == nil {
		return Formats()
	}
	return r.Formats
}
