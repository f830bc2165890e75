package transcript

import "github.com/cupel-dev/cupel/internal/strictjson"

// format is an entry of the table of formats.
type format struct {
	name Format
	// is reports whether an object is a record of the format (JSON lines).
	is func(root strictjson.Node) bool
	// proof reports whether no other format has such a record. A file of lines needs one.
	proof func(root strictjson.Node) bool
	// document reports whether a document's members are those of the format. Of lists, first has
	// only the first element.
	document func(first map[string]strictjson.Node) bool
	// marks are the member names by which a damaged line is still recognized; nil: by none.
	marks []string
	// read parses a record. list is the document member that contains it; "" for a line.
	read func(list string, root strictjson.Node, r *Record)
}

// formats lists the formats in detection order.
var formats = []format{
	{name: ClaudeCode, is: isClaude, read: readClaude, marks: []string{"sessionId", "parentUuid", "type"}},
	{name: Codex, is: isCodex, marks: []string{"timestamp", "type", "payload"}, read: readCodex},
	{
		name: Copilot, is: isCopilot, proof: provesCopilot, read: readCopilot,
		marks: []string{"id", "parentId", "type", "timestamp", "data"},
	},
	{
		name: Gemini, is: isGemini, proof: provesGemini, document: isGeminiDocument, read: readGemini,
		marks: []string{"sessionId", "projectHash"},
	},
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

// Is reports whether an object can be a record of a JSON lines format.
func Is(name Format, root strictjson.Node) bool {
	f := formatOf(name)
	return f != nil && f.is != nil && f.is(root)
}

// Read parses a record into r, except for its place. list is the document member that contains it; "" for a line.
func Read(name Format, list string, root strictjson.Node, r *Record) {
	place := r.Place
	r.reset()
	r.Place, r.Root = place, root
	if f := formatOf(name); f != nil {
		f.read(list, root, r)
	}
}
