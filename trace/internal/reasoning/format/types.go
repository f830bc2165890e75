package format

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
)

// want is the JSON type that a member must have.
type want uint8

const (
	anything want = iota
	aString
	anInteger // digits alone, within 64 bits
	aNumber
	aBoolean
	anObject
	anArray
	someStrings // an array of strings
	evidenceIDs // one of ids of evidence
	claimIDs    // one of ids of claims
	aSpan       // an array of two integers
)

var wantNames = [...]string{
	anything: "any value", aString: "a string", anInteger: "an integer", aNumber: "a number", aBoolean: "a boolean",
	anObject: "an object", anArray: "an array", someStrings: "an array of strings",
	evidenceIDs: "an array of strings", claimIDs: "an array of strings", aSpan: "an array of two integers",
}

func (w want) fits(n strictjson.Node) bool {
	switch w {
	case aString:
		return n.Is(strictjson.String)
	case anInteger:
		_, ok := n.Int()
		return ok
	case aNumber:
		return n.Is(strictjson.Number)
	case aBoolean:
		return n.Is(strictjson.True) || n.Is(strictjson.False)
	case anObject:
		return n.Is(strictjson.Object)
	case anArray:
		return n.Is(strictjson.Array)
	case someStrings, evidenceIDs, claimIDs:
		return n.Is(strictjson.Array) && allFit(n, aString)
	case aSpan:
		return n.Is(strictjson.Array) && n.Len() == 2 && allFit(n, anInteger)
	}
	return true
}

func allFit(array strictjson.Node, w want) bool {
	for element := range array.Children() {
		if !w.fits(element) {
			return false
		}
	}
	return true
}

// describe returns a value's type, and the value if that helps.
func describe(n strictjson.Node) string {
	switch n.Kind() {
	case strictjson.Number:
		return "the number " + fault.Preview(n.Raw())
	case strictjson.Array:
		return fmt.Sprintf("an array of %d", n.Len())
	}
	return say.Article(n.Kind().String())
}
