package attest

// Limits bound what one trace may ask of the engine (§7). A zero field means the
// default.
type Limits struct {
	TraceBytes    int // bytes of the trace as received
	Steps         int // steps of one trace
	OutputChars   int // code points of output.message
	ResultBytes   int // bytes of one step's result as received
	SubTraceDepth int // levels of sub-traces below the root
	JSONDepth     int // nested JSON containers of a request
}

// The limits of the protocol.
const (
	MaxTraceBytes    = 10_485_760
	MaxSteps         = 10_000
	MaxOutputChars   = 500_000
	MaxResultBytes   = 1_048_576
	MaxSubTraceDepth = 5
	MaxJSONDepth     = 1_000 // no clause: deep enough for any agent, and linear to read
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
	return l
}
