// Package buildinfo tells which build of cupel is running.
package buildinfo

import (
	"net/url"
	"runtime"
	"runtime/debug"
)

// Version is the release; the Makefile may set it at link time.
var Version = "0.1.0"

// Site is where the documentation is published; `make site` makes its pages.
const Site = "https://cupel.dev/"

// RulePage is the address of the page on a rule, which stays as it is. An id that no rule has is
// escaped, so that an address is nothing else.
func RulePage(id string) string { return Site + "rules/" + url.PathEscape(id) }

// Info describes the running binary.
type Info struct {
	Version  string // release
	Commit   string // revision the binary was built from, "unknown" when the build did not record it
	Go       string // Go version
	Platform string // os/arch
}

// Read collects the description from the binary itself.
func Read() Info {
	info := Info{Version: Version, Commit: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, s := range build.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				info.Commit = s.Value[:12]
			}
		}
	}
	return info
}
