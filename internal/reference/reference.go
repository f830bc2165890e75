// Package reference computes canonical JSON with an independent library. It is slower and shares no
// code with internal/jcs, to confirm its results.
package reference

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gowebpki/jcs"
)

// Canonical returns the RFC 8785 form of a JSON text.
func Canonical(text []byte) ([]byte, error) { return jcs.Transform(text) }

// Number returns a finite double as ECMAScript writes it.
func Number(f float64) (string, error) { return jcs.NumberToJSON(f) }

// Object returns the RFC 8785 form of an object with those of the named members that text has. Names are compared
// exactly.
func Object(text []byte, names ...string) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return nil, errors.Join(err, errors.New("not an object"))
	}
	members := map[string]json.RawMessage{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		members[name.(string)] = value
	}
	var object bytes.Buffer
	object.WriteByte('{')
	for _, name := range names {
		value, ok := members[name]
		if !ok {
			continue
		}
		if object.Len() > 1 {
			object.WriteByte(',')
		}
		fmt.Fprintf(&object, "%s:%s", must(json.Marshal(name)), value)
	}
	object.WriteByte('}')
	return jcs.Transform(object.Bytes())
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic("reference.Object: " + err.Error()) // strings always marshal
	}
	return b
}
