package model

// Execution defines the attack's execution (§2.6). A valid document has exactly one of State, Phases and Actors. A
// normalized document has Actors.
type Execution struct {
	Mode       *Mode      `yaml:"mode"`
	State      Value      `yaml:"state"` // an Object in a valid document
	Phases     []Phase    `yaml:"phases"`
	Actors     []Actor    `yaml:"actors"`
	Extensions Extensions `yaml:"-"`
}

// Actor is one of several concurrent attackers (§2.6a).
type Actor struct {
	Name       string     `yaml:"name"`
	Mode       Mode       `yaml:"mode"`
	Phases     []Phase    `yaml:"phases"`
	Extensions Extensions `yaml:"-"`
}

// Phase is a step of an actor (§2.7). Without State it keeps the previous phase's state. Without Trigger it is
// terminal.
type Phase struct {
	Name        *string     `yaml:"name"`
	Description *string     `yaml:"description"`
	Mode        *Mode       `yaml:"mode"`
	State       Value       `yaml:"state"` // an Object in a valid document
	Extractors  []Extractor `yaml:"extractors"`
	OnEnter     []Action    `yaml:"on_enter"`
	Trigger     *Trigger    `yaml:"trigger"`
	Extensions  Extensions  `yaml:"-"`
}

// Extractor captures a value of a message for later templates (§2.9).
type Extractor struct {
	Name     string          `yaml:"name"`
	Source   ExtractorSource `yaml:"source"`
	Type     ExtractorType   `yaml:"type"`
	Selector string          `yaml:"selector"`
}

// Action is an entry action (§2.7a). A valid action has exactly one known key of its revision or one
// binding-specific key. An invalid action keeps all keys.
type Action struct {
	SendNotification *SendNotification `yaml:"send_notification"` // only revision 0.1
	SendElicitation  *SendElicitation  `yaml:"send_elicitation"`  // only revision 0.1
	Send             *Send             `yaml:"send"`              // only revision 2026-03
	Log              *Log              `yaml:"log"`
	Binding          []Member          `yaml:"-"` // actions of protocol bindings, with any value
	Extensions       Extensions        `yaml:"-"`
}

// Keys returns the action keys that are present, known ones first.
func (a *Action) Keys() []string {
	var keys []string
	if a.SendNotification != nil {
		keys = append(keys, "send_notification")
	}
	if a.SendElicitation != nil {
		keys = append(keys, "send_elicitation")
	}
	if a.Send != nil {
		keys = append(keys, "send")
	}
	if a.Log != nil {
		keys = append(keys, "log")
	}
	for _, m := range a.Binding {
		keys = append(keys, m.Key)
	}
	return keys
}

// SendNotification is the action that sends a protocol notification.
type SendNotification struct {
	Method string `yaml:"method"`
	Params Value  `yaml:"params"` // an Object, or nil
}

// Send is the action that sends a message of the protocol (format 2026-03, §5.2).
type Send struct {
	Method string `yaml:"method"`
	Params Value  `yaml:"params"` // of any type, or nil
}

// Log is the action that emits a log message, a template.
type Log struct {
	Message string    `yaml:"message"`
	Level   *LogLevel `yaml:"level"`
}

// SendElicitation is the action that asks the client for input. It requires mode mcp_server.
type SendElicitation struct {
	Message         string           `yaml:"message"`
	Mode            *ElicitationMode `yaml:"mode"`
	RequestedSchema Value            `yaml:"requestedSchema"` // an Object, or nil
	ElicitationID   *string          `yaml:"elicitationId"`
	URL             *string          `yaml:"url"`
}

// Trigger is the condition for the end of a phase (§2.8).
type Trigger struct {
	Event *string        `yaml:"event"` // "tools/call" or, with a qualifier, "tools/call:calculator"
	Count *int64         `yaml:"count"`
	Match MatchPredicate `yaml:"match"`
	After *Duration      `yaml:"after"`
}

// MatchPredicate is an ordered list of conditions on fields that must all hold (§2.10). An empty non-nil predicate
// always holds.
type MatchPredicate []MatchEntry

// MatchEntry is one condition of a predicate.
type MatchEntry struct {
	Path string // a simple dot-path (§5.1.1)
	Condition
}

// Condition is a condition on a field: Operators, or if nil, equality with Value, where nil is null.
type Condition struct {
	Value     Value
	Operators *MatchCondition
}

// MatchCondition is a non-empty set of operators that must all hold (§2.11).
type MatchCondition struct {
	Contains   *string `yaml:"contains"`
	StartsWith *string `yaml:"starts_with"`
	EndsWith   *string `yaml:"ends_with"`
	Regex      *string `yaml:"regex"` // RE2
	AnyOf      []Value `yaml:"any_of"`
	GT         *Number `yaml:"gt"`
	LT         *Number `yaml:"lt"`
	GTE        *Number `yaml:"gte"`
	LTE        *Number `yaml:"lte"`
	Exists     *bool   `yaml:"exists"`
}
