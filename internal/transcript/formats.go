package transcript

import "github.com/cupel-dev/cupel/internal/strictjson"

// format is one entry of the table of formats.
type format struct {
	name Format
	// is says whether an object is a record of the format, when the file is JSON lines.
	is func(root strictjson.Node) bool
	// proof says whether a record is one that no other format has. A file of lines needs one.
	proof func(root strictjson.Node) bool
	// document says whether the members of a document, of which lists hold the first element
	// alone, are those of the format.
	document func(first map[string]strictjson.Node) bool
	// read fills in what a record says. list is the member of the document whose element the
	// record is, or the member itself; "" for a line.
	read func(list string, root strictjson.Node, r *Record)
}

// formats are the formats in the order in which they are tried.
var formats = []format{
	{name: ClaudeCode, is: isClaude, read: readClaude},
	{name: Codex, is: isCodex, read: readCodex},
	{name: Copilot, is: isCopilot, proof: provesCopilot, read: readCopilot},
	{name: Gemini, is: isGemini, proof: provesGemini, document: isGeminiDocument, read: readGemini},
	{name: OpenCode, document: isOpenCode, read: readOpenCode},
	{name: ATIF, document: isATIF, read: readATIF},
	{name: Inspect, document: isInspect, read: readInspect},
}

func formatOf(name Format) *format {
	for i := range formats {
		if formats[i].name == name {
			return &formats[i]
		}
	}
	return nil
}

// Formats returns the names of all formats.
func Formats() (list []Format) {
	for _, f := range formats {
		list = append(list, f.name)
	}
	return list
}

// Is says whether an object can be a record of a format whose files are JSON lines.
func Is(name Format, root strictjson.Node) bool {
	f := formatOf(name)
	return f != nil && f.is != nil && f.is(root)
}

// Read fills in r, but for its place, with what a record says. list is the member of the
// document that holds it; "" for a line.
func Read(name Format, list string, root strictjson.Node, r *Record) {
	place := r.Place
	r.reset()
	r.Place, r.Root = place, root
	if f := formatOf(name); f != nil {
		f.read(list, root, r)
	}
}
