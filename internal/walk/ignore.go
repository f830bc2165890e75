package walk

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

// ignoreRules are the .gitignore files in force during one walk: those of the
// folders from the repository's root to the walked one, and of every folder that
// the walk enters. Format: https://git-scm.com/docs/gitignore
type ignoreRules struct {
	byDir map[string][]ignoreRule // the rules that a folder's own file states
	stop  string                  // the topmost folder with rules, absolute
}

// ignoreRule is one line of a .gitignore file.
type ignoreRule struct {
	segments []string // the pattern, cut at its slashes
	dirOnly  bool     // it ended with a slash
	negated  bool     // it began with "!"
}

// rootRules reads the files above and in root. Outside a repository only the
// walked folders' own files count.
func rootRules(root string) *ignoreRules {
	r := &ignoreRules{byDir: map[string][]ignoreRule{}}
	abs, err := filepath.Abs(root)
	if err != nil {
		abs = root
	}
	r.stop = repository(abs)
	for dir := abs; dir != r.stop; {
		dir = filepath.Dir(dir)
		r.load(dir)
	}
	return r
}

// repository is the nearest folder at or above dir that holds .git, or dir.
func repository(dir string) string {
	for d := dir; ; {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		up := filepath.Dir(d)
		if up == d {
			return dir
		}
		d = up
	}
}

// load reads the .gitignore file of dir. One that is missing or unreadable states
// nothing, as for git.
func (r *ignoreRules) load(dir string) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return
	}
	f, err := os.Open(filepath.Join(abs, ".gitignore"))
	if err != nil {
		return
	}
	defer f.Close()
	var rules []ignoreRule
	for s := bufio.NewScanner(f); s.Scan(); {
		if rule, ok := parseIgnore(s.Text()); ok {
			rules = append(rules, rule)
		}
	}
	if len(rules) > 0 {
		r.byDir[abs] = rules
	}
}

// parseIgnore reads one line; ok is false for blank lines and comments.
func parseIgnore(line string) (rule ignoreRule, ok bool) {
	line = strings.TrimSuffix(line, "\r")
	if !strings.HasSuffix(line, `\ `) {
		line = strings.TrimRight(line, " ")
	}
	if line == "" || line[0] == '#' {
		return rule, false
	}
	if line[0] == '!' {
		rule.negated, line = true, line[1:]
	}
	if strings.HasSuffix(line, "/") {
		rule.dirOnly, line = true, strings.TrimSuffix(line, "/")
	}
	anchored := strings.Contains(line, "/")
	rule.segments = strings.Split(strings.TrimPrefix(line, "/"), "/")
	if !anchored {
		rule.segments = append([]string{"**"}, rule.segments...)
	}
	if rule.segments[len(rule.segments)-1] == "**" {
		rule.segments = append(rule.segments, "*") // "a/**" is what lies in a, not a
	}
	return rule, line != ""
}

// excludes reports whether the rules leave path out. The last rule that matches
// decides, and a deeper file beats one above it.
func (r *ignoreRules) excludes(path string, isDir bool) bool {
	if len(r.byDir) == 0 {
		return false
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	for dir := filepath.Dir(abs); ; dir = filepath.Dir(dir) {
		if rules := r.byDir[dir]; rules != nil {
			rel := strings.Split(filepath.ToSlash(strings.TrimPrefix(abs[len(dir):], string(filepath.Separator))), "/")
			for i := len(rules) - 1; i >= 0; i-- {
				if rules[i].matches(rel, isDir) {
					return !rules[i].negated
				}
			}
		}
		if dir == r.stop || dir == filepath.Dir(dir) {
			return false
		}
	}
}

func (rule ignoreRule) matches(names []string, isDir bool) bool {
	if rule.dirOnly && !isDir {
		return false
	}
	full, _ := matchPath(rule.segments, names, matchAny)
	return full
}
