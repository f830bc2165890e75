package privacy

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/keyfile"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// Given is a row as written in a file, with positions.
type Given = keyfile.Class

// FileError is an error in a policy file. It names the file, line and column.
type FileError = keyfile.Error

// NameError means that a name to be allowed is not forbidden.
type NameError struct{ Name string }

func (e *NameError) Error() string { return say.Quoted(e.Name) + " is not a forbidden name" }

// ParsePolicy parses a policy file, YAML of at most a megabyte, and returns base with the file's rows appended,
// which take precedence:
//
//	classes:
//	  - type: assay.tool.decision    # of the event; default: every type; assay.mcp.* for several
//	    pointer: /data/args          # the value and its descendants; * is any member, ** any number of them
//	    class: public                # or sensitive, forbidden
//	  - pattern: '[a-z]+@example\.com' # an RE2 expression; without pointer for everything changeable
//	    class: forbidden             # or sensitive
//	rules:                           # for secrets, as in gitleaks' configuration
//	  - id: acme-token
//	    regex: '\b(acme_[a-z0-9]{32})\b'
//	    keywords: [acme_]
//	    entropy: 3
//	allowlists:                      # not secrets, for any rule
//	  - regexes: ['^acme_example']
//
// Rows cannot name members that bind or locate the event, nor array indexes. allowForbidden lists forbidden names,
// such as token, that rows can reclassify. name is the file's display name. The error is a [FileError] or a
// [NameError]; unknown keys are errors.
func ParsePolicy(name string, yaml []byte, base *Policy, allowForbidden []string) (*Policy, error) {
	file, err := keyfile.ParsePolicy(name, yaml)
	if err != nil {
		return nil, err
	}
	p, err := base.With(name, file.Classes, allowForbidden)
	if err != nil || file.Rules == nil && file.Allowlists == nil {
		return p, err
	}
	form, fault := readRules(&file)
	if fault == nil {
		fault = p.addRules(form, &file)
	}
	if fault != nil {
		fault.Path = name
		return nil, fault
	}
	return p, nil
}

// With is ParsePolicy for parsed rows of a file.
func (p *Policy) With(name string, rows []Given, allowForbidden []string) (*Policy, error) {
	if p.profile == ProfileUpstream && len(rows)+len(allowForbidden) > 0 {
		return nil, errors.New("the profile " + ProfileUpstream + " follows the reference implementation: leave the classes out")
	}
	q := p.clone()
	for _, name := range allowForbidden {
		if !forbiddenName([]byte(name)) {
			return nil, &NameError{name}
		}
		if plain := plainName(name); !slices.Contains(q.allowed, plain) {
			q.allowed = append(q.allowed, plain)
		}
	}
	slices.Sort(q.allowed)
	for _, row := range rows {
		if err := q.take(name, row); err != nil {
			err.Path = name
			return nil, err
		}
	}
	return q, nil
}

