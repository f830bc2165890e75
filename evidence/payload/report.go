package payload

import (
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// at adds a finding at a value of the event, or at the event if the value is absent.
func (c *Checker) at(r rule, v evidence.Value, message string) *finding.Finding {
	c.said = append(c.said, rules[r].New(message))
	f := &c.said[len(c.said)-1]
	c.event.Locate(f, v)
	f.Path = v.Pointer()
	return f
}

// refuse adds a finding about members that a schema also rejects. With evidence.Reference the
// second engine decides: it returns nil.
func (c *Checker) refuse(members uint32, r rule, v evidence.Value, message string) *finding.Finding {
	c.faulty |= members
	if c.opt.Engine == evidence.Reference {
		return nil
	}
	return c.at(r, v, message)
}

// shown returns a value for a message: a short word such as maybe or sha512. For other values, which can be
// misplaced secrets, it returns only the kind.
func shown(v evidence.Value) string {
	const longest, mostDigits = 20, 3
	word, _ := v.Text()
	digits := strings.TrimLeft(word, "abcdefghijklmnopqrstuvwxyz_")
	if word == "" || len(word) > longest || len(digits) > mostDigits || strings.Trim(digits, "0123456789") != "" {
		return "another string"
	}
	return strconv.Quote(word)
}

// quotedList formats the possible values for a message.
func quotedList(words []string) string {
	list := ""
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			list += " or "
		case i > 0:
			list += ", "
		}
		list += strconv.Quote(w)
	}
	return list
}

// nameList gathers the names of members for a message.
type nameList struct {
	first evidence.Value
	names []string
	count int
}

// listed is how many names a message repeats.
const listed = 8

func (l *nameList) add(member evidence.Value) {
	if l.count++; l.count == 1 {
		l.first = member
	}
	if l.count <= listed {
		l.names = append(l.names, say.Quoted(member.Name()))
	}
}

func (l *nameList) String() string {
	list := strings.Join(l.names, ", ")
	if l.count > listed {
		list += say.More(l.count - listed)
	}
	return list
}
