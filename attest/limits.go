package attest

// Limits bound what one request may ask of the engine (§7). A zero field means the
// default.
type Limits struct {
	TraceBytes    int // bytes of the trace as received
	Steps         int // steps of one trace
	OutputChars   int // code points of output.message
	ResultBytes   int // bytes of one step's result as received
	SubTraceDepth int // levels of sub-traces below the root
	JSONDepth     int // nested JSON containers of a request
	Values        int // JSON values of a request, or of a trace that stands alone
	Compiled      int // bytes of memory that the assertions of a request take when compiled, by estimate
}

// The limits of the protocol.
const (
	MaxTraceBytes    = 10_485_760
	MaxSteps         = 10_000
	MaxOutputChars   = 500_000
	MaxResultBytes   = 1_048_576
	MaxSubTraceDepth = 5

	// No clause names these.
	MaxJSONDepth = 1_000     // deep enough for any agent, and linear to read
	MaxValues    = 1_000_000 // a trace of the largest size has as many when each takes ten bytes
	MaxCompiled  = 64 << 20  // some ten thousand assertions
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
