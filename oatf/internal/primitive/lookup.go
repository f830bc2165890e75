package primitive

import (
	"strings"

	"github.com/cupel-dev/cupel/oatf/model"
)

// lookup resolves many simple dot-paths on the same values. It indexes large objects on their second use. The zero
// value is ready to use; a nil lookup keeps no indexes. Objects must not change while it is in use. It is not safe
// for concurrent use.
type lookup struct {
	indexes map[*model.Member]map[string]model.Value // by the first member of the object; nil when it was looked through once
}

const (
	manyMembers = 64 // from how many members on an object gets an index
	manyLookups = 8  // from how many lookups on it is worth to remember which objects they were in
)

func (l *lookup) resolve(path string, value model.Value) (v model.Value, found bool) {
	for path != "" {
		var name string
		name, path, _ = strings.Cut(path, ".")
		object, _ := value.(model.Object)
		if l == nil || len(object) < manyMembers {
			value, found = object.Get(name)
		} else {
			value, found = l.member(object, name)
		}
		if !found {
			return nil, false
		}
	}
	return value, true
}

func (l *lookup) member(object model.Object, name string) (v model.Value, found bool) {
	index, again := l.indexes[&object[0]]
	switch {
	case l.indexes == nil:
		l.indexes = map[*model.Member]map[string]model.Value{}
		fallthrough
	case !again:
		l.indexes[&object[0]] = nil
		return object.Get(name)
	case index == nil:
		index = make(map[string]model.Value, len(object))
		for _, m := range object {
			index[m.Key] = m.Value
		}
		l.indexes[&object[0]] = index
	}
	v, found = index[name]
	return v, found
}
