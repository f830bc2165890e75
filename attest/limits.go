package attest

// Limits limits the size of a request (§7). Zero means the default.
type Limits struct {
	TraceBytes    int // bytes of the trace as received
	Steps         int // steps of one trace
	OutputChars   int // code points of output.message
	ResultBytes   int // bytes of one step's result as received
	SubTraceDepth int // levels of sub-traces below the root
	JSONDepth     int // nested JSON containers of a request
	Values        int // JSON values of a request or a single trace
	Compiled      int // estimated bytes of compiled assertions
}

// The limits defined by the protocol.
const (
	MaxTraceBytes    = 10_485_760
	MaxSteps         = 10_000
	MaxOutputChars   = 500_000
	MaxResultBytes   = 1_048_576
	MaxSubTraceDepth = 5

	// Not defined by the protocol.
	MaxJSONDepth = 1_000     // nesting; linear to read
	MaxValues    = 1_000_000 // enough for the largest trace at ten bytes per value
	MaxCompiled  = 64 << 20  // about ten thousand assertions
)

func (l Limits) withDefaults() Limits {
	orDefault := func(limit *int, value int) {
		if *limit <= 0 {
			*limit = value
		}
	}
	orDefault(&l.TraceBytes, MaxTraceBytes)
	orDefault(&l.Steps, MaxSteps)
	orDefault(&l.OutputChars, MaxOutputChars)
	orDefault(&l.ResultBytes, MaxResultBytes)
	orDefault(&l.SubTraceDepth, MaxSubTraceDepth)
	orDefault(&l.JSONDepth, MaxJSONDepth)
	orDefault(&l.Values, MaxValues)
	orDefault(&l.Compiled, MaxCompiled)
	return l
}
