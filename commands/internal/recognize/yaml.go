package recognize

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/suggest"
)

// DocumentKey is the root key that makes YAML or JSON an OATF document.
const DocumentKey = "oatf"

// Document identifies a file with the extension of YAML. It searches up to most bytes, because the root key can be
// anywhere.
func Document(r io.Reader, most int64) Answer {
	var head bytes.Buffer
	r = io.LimitReader(r, most)
	text := inUTF8(io.MultiReader(io.TeeReader(io.LimitReader(r, HeadBytes), &head), r))
	found := false
	rootKeys(text, func(key string) bool {
		found = key == DocumentKey
		return !found
	})
	if found {
		return ours(OATF, OATF.Noun())
	}
	return Text(Head{head.Bytes(), head.Len() == HeadBytes})
}

// yamlText identifies text that is not JSON: an OATF document, a suite, foreign YAML, or any other text.
func yamlText(h Head) Answer {
	keys := map[string]bool{}
	var order []string
	rootKeys(bytes.NewReader(h.Text), func(key string) bool {
		if !keys[key] {
			order = append(order, key)
		}
		keys[key] = true
		return len(order) < mostLines
	})
	switch {
	case keys[DocumentKey]:
		return ours(OATF, OATF.Noun())
	case keys["attack"] && attackEvidence(h.Text):
		why := keyMissing
		for _, key := range order {
			if key != "attack" && suggest.Within(key, DocumentKey, 2) {
				why = `the root key is "` + key + `", expected "` + DocumentKey + `"`
			}
		}
		return damaged(OATF, OATF.Noun(), why)
	case len(keys) > 0 && oatfTests(keys, h.Text):
		return foreign("tests of an OATF document", "oatf test DOCUMENT")
	case keys["assertions"]:
		return ours(Suite, Suite.Noun())
	}
	for _, f := range foreignYAML {
		if f.fits(keys) {
			return foreign(f.name, f.command)
		}
	}
	if format := textName(h.Text); format != "" {
		return foreign(format, "")
	}
	a := foreign("", "")
	a.Why = nothingShown
	if len(order) > 0 {
		a.Format, a.Why = "YAML without the root key "+DocumentKey, "it has no root key "+DocumentKey
	}
	if keys["attack"] { // read if named, so that lint can report what is missing
		a.Family = OATF
	}
	return a
}

// oatfTests reports whether a text has only root keys of a document's tests.
func oatfTests(keys map[string]bool, text []byte) bool {
	for key := range keys {
		if key != "attack" && key != "benign" && key != "expected" {
			return false
		}
	}
	list := bytes.TrimLeft(block(text, "attack"), " \n") // of captures; a document has a mapping there
	return len(keys) > 1 || keys["benign"] || bytes.HasPrefix(list, []byte("- ")) || bytes.HasPrefix(list, []byte("["))
}

// attackKeys are the members of an attack in an OATF document (section 4 of the specification).
var attackKeys = []string{"id", "name", "version", "status", "description", "severity", "classification", "execution", "indicators", "phases", "impact", "references", "correlation", "created", "modified", "author"}

// ownAttackKeys are the keys of an attack that are unlikely in other formats.
var ownAttackKeys = []string{"execution", "indicators", "phases"}

// attackEvidence reports whether the root key attack has at least two keys of an OATF attack, one of them
// distinctive.
func attackEvidence(text []byte) bool {
	n, own := 0, false
	rootKeys(bytes.NewReader(block(text, "attack")), func(key string) bool {
		if slices.Contains(attackKeys, key) {
			n++
			own = own || slices.Contains(ownAttackKeys, key)
		}
		return true
	})
	return n > 1 && own
}

// block returns the text under a root key of YAML in block or flow style.
func block(text []byte, key string) []byte {
	var found []byte
	inside := false
	text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	for line := range bytes.Lines(text) {
		content := bytes.TrimLeft(line, " ")
		starts := keyOf(bytes.TrimRight(content, "\r\n")) == key && len(content) == len(line)
		switch {
		case starts:
			inside = true
			if _, after, _ := bytes.Cut(content, []byte(":")); len(bytes.TrimSpace(after)) > 0 {
				found = append(found, bytes.TrimLeft(after, " ")...)
			}
		case inside && len(content) == len(line) && len(bytes.TrimSpace(line)) > 0 && content[0] != '#' && content[0] != '}':
			return found
		case inside:
			found = append(found, line...)
		}
	}
	return found
}

// foreignYAML are formats of other programs by root keys.
var foreignYAML = []struct {
	name, command string
	fits          func(keys map[string]bool) bool
}{
	{"a Kubernetes object", "", allOf("apiVersion", "kind")},
	{"a Docker Compose file", "", func(k map[string]bool) bool { return k["services"] && !k["openapi"] }},
	{"a GitHub Actions workflow", "", func(k map[string]bool) bool { return k["jobs"] && (k["on"] || k["true"]) }},
	{"a GitHub action", "", allOf("runs", "name")},
	{"a GitLab CI file", "", anyOf("stages", "include", "before_script")},
	{"an OpenAPI description", "", anyOf("openapi", "swagger")},
	{"a pre-commit configuration", "", allOf("repos")},
	{"a JSON Schema", "", anyOf("$schema", "$defs")},
	{"a Helm chart", "", allOf("apiVersion", "appVersion")},
	{"a Dependabot configuration", "", allOf("version", "updates")},
	{"a Taskfile", "", allOf("version", "tasks")},
	{"a golangci-lint configuration", "", anyOf("linters", "linters-settings")},
	{"a cupel configuration", "check --show-config", anyOf("per-file-ignores", "exclude", "ignore")},
	{"an MkDocs configuration", "", allOf("site_name")},
	{"a CircleCI configuration", "", anyOf("workflows", "orbs")},
	{"a pubspec or package description", "", allOf("name", "dependencies")},
}

func allOf(names ...string) func(map[string]bool) bool {
	return func(keys map[string]bool) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !keys[name] })
	}
}

func anyOf(names ...string) func(map[string]bool) bool {
	return func(keys map[string]bool) bool {
		return slices.ContainsFunc(names, func(name string) bool { return keys[name] })
	}
}

// textName names text that is neither JSON nor YAML.
func textName(text []byte) string {
	start := string(trimStart(text[:min(len(text), 512)]))
	for _, t := range texts {
		if strings.HasPrefix(start, t.start) {
			return t.name
		}
	}
	return ""
}

var texts = []struct{ start, name string }{
	{"version https://git-lfs.github.com/", "a Git LFS pointer: the file itself was not fetched"},
	{"-----BEGIN ", "a PEM file"},
	{"<?xml", "XML"},
	{"<!DOCTYPE html", "HTML"},
	{"<!doctype html", "HTML"},
	{"<html", "HTML"},
	{"<svg", "an image"},
	{"#!/", "a script"},
	{"diff --git ", "a diff"},
	{"event: ", eventStream},
	{"data: {", eventStream},
}
