package oatftest

import (
	"io/fs"
	"testing"

	"go.yaml.in/yaml/v4"
)

// Cases reads test cases from a YAML file below root.
func Cases[T any](t testing.TB, root fs.FS, name string) []T {
	t.Helper()
	text, err := fs.ReadFile(root, name)
	if err != nil {
		t.Fatal(err)
	}
	var list []T
	if err := yaml.Load(text, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatalf("%s holds no cases", name)
	}
	t.Logf("%s: %d cases", name, len(list))
	return list
}
