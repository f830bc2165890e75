package attest

import (
	"bytes"
	"encoding/json"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// MaxMetadata limits plugin metadata, in bytes. Members beyond it are dropped.
const MaxMetadata = 1024

// SubmitPluginResult records the result of a client's plugin (§2.4). Record adds its score to the history.
func (e *Engine) SubmitPluginResult(traceID, plugin string, r Result) {
	metadata, omitted := e.boundMetadata(r.Metadata)
	e.compiler.Plugins().Put(traceID, r.AssertionID, plugin, check.PluginResult{
		Status: string(r.Status), Score: r.Score, Explanation: r.Explanation,
		Cost: cleanCost(r.Cost), DurationMS: max(0, r.DurationMS), Metadata: metadata, Omitted: omitted,
	})
}

// boundMetadata returns the members of an object that fit MaxMetadata, in order, and the number of omitted ones. It
// returns "" for other values.
func (e *Engine) boundMetadata(text string) (object string, omitted int) {
	doc, err := scan.New(e.opt.Limits.JSONDepth, e.opt.Limits.Values).Scan([]byte(text))
	if text == "" || err != nil || !doc.Root().Is(strictjson.Object) {
		return "", 0
	}
	var kept, value bytes.Buffer
	kept.WriteByte('{')
	for member := range doc.Root().Children() {
		value.Reset()
		size := kept.Len() + len(member.KeyRaw()) + len(",:}")
		if err := json.Compact(&value, member.Raw()); err != nil || size+value.Len() > MaxMetadata {
			omitted++
			continue
		}
		if kept.Len() > 1 {
			kept.WriteByte(',')
		}
		kept.Write(member.KeyRaw())
		kept.WriteByte(':')
		kept.Write(value.Bytes())
	}
	kept.WriteByte('}')
	if kept.Len() == len("{}") {
		return "", omitted
	}
	return kept.String(), omitted
}
