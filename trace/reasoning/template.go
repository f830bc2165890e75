package reasoning

import "strings"

// cutID takes the id out of a path, so that one template stands for all the paths
// that spell their id. found is false when the path does not contain it.
func cutID(path, id string) (template string, found bool) {
	before, after, found := strings.Cut(path, id)
	return before + idMark + after, found
}

// putID undoes cutID.
func putID(template, id string) string {
	return strings.Replace(template, idMark, id, 1)
}
