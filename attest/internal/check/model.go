package check

import "context"

// Model scores texts for the checks of layers 5 and 6.
type Model interface {
	// Knows says whether the model evaluates assertions of a type.
	Knows(typ string) bool
	// Score says how well a text satisfies a spec. It is safe for concurrent use.
	Score(ctx context.Context, typ string, spec []byte, text string) (Opinion, error)
}

// Opinion is what a Model says of a text.
type Opinion struct {
	Score       float64 // 0.0 to 1.0
	Explanation string
	Cost        float64 // USD
}
