// Package config stands in for the package of that name: its rules, without its reader of other configurations.
package config

import _ "embed"

//go:embed gitleaks.toml
var DefaultConfig string