// plainName normalizes a name for comparison with forbidden names.
func plainName(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

func (p *Policy) take(name string, given Given) *FileError {
	row, find, err := p.read(given)
	if err != nil {
		return err
	}
	row.Origin = name + ":" + strconv.Itoa(given.At.Line)
	pointers := []string{row.Pointer}
	switch {
	case row.Pointer == "":
		pointers = []string{"/subject", "/data", "/data/**"}
	case row.Handling != Removes && !strings.HasSuffix(row.Pointer, "/"+anyDeep):
		pointers = append(pointers, row.Pointer+"/"+anyDeep)
	}
	for _, pointer := range pointers {
		row.Pointer = pointer
		p.add(row, find)
	}
	return nil
}

func (p *Policy) read(given Given) (row Row, find *pattern, err *FileError) {
	row = Row{Type: everyType}
	if row.Class, err = readClass(given); err != nil {
		return row, nil, err
	}
	row.Handling = ofFile(row.Class)
	if given.Type != nil {
		if row.Type, err = readType(given.Type); err != nil {
			return row, nil, err
		}
	}
	switch {
	case given.Pointer != nil:
		row.Pointer, err = p.readPointer(given.Pointer, row.Class)
	case given.Pattern == nil:
		err = fault(&given.At, "the row has no pointer", "expected pointer: /data/…, or a pattern")
	}
	if err == nil && given.Pattern != nil {
		row.Pattern, row.Handling = given.Pattern.Text, Finds
		find, err = readPattern(given.Pattern, row.Class)
	}
	return row, find, err
}

func readClass(given Given) (Class, *FileError) {
	if given.Class == nil {
		return Public, fault(&given.At, "the row has no class", "expected class: public, sensitive or forbidden")
	}
	class, known := parseClass(given.Class.Text)
	if !known {
		return Public, fault(given.Class, "unknown class "+say.Quoted(given.Class.Text), suggest.HintOrKnown(given.Class.Text, classNames[:]))
	}
	return class, nil
}

func fault(at *keyfile.Entry, message, hint string) *FileError {
	return &FileError{Line: at.Line, Column: at.Column, Message: message, Hint: hint}
}

func badType(given *keyfile.Entry, hint string) *FileError {
	return fault(given, "bad type "+say.Quoted(given.Text), hint)
}

func readType(given *keyfile.Entry) (string, *FileError) {
	whole := strings.TrimSuffix(given.Text, ".*")
	switch {
	case given.Text == everyType:
	case strings.Contains(whole, "*"), whole == "":
		return "", badType(given, "a type is a full name, *, or a prefix followed by .*")
	case strings.ContainsFunc(whole, unprintable):
		return "", badType(given, "a type is one line of visible characters")
	}
	return given.Text, nil
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// mostDeep limits the ** in a pointer, because each doubles the number of paths.
const mostDeep = 3

// readPointer checks the syntax of a pointer, and whether it can have the class.
func (p *Policy) readPointer(given *keyfile.Entry, class Class) (string, *FileError) {
	bad := func(hint string) (string, *FileError) {
		return "", fault(given, "bad pointer "+say.Quoted(given.Text), hint)
	}
	if given.Text[0] != '/' {
		return bad("a JSON pointer begins with /, as in /data/args")
	}
	if strings.ContainsFunc(given.Text, unprintable) {
		return bad("a pointer is one line of visible characters")
	}
	if badEscape(given.Text) {
		return bad("~ in a name is written ~0, and / is written ~1")
	}
	tokens := tokensOf(given.Text)
	deep := 0
	for i, token := range tokens {
		switch {
		case token == "":
			return bad("only * matches a member with an empty name")
		case strings.Trim(token, "0123456789") == "":
			return bad("only * matches array elements: their numbers change when one is removed")
		case token != anyOne && token != anyDeep && strings.Contains(token, "*"):
			return bad("* and ** match whole names")
		case token == anyDeep && i > 0 && tokens[i-1] == anyDeep:
			return bad("one ** already matches any number of names")
		case token == anyDeep:
			deep++
		case class != Forbidden && p.forbids([]byte(token)):
			return "", fault(given, say.Quoted(token)+" is a forbidden name and cannot be "+class.String(), "use --allow-forbidden "+token+" to allow the name")
		}
	}
	switch {
	case deep > mostDeep:
		return bad(fmt.Sprintf("at most %d times **", mostDeep))
	case stays(evidence.AttributeOf(tokens[0])):
		return "", fault(given, "member "+tokens[0]+" cannot be changed: it links the event to its run", "expected /data, /subject, /source, /tracestate or a member that the contract does not name")
	}
	return given.Text, nil
}

// badEscape reports whether a text has a ~ that is not an RFC 6901 escape.
func badEscape(pointer string) bool {
	return strings.Contains(strings.NewReplacer("~0", "", "~1", "").Replace(pointer), "~")
}

func (p *Policy) forbids(name []byte) bool {
	return p.profile != ProfileUpstream && forbiddenName(name) && (len(p.allowed) == 0 || !slices.Contains(p.allowed, plainName(string(name))))
}

// patternBytes limits the length of an expression, and thereby of its program.
const patternBytes = 1000

func readPattern(given *keyfile.Entry, class Class) (*pattern, *FileError) {
	if class == Public {
		return nil, fault(given, "a pattern cannot have the class public", "expected class sensitive or forbidden: a pattern finds values to hide")
	}
	if len(given.Text) > patternBytes {
		return nil, fault(given, fmt.Sprintf("the pattern has %d bytes, the limit is %d", len(given.Text), patternBytes), "split the pattern into several rows")
	}
	find, err := newPattern(class, given.Text)
	if err != nil {
		message := err.Error()
		if e, ok := errors.AsType[*syntax.Error](err); ok {
			message = e.Code.String() + ": " + say.Quoted(e.Expr)
		}
		return nil, fault(given, "bad pattern: "+message, "write an RE2 pattern, without backreferences and lookaround")
	}
	if find.part.MatchString("") {
		return nil, fault(given, "the pattern matches the empty text", "expected a pattern that matches at least one character")
	}
	return find, nil
}

// stays reports whether no policy can change an attribute, because it binds or locates the event.
func stays(a evidence.Attribute) bool {
	switch a {
	case evidence.AttrOther, evidence.AttrData, evidence.AttrSubject, evidence.AttrSource, evidence.AttrTraceState:
		return false
	}
	return true
}

// looked reports whether an attribute's values are checked. Findings in values that cannot be changed are reported.
func looked(a evidence.Attribute) bool {
	switch a {
	case evidence.AttrID, evidence.AttrRunID, evidence.AttrProducer, evidence.AttrProducerVersion, evidence.AttrGit, evidence.AttrPolicyID:
		return true
	}
	return !stays(a)
}

func tokensOf(pointer string) []string {
	tokens := strings.Split(pointer[1:], "/")
	for i, token := range tokens {
		tokens[i] = strictjson.PointerName(token)
	}
	return tokens
}
