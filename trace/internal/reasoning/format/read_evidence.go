package format

import "github.com/cupel-dev/cupel/internal/strictjson"

type evidenceMember uint8

const (
	evidenceID evidenceMember = iota
	evidenceURI
	evidenceSpan
	evidenceSHA256
	evidencePath
	evidenceChunkID
)

var evidenceShape = shape[evidenceMember]{
	evidenceID:      {name: "id", want: aString, must: true},
	evidenceURI:     {name: "uri", want: aString, must: true},
	evidenceSpan:    {name: "span", want: aSpan, must: true},
	evidenceSHA256:  {name: "sha256", want: aString, must: true},
	evidencePath:    {name: "content_path", want: aString, must: true},
	evidenceChunkID: {name: "chunk_id", want: aString, must: true},
}

type evidenceReader struct {
	*objects
	at location
}

func (r *evidenceReader) read(n strictjson.Node) (id Text, e Evidence) {
	out := read(r.objects, n, r.at, evidenceShape)
	return textOf(out.at(evidenceID)), Evidence{
		URI: textOf(out.at(evidenceURI)), Span: spanOf(out.at(evidenceSpan)), SHA256: hashOf(textOf(out.at(evidenceSHA256))),
		Path: textOf(out.at(evidencePath)), ChunkID: hashOf(textOf(out.at(evidenceChunkID))),
	}
}
