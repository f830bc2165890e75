package program

import (
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// costs defines the cost of calls. A unit is a step of about ten nanoseconds. Constructed strings cost ten times as
// much as examined ones, to limit memory. The library's own costs would need static types.
type costs struct{}

// Bytes and elements per unit of cost.
const (
	bytesMade     = 10
	bytesRead     = 100
	bytesMatched  = 20
	elementsRead  = 10
	compiledBytes = 4 // of a regular expression
)

// CallCost implements interpreter.ActualCostEstimator.
func (costs) CallCost(function, _ string, args []ref.Val, result ref.Val) *uint64 {
	cost := 1
	switch function {
	case operators.Add, overloads.TypeConvertString, overloads.TypeConvertBytes:
		cost += length(result) / bytesMade
	case overloads.Matches:
		cost += length(args[0])/bytesMatched + length(args[1])/compiledBytes
	case operators.In, operators.OldIn, operators.Equals, operators.NotEquals:
		for _, arg := range args {
			cost += length(arg)/bytesRead + elements(arg)/elementsRead
		}
	default:
		for _, arg := range args {
			cost += length(arg) / bytesRead
		}
	}
	out := uint64(cost)
	return &out
}

// length returns the length of a string or of bytes, in bytes.
func length(v ref.Val) int {
	switch v := v.(type) {
	case types.String:
		return len(v)
	case types.Bytes:
		return len(v)
	}
	return 0
}

// elements returns the number of a list's or map's.
func elements(v ref.Val) int {
	var size ref.Val
	switch v := v.(type) {
	case traits.Lister:
		size = v.Size()
	case traits.Mapper:
		size = v.Size()
	}
	n, _ := size.(types.Int) // a list of lists may have more than an int can count
	return int(n)
}
