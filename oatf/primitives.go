package oatf

import "github.com/cupel-dev/cupel/oatf/internal/primitive"

// MaxPathDepth is how many steps a wildcard path may take into a value, as §5.1.2
// recommends: a name is one, a [*] is another.
const MaxPathDepth = primitive.MaxPathDepth

// ResolveSimplePath returns the value at a simple dot-path (§5.1.1). found is false when a
// segment does not resolve, or the path is no simple dot-path (see CheckSimplePath); a null
// that is there is found. The empty path is the value itself.
func ResolveSimplePath(path string, value Value) (v Value, found bool) {
	return primitive.ResolveSimple(path, value)
}

// ResolveWildcardPath returns all values at a wildcard dot-path (§5.1.2) in the order of
// the message, none when the path leads nowhere. The empty path is the value itself. What
// is no wildcard dot-path (see CheckWildcardPath), or takes more than MaxPathDepth steps,
// is an *EvaluationError of kind path_resolution.
func ResolveWildcardPath(path string, value Value) ([]Value, error) {
	compiled, err := primitive.CompilePath(path)
	if err != nil {
		return nil, err
	}
	return compiled.Values(value), nil
}

// EvaluateCondition says whether a value satisfies a condition (§5.3): every operator of
// it, or equality with a bare value. A value of another type than an operator needs does
// not, and that is no error. Numbers are compared by their exact mathematical value.
//
// A value that is there was resolved, so that "exists: true" holds and "exists: false" does
// not (§5.4). A condition that is nil, has no operator or a regular expression that RE2
// refuses is an *EvaluationError of kind type_error; documents that Parse and Validate
// accept have none of these.
func EvaluateCondition(c *Condition, value Value) (bool, error) {
	compiled, err := primitive.CompileCondition(c)
	if err != nil {
		return false, err
	}
	return compiled.Match(value), nil
}

// EvaluatePredicate says whether a value satisfies every entry of a predicate (§5.4); the
// empty one holds always. Where the path of an entry does not resolve, only a condition
// that is "exists: false" and nothing else holds. A key that is no simple dot-path is an
// *EvaluationError of kind path_resolution; a condition's are those of EvaluateCondition.
func EvaluatePredicate(p MatchPredicate, value Value) (bool, error) {
	compiled, err := primitive.CompilePredicate(p)
	if err != nil {
		return false, err
	}
	return compiled.Match(value), nil
}
