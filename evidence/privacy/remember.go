package privacy

// Limits of the caches of names and texts.
const (
	mostRemembered = 4096
	mostBytes      = 80 // of each
)

func remember(known map[string]bool, text []byte, is bool) map[string]bool {
	if known == nil {
		known = map[string]bool{}
	}
	if len(text) <= mostBytes && len(known) < mostRemembered {
		known[string(text)] = is
	}
	return known
}
