package model

import (
	"math"
	"strconv"
	"strings"
)

// Value is a JSON-like value (SDK specification §2.1) of one of the dynamic types
//
//	nil       null
//	bool      a boolean
//	string    a string
//	Number    a number
//	[]Value   an array
//	Object    an object, with its members in the author's order
type Value = any

// Object is an ordered mapping. Keys are unique in parsed documents. The nil Object is the empty object, not null.
type Object []Member

// Member is one member of an Object.
type Member struct {
	Key   string
	Value Value
}

// Get returns the value of the member named key.
func (o Object) Get(key string) (Value, bool) {
	for i := range o {
		if o[i].Key == key {
			return o[i].Value, true
		}
	}
	return nil, false
}

// Number is a JSON number as written: "1.0" and "1" are different Numbers of equal value. YAML's infinities and NaN
// are ".inf", "-.inf" and ".nan".
type Number string

// The numbers that YAML has and JSON has not.
const (
	Inf    Number = ".inf"
	NegInf Number = "-.inf"
	NaN    Number = ".nan"
)

// Int64 returns an integer; ok is false for a fraction, an exponent, or overflow of 64 bits.
func (n Number) Int64() (i int64, ok bool) {
	i, err := strconv.ParseInt(string(n), 10, 64)
	return i, err == nil
}

// Float64 returns the nearest double; a number beyond the range of a double becomes an infinity.
func (n Number) Float64() float64 {
	switch n {
	case Inf:
		return math.Inf(1)
	case NegInf:
		return math.Inf(-1)
	case NaN:
		return math.NaN()
	}
	f, _ := strconv.ParseFloat(string(n), 64) // out of range: already ±Inf
	return f
}

// IsInteger reports whether the number is written as an integer.
func (n Number) IsInteger() bool {
	return !strings.ContainsAny(string(n), ".eE")
}

// Extension is an extension field (`x-…`) of an object.
type Extension struct {
	Key   string // with its "x-"
	Value Value
	After string // the key of the format that came before it; "" when none did
}

// Extensions are the extension fields of an object in source order.
type Extensions []Extension

// Get returns the value of the extension field named key.
func (e Extensions) Get(key string) (Value, bool) {
	for i := range e {
		if e[i].Key == key {
			return e[i].Value, true
		}
	}
	return nil, false
}
