package trace

// AnchorSchema names the JSON form of Anchor.
const AnchorSchema = "cupel.anchor/1"

// Anchor pins a log as it was: how many events, which one last, and all of its bytes.
// Kept where the log's writer cannot reach it, it proves later that the log was not
// cut or rewritten, and that a longer log still begins with this one.
type Anchor struct {
	Schema string `json:"schema"`
	Input  string `json:"input"` // the log's name then; for the reader alone
	Family Family `json:"family"`
	Events int64  `json:"events"`
	Head   string `json:"head"`   // hash of the last event; "" for a log without hashes
	Bytes  int64  `json:"bytes"`  // length of the log
	SHA256 string `json:"sha256"` // digest of these bytes, 64 lower-case digits

	// MerkleRoot is, with the family JSONLines, the root of the Merkle tree over the lines.
	MerkleRoot string `json:"merkle_root,omitempty"`
}
