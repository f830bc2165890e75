package format

import "github.com/cupel-dev/cupel/internal/strictjson"

type callMember uint8

const (
	callID callMember = iota
	callStepID
	callToolName
	callArguments
	callIdx
)

var callShape = shape[callMember]{
	callID:        {name: "id", want: aString, must: true},
	callStepID:    {name: "step_id", want: aString},
	callToolName:  {name: "tool_name", want: aString},
	callArguments: {name: "arguments", want: anObject},
	callIdx:       {name: "call_idx", want: anInteger},
}

type resultMember uint8

const (
	resultCallID resultMember = iota
	resultSuccess
	resultValue
	resultError
)

var resultShape = shape[resultMember]{
	resultCallID:  {name: "call_id", want: aString, must: true},
	resultSuccess: {name: "success", want: aBoolean, alias: "ok"},
	resultValue:   {name: "result", want: anything},
	resultError:   {name: "error", want: aString},
}

// callReader reads tool calls and their results.
type callReader struct {
	*objects
	callAt, resultAt location
}

func (r *callReader) call(n strictjson.Node) (id, step Text) {
	out := read(r.objects, n, r.callAt, callShape)
	return textOf(out.at(callID)), textOf(out.at(callStepID))
}

func (r *callReader) result(n strictjson.Node) (id Text) {
	out := read(r.objects, n, r.resultAt, resultShape)
	return textOf(out.at(resultCallID))
}
