// The program site makes the project's pages, one per document, rule and command, with links. `make site` runs it.
// Sources are the Markdown documents and the JSON output of `cupel explain` and `cupel help`.
//
// A page is ADDRESS/index.html, for any file server at https://cupel.dev/ADDRESS; links are
// relative with file names, for reading from a folder.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

func main() {
	cupel := flag.String("cupel", "../../cupel", "the program whose tables are printed")
	root := flag.String("root", "../..", "the folder of the project")
	out := flag.String("out", "../../site-out", "the folder that the site is written to")
	flag.Parse()
	if err := run(*cupel, *root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "site: "+err.Error())
		os.Exit(1)
	}
}

func run(cupel, root, out string) error {
	start := time.Now()
	t, err := readTables(cupel)
	if err != nil {
		return err
	}
	s := newSite(root, t)
	if err := s.make(); err != nil {
		return err
	}
	count, faults := checkLinks(s.files)
	for _, fault := range faults {
		fmt.Fprintln(os.Stderr, "site: "+fault)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d links lead nowhere", len(faults))
	}
	if err := replaceFolder(out, s.files); err != nil {
		return err
	}
	fmt.Printf("%s: %d pages (%d rules, %d commands, %d documents), %s, in %d ms\n", filepath.Clean(out), count.pages,
		len(s.Rules), len(t.Commands), len(s.documents), count, time.Since(start).Milliseconds())
	return nil
}

// mark is a file that identifies a generated site, which can be replaced.
const mark = "sitemap.txt"

// replaceFolder writes the files into a folder that does not exist or contains a site.
func replaceFolder(folder string, files map[string][]byte) error {
	if entries, err := os.ReadDir(folder); err == nil && len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(folder, mark)); err != nil {
			return fmt.Errorf("%s holds something else than a site; name another folder", folder)
		}
	}
	fresh, err := os.MkdirTemp(filepath.Dir(filepath.Clean(folder)), ".site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(fresh, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return os.Rename(fresh, folder)
}
