package bundle

import (
	"strconv"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// object is an object of a manifest. Its methods read and check members.
type object struct {
	parser  *manifestParser
	node    strictjson.Node
	pointer string
}

func (o object) text(name string) string {
	n := o.member(name, strictjson.String, "a string")
	s, _ := n.Text()
	return s
}

// integer reads a required unsigned integer of bits bits, digits only: not -0, 1.0 or 1e0.
func (o object) integer(name string, bits int) uint64 {
	n := o.member(name, strictjson.Number, "an integer")
	if !n.Exists() {
		return 0
	}
	if _, ok := n.Float(); !ok {
		o.misshaped(n, o.pointer+"/"+name, "json.number_range", "member "+name+" is "+preview(n)+", which is beyond the range of a double")
		return 0
	}
	i, err := strconv.ParseUint(string(n.Raw()), 10, bits)
	if err != nil {
		o.misshaped(n, o.pointer+"/"+name, "integer.syntax",
			"member "+name+" is "+preview(n)+", expected an integer from 0, in digits alone and below 2^"+strconv.Itoa(bits))
	}
	return i
}

func (o object) object(name string) (object, bool) {
	n := o.member(name, strictjson.Object, "an object")
	return object{o.parser, n, o.pointer + "/" + name}, n.Exists()
}

func (o object) entry(n strictjson.Node) (object, bool) {
	name := say.Preview(n.Key(), say.Usual)
	pointer := o.pointer + "/" + strictjson.PointerToken(name)
	if !n.Is(strictjson.Object) {
		o.misshaped(n, pointer, "member.type", "member "+strconv.Quote(name)+" is "+say.Article(n.Kind().String())+", expected an object")
		return object{}, false
	}
	return object{o.parser, n, pointer}, true
}

// member returns the member with the given name and kind. It reports another kind and returns the zero Node.
func (o object) member(name string, kind strictjson.Kind, wanted string) strictjson.Node {
	switch n := o.node.Get(name); {
	case n.Is(kind):
		return n
	case n.Exists():
		o.misshaped(n, o.pointer+"/"+name, "member.type", "member "+name+" is "+say.Article(n.Kind().String())+", expected "+wanted)
	default:
		o.misshaped(o.node, o.pointer+"/"+name, "member.missing", "member "+name+" is missing, expected "+wanted)
	}
	return strictjson.Node{}
}

func (o object) misshaped(at strictjson.Node, pointer, detail, message string) {
	o.parser.add(at, pointer, contractInvalidJSON, detail, message)
}
