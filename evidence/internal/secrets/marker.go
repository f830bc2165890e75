package secrets

// assignmentMarker looks for a marker that ends in the equals sign at i. What begins with
// api_ or x- is found by its last word.
func (s *Scanner) assignmentMarker(text []byte, i int) {
	if i == 0 {
		return
	}
	var words []string
	switch lower(text[i-1]) {
	case 'n':
		words = []string{"token", "session"}
	case 'y':
		words = []string{"key", "apikey"}
	case 't':
		words = []string{"secret"}
	case 'd':
		words = []string{"password"}
	case 'e':
		words = []string{"cookie"}
	}
	for _, word := range words {
		if endsFold(text, i, word) && !alnumAt(text, i-len(word)-1) {
			s.hideValue(text, ruleMarker, i+1)
			return
		}
	}
}

// colonMarker looks for a header whose colon is at i.
func (s *Scanner) colonMarker(text []byte, i int) {
	const header = "authorization"
	if endsFold(text, i, header) && !alnumAt(text, i-len(header)-1) {
		s.authorization(text, i-len(header), i+1)
		return
	}
	for _, word := range [...]string{"x-api-key", "x-token"} {
		if endsFold(text, i, word) && !alnumAt(text, i-len(word)-1) {
			s.hideValue(text, ruleMarker, i+1)
		}
	}
}

// flag looks for a flag whose first hyphen is at i, with -- or -p.
func (s *Scanner) flag(text []byte, i int) {
	if i > 0 && (alnumAt(text, i-1) || text[i-1] == '-' || text[i-1] == '_') {
		return
	}
	if text[i+1] == 'p' {
		if s.passwordCommand(text, i) {
			s.shortFlag(text, i)
		}
		return
	}
	end := flagEnd(text[i:])
	if end == 0 || i+end == len(text) {
		return
	}
	switch c := text[i+end]; {
	case c == '=':
		s.hideValue(text, ruleFlag, i+end+1)
	case isBlank(c):
		s.hideValue(text, ruleFlag, i+end)
	}
}

// shortFlag hides the value of a -p at i, which may follow it at once.
func (s *Scanner) shortFlag(text []byte, i int) {
	if i > 0 && !is(text[i-1], isEnd) {
		return
	}
	from := i + len("-p")
	if from < len(text) && text[from] == '=' {
		from++
	}
	s.hideValue(text, ruleFlag, from)
}

// isFlag says whether a name is that of a flag whose value is hidden.
func isFlag(name string) bool {
	switch name {
	case "token", "api-key", "apikey", "api_key", "key", "secret", "client-secret", "password", "passwd", "pass",
		"access-key", "access-token", "auth", "authorization", "bearer":
		return true
	}
	return false
}

// longestFlag is the longest name of one.
const longestFlag = len("authorization")

// flagEnd is where the flag ends with which a text begins; 0 when it begins with none.
func flagEnd(text []byte) int {
	if len(text) < 2 || text[0] != '-' || text[1] != '-' {
		return 0
	}
	var name [longestFlag]byte
	n := 0
	for _, c := range text[2:] {
		if !is(c, isURL) {
			break
		}
		if n == len(name) {
			return 0
		}
		name[n] = lower(c)
		n++
	}
	if !isFlag(string(name[:n])) {
		return 0
	}
	return 2 + n
}

// FlagBeforeValue says whether an element of an array is a flag whose value is the next
// element. It is for every flag but -p, for which see [PasswordFlag].
func FlagBeforeValue(element []byte) bool {
	end := flagEnd(element)
	return end > 0 && end == len(element)
}

// passwordCommands are those whose -p is a password.
var passwordCommands = [...]string{"mysqldump", "mysql", "sshpass"}

// PasswordCommand says whether an element of an array names a program whose -p is a
// password: mysql, mysqldump or sshpass, with or without the path to it.
func PasswordCommand(element []byte) bool {
	for i := range element {
		if commandAt(element, i) {
			return true
		}
	}
	return false
}

// PasswordFlag says whether an element of an array behind a [PasswordCommand] is its -p.
// The password begins at value in it; it is the next element when that is the element's
// length. (-P is the port of all of them, so the letter's case counts.)
func PasswordFlag(element []byte) (value int, ok bool) {
	const flag = "-p"
	if len(element) < len(flag) || string(element[:len(flag)]) != flag {
		return 0, false
	}
	value = len(flag)
	if len(element) > value && element[value] == '=' {
		value++
	}
	return value, true
}

// passwordCommand says whether one of the passwordCommands stands before i.
func (s *Scanner) passwordCommand(text []byte, i int) bool {
	for ; s.command < i && !s.password; s.command++ {
		s.password = commandAt(text, s.command)
	}
	return s.password
}

// commandAt says whether one of the passwordCommands stands at i as a word.
func commandAt(text []byte, i int) bool {
	if c := lower(text[i]); c != 'm' && c != 's' || i > 0 && (is(text[i-1], isURL) || text[i-1] == '.') {
		return false
	}
	for _, command := range passwordCommands {
		if end := i + len(command); hasFold(text, i, command) && (end == len(text) || !is(text[end], isURL)) {
			return true
		}
	}
	return false
}
