package serve

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

type negotiation struct {
	sdkName, sdkVersion string
	version             int64
	required            []string
	encoding            string
}

// readNegotiation reads the params of initialize (§2.1). All fields are required.
func readNegotiation(params strictjson.Node) (n negotiation, err error) {
	f := fields{node: params, method: methodInitialize}
	n.sdkName = f.text("sdk_name")
	n.sdkVersion = f.text("sdk_version")
	n.version = f.integer("protocol_version")
	n.required = f.texts("required_capabilities")
	n.encoding = f.text("preferred_encoding")
	if f.problem != "" {
		return n, attest.NewError(attest.CodeInvalidParams, f.problem,
			"initialize needs sdk_name, sdk_version and preferred_encoding (strings), protocol_version (integer) and required_capabilities (array of strings).")
	}
	return n, nil
}

// unsupportedVersion returns the error for a client outside the compatibility window.
func unsupportedVersion(version int64) error {
	return attest.NewError(attest.CodeSession,
		fmt.Sprintf("protocol version %d not supported; engine supports versions %d and %d", version, attest.ProtocolVersion-1, attest.ProtocolVersion),
		"Upgrade the engine binary or downgrade the SDK protocol_version")
}

// appendNegotiated appends the result of initialize (§2.1).
func (n negotiation) appendNegotiated(dst []byte, engineVersion string, concurrent int, engine *attest.Engine) []byte {
	capabilities, limits := engine.Capabilities(), engine.Limits()
	missing := slices.DeleteFunc(slices.Clone(n.required), func(c string) bool {
		return slices.Contains(capabilities, c)
	})
	dst = wording.AppendQuoted(append(dst, `{"engine_version":`...), engineVersion)
	dst = fmt.Appendf(dst, `,"protocol_version":%d,"capabilities":`, n.version)
	dst = wording.AppendList(dst, capabilities)
	dst = wording.AppendList(append(dst, `,"missing":`...), missing)
	return fmt.Appendf(dst, `,"compatible":%t,"encoding":"json","max_concurrent_requests":%d,"max_trace_size_bytes":%d,"max_steps_per_trace":%d}`,
		len(missing) == 0, concurrent, limits.TraceBytes, limits.Steps)
}
