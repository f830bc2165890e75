// Package buildinfo describes the running build of cupel.
package buildinfo

import (
	"net/url"
	"runtime"
	"runtime/debug"
)

// Version is the release. The Makefile can set it at link time.
var Version = "0.1.0"

// Site is the address of the documentation, built by `make site`.
const Site = "https://cupel.dev/"

// RulePage returns the address of a rule's page. Unknown ids are escaped.
func RulePage(id string) string { return Site + "rules/" + url.PathEscape(id) }

// Info describes the running binary.
type Info struct {
	Version  string
	Commit   string // VCS revision, "unknown" if the build did not record it
	Go       string
	Platform string
}

// Read returns the description of the running binary.
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
