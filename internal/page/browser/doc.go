// Package browser opens the pages that `--format html` writes in headless Chromium, and reads
// them with the HTML parser of the browsers' standard. It is a module of its own, for tests
// alone: `make pages` runs it, with the build tag pages.
//
// A page of testdata/examples is a case in cases.txt.
package browser
