package serve

import (
	"path/filepath"
	"slices"
)

// Cassette configures recorded model answers.
type Cassette struct {
	Mode Mode   // "": Live
	Dir  string // the folder of recorded answers; "": none
}

// Mode reports whether models are called, recorded or replayed.
type Mode string

// The modes.
const (
	Live   Mode = "live"   // they are, and nothing is recorded
	Record Mode = "record" // request and record missing answers
	Replay Mode = "replay" // missing answers are errors
)

// Modes lists the modes.
func Modes() []string { return []string{string(Live), string(Record), string(Replay)} }

var cassetteKeys = []configKey{
	{name: "mode", want: "live, record or replay", place: func(c *Config) *Place { return &c.Places.CassetteMode }, set: func(c *Config, v string) bool {
		c.Cassette.Mode = Mode(v)
		return slices.Contains(Modes(), v)
	}},
	{name: "dir", want: wantFolder, set: func(c *Config, v string) bool {
		c.Cassette.Dir = v
		return v != ""
	}},
}

// Below makes relative file names relative to the configuration's folder.
func (c *Config) Below(folder string) {
	for _, name := range []*string{&c.Cassette.Dir, &c.CacheDir, &c.History} {
		if *name != "" && !filepath.IsAbs(*name) {
			*name = filepath.Join(folder, *name)
		}
	}
}

const wantFolder = "the name of a folder"
