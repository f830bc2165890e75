package model

// Indicator checks a message for compliance of the agent (§2.12). A valid indicator has exactly one of Pattern,
// Expression and Semantic.
type Indicator struct {
	ID             *string          `yaml:"id"`
	Protocol       *Protocol        `yaml:"protocol"`
	Surface        *Surface         `yaml:"surface"`   // required in revision 0.1; in 2026-03, "" is a name that no operation has
	Target         *string          `yaml:"target"`    // wildcard dot-path; this and the next four: revision 2026-03
	Actor          *string          `yaml:"actor"`     // whose messages
	Direction      *Direction       `yaml:"direction"` // which side of an exchange; nil is both
	Method         *IndicatorMethod `yaml:"method"`    // which of the three below
	Tier           *string          `yaml:"tier"`      // how far the agent went; an extension of a runner
	Description    *string          `yaml:"description"`
	Pattern        *PatternMatch    `yaml:"pattern"`
	Expression     *ExpressionMatch `yaml:"expression"`
	Semantic       *SemanticMatch   `yaml:"semantic"`
	Confidence     *int64           `yaml:"confidence"` // 0 to 100
	Severity       *SeverityLevel   `yaml:"severity"`
	FalsePositives []string         `yaml:"false_positives"`
	Extensions     Extensions       `yaml:"-"`
}

// SurfaceName returns the indicator's surface, or "".
func (ind *Indicator) SurfaceName() Surface {
	if ind.Surface == nil {
		return ""
	}
	return *ind.Surface
}

// PatternMatch compares the values at a path with a condition (§2.13). The standard form has Condition. The
// shorthand form has Shorthand, which Normalize moves to Condition.
type PatternMatch struct {
	Target    *string         `yaml:"target"` // wildcard dot-path (§5.1.2); "" is the whole message
	Condition *Condition      `yaml:"condition"`
	Shorthand *MatchCondition `yaml:"-"`
}

// ExpressionMatch is a CEL expression over the message (§2.14).
type ExpressionMatch struct {
	CEL       string     `yaml:"cel"`
	Variables []Variable `yaml:"variables"`
}

// Variable binds a CEL variable to the value at a simple dot-path of the message.
type Variable struct {
	Name string
	Path string
}

// SemanticMatch is detection by meaning, for an inference engine (§2.15).
type SemanticMatch struct {
	Target      *string              `yaml:"target"` // wildcard dot-path; "" is the whole message
	Intent      string               `yaml:"intent"`
	IntentClass *SemanticIntentClass `yaml:"intent_class"`
	Threshold   *float64             `yaml:"threshold"` // 0 to 1; 0.7 at evaluation when nil
	Examples    *SemanticExamples    `yaml:"examples"`
}

// SemanticExamples calibrate an inference engine (§2.16).
type SemanticExamples struct {
	Positive []string `yaml:"positive"`
	Negative []string `yaml:"negative"`
}

// SurfaceInfo is a row of the surface registry (§2.21).
type SurfaceInfo struct {
	Surface  Surface
	Protocol Protocol
	Target   string // the default target, a wildcard dot-path; "" is the whole message

	// Text means that the default target is a string, so that string operators apply.
	Text bool
}
