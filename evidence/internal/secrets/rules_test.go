package secrets

import (
	"regexp"
	"strings"
)

// patterns are the table's, as another engine has them.
var patterns = func() (res [shapes]*regexp.Regexp) {
	for i := range res {
		res[i] = regexp.MustCompile(rows[i].Pattern)
	}
	return res
}()

// valueOf is what precedes the value of the two rules of which only that is hidden.
var valueOf = map[int]*regexp.Regexp{
	ruleQuery:      regexp.MustCompile(`^[^=]*=`),
	ruleAssignment: regexp.MustCompile(`^[^=:]*[=:]\s*`),
}

// naiveAll finds the matches of a rule, of which those whose value is hidden already are
// none: then it goes on behind the stars.
func naiveAll(rule int, text string) (found [][2]int) {
	for from := 0; ; {
		at := naiveFind(rule, text, from)
		if at == nil {
			return found
		}
		if name := valueOf[rule]; name != nil {
			value := at[0] + len(name.FindString(text[at[0]:at[1]]))
			if strings.HasPrefix(text[value:], stars) {
				from = value + len(stars)
				continue
			}
		}
		found = append(found, [2]int{at[0], at[1]})
		from = at[1]
	}
}

// naiveFind is the first match from a place on. What is before it still counts for \b: one
// rune is left there.
func naiveFind(rule int, text string, from int) []int {
	for start := from; ; {
		lead := max(0, start-1)
		at := patterns[rule].FindStringIndex(text[lead:])
		if at == nil {
			return nil
		}
		if lead+at[0] >= start {
			return []int{lead + at[0], lead + at[1]}
		}
		start++
	}
}

// naiveLeft is the first rule that still matches a text, and what it matches.
func naiveLeft(text string) (rule, match string) {
	for i := range patterns {
		if !patterns[i].MatchString(text) {
			continue
		}
		if all := naiveAll(i, text); len(all) > 0 {
			return rows[i].Name, text[all[0][0]:all[0][1]]
		}
	}
	return "", ""
}

// wholes are those of which a whole text is a secret, or begins with one.
var wholes = func() (res [ruleQuery]*regexp.Regexp) {
	for i := range res {
		end := `\z`
		if i == rulePEM {
			end = ""
		}
		res[i] = regexp.MustCompile(`\A(?:` + rows[i].Pattern + `)` + end)
	}
	return res
}()

// naiveWhole is the rule by which a text is a secret as a whole.
func naiveWhole(text string) (rule string) {
	for i, pattern := range wholes {
		if pattern.MatchString(text) {
			return rows[i].Name
		}
	}
	return ""
}
