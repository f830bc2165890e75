// Package browser tests the pages of `--format html` in headless Chromium and with a standard HTML
// parser. It is a separate module for tests: `make pages` runs it with the build tag pages.
//
// Cases for pages of testdata/examples are in cases.txt.
package browser
