package cel

import "slices"

// everyday reports whether an expression is certainly valid: it uses only common constructs in ASCII with little
// nesting. Other expressions are checked by the library, which takes a hundred times as long.
//
//	message.tools.exists(t, has(t.title) && size(t.title) > 100)
func everyday(expression string) bool {
	if len(expression) > maxEveryday {
		return false
	}
	r := recogniser{text: expression}
	r.next()
	return r.expression() && r.token == end
}

// Limits of the recognized expressions, far below those of the library.
const (
	maxEveryday = 512 // bytes
	maxNested   = 8   // parentheses, arguments, indexes
	maxSigns    = 60  // operators, dots, brackets and commas
)

// recogniser parses an expression by token. Its methods consume the construct in their name and
// report whether it was present.
type recogniser struct {
	text   string // text after the token
	token  kind
	word   string // the token, if it is a name or an operator
	nested int
	signs  int
}

type kind int

const (
	unknown kind = iota
	end
	name
	literal
	operator // with brackets, dots and commas
)

// operators are the recognized operators, longer ones first.
var operators = []string{
	"&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "(", ")", "[", "]", ".", ",",
}

// binary are the operators between operands. How they bind does not matter: any mixture of them is well-formed.
var binary = operators[:13]

// reserved are names that cannot be identifiers (CEL specification, Syntax), and the one that the library's macros
// use.
var reserved = []string{
	"as", "break", "const", "continue", "else", "for", "function", "if", "import", "in", "let", "loop",
	"namespace", "package", "return", "var", "void", "while", "true", "false", "null", "__result__",
}

// The macros: on a member, on a list with a variable, and those that are not recognized.
var (
	listMacros  = []string{"all", "exists", "exists_one", "filter", "map"}
	otherMacros = []string{"existsOne", "has"}
)

func (r *recogniser) next() {
	for len(r.text) > 0 && (r.text[0] == ' ' || r.text[0] == '\n') {
		r.text = r.text[1:]
	}
	r.token, r.word = unknown, ""
	if r.text == "" {
		r.token = end
		return
	}
	switch c := r.text[0]; {
	case isLetter(c):
		r.takeWhile(func(c byte) bool { return isLetter(c) || isDigit(c) })
		switch r.token = name; {
		case r.word == "true" || r.word == "false" || r.word == "null":
			r.token = literal
		case slices.Contains(reserved, r.word):
			r.token = unknown
		}
	case isDigit(c):
		r.number()
	case c == '"' || c == '\'':
		r.quoted(c)
	default:
		r.sign()
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (r *recogniser) takeWhile(in func(byte) bool) {
	n := 0
	for n < len(r.text) && in(r.text[n]) {
		n++
	}
	r.word, r.text = r.text[:n], r.text[n:]
}

// number reads digits with optional decimals. Other notations and large numbers are left to the library.
func (r *recogniser) number() {
	r.takeWhile(isDigit)
	size := len(r.word)
	if len(r.text) > 1 && r.text[0] == '.' && isDigit(r.text[1]) {
		r.text = r.text[1:]
		r.takeWhile(isDigit)
	}
	if size <= 18 && (r.text == "" || r.text[0] != '.' && !isLetter(r.text[0])) {
		r.token = literal
	}
}

// quoted reads a string without escapes and line breaks.
func (r *recogniser) quoted(quote byte) {
	for i := 1; i < len(r.text); i++ {
		switch c := r.text[i]; {
		case c == quote:
			r.text = r.text[i+1:]
			if r.text == "" || r.text[0] != quote { // three of them begin another string
				r.token = literal
			}
			return
		case c == '\\' || c < ' ' || c > '~':
			return
		}
	}
}

func (r *recogniser) sign() {
	for _, o := range operators {
		if len(r.text) >= len(o) && r.text[:len(o)] == o {
			r.token, r.word, r.text = operator, o, r.text[len(o):]
			comment := o == "/" && r.text != "" && r.text[0] == '/'
			if r.signs++; comment || r.signs > maxSigns {
				r.token = unknown
			}
			return
		}
	}
}

// is reads the given operator.
func (r *recogniser) is(o string) bool {
	if r.token != operator || r.word != o {
		return false
	}
	r.next()
	return true
}

func (r *recogniser) expression() bool {
	if r.nested++; r.nested > maxNested {
		return false
	}
	for {
		if !r.operand() {
			return false
		}
		if r.token != operator || !slices.Contains(binary, r.word) {
			r.nested--
			return true
		}
		r.next()
	}
}

// operand reads a possibly negated value with members and calls.
func (r *recogniser) operand() bool {
	if !r.is("!") {
		r.is("-")
	}
	switch {
	case r.token == literal:
		r.next()
	case r.is("("):
		if !r.expression() || !r.is(")") {
			return false
		}
	case r.token == name:
		called := r.word
		if r.next(); r.is("(") && !r.call(called) {
			return false
		}
	default:
		return false
	}
	return r.members()
}

func (r *recogniser) call(function string) bool {
	switch {
	case function == "has":
		return r.member() && r.is(")")
	case slices.Contains(otherMacros, function) || slices.Contains(listMacros, function):
		return false
	}
	return r.arguments()
}

// member reads the name of a variable followed by members.
func (r *recogniser) member() bool {
	if r.token != name {
		return false
	}
	r.next()
	members := 0
	for r.is(".") {
		if members++; r.token != name {
			return false
		}
		r.next()
	}
	return members > 0
}

func (r *recogniser) arguments() bool {
	if r.is(")") {
		return true
	}
	for {
		if !r.expression() {
			return false
		}
		if !r.is(",") {
			return r.is(")")
		}
	}
}

// members reads members, indexes and calls.
func (r *recogniser) members() bool {
	for {
		switch {
		case r.is("["):
			if !r.expression() || !r.is("]") {
				return false
			}
		case r.is("."):
			if r.token != name {
				return false
			}
			called := r.word
			if r.next(); r.is("(") && !r.method(called) {
				return false
			}
		default:
			return true
		}
	}
}

// method reads the arguments of a method or of a macro on a list.
func (r *recogniser) method(called string) bool {
	switch {
	case slices.Contains(otherMacros, called):
		return false
	case !slices.Contains(listMacros, called):
		return r.arguments()
	case r.token != name:
		return false
	}
	r.next()
	return r.is(",") && r.expression() && r.is(")")
}
