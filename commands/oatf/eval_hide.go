package oatfcmd

import "github.com/cupel-dev/cupel/internal/secrets"

// secretHider returns a function that finds the keys, tokens and passwords in a value's text, as eval.Options.Hide
// wants it. Home folders and personal data stay: attacks are often about files.
func secretHider() (func(name, text string) [][2]int, error) {
	set, err := secrets.Credentials()
	if err != nil {
		return nil, err
	}
	return func(name, text string) (ranges [][2]int) {
		if _, secret := set.Member([]byte(name), []byte(text)); secret {
			return [][2]int{{0, len(text)}}
		}
		for _, h := range secrets.NewScanner(set).Scan([]byte(text)) {
			ranges = append(ranges, [2]int{h.Start, h.End})
		}
		return ranges
	}, nil
}

// hideSecrets returns a JSON text with stars in place of its secrets; changed says that it had some.
func hideSecrets(text string, hide func(name, text string) [][2]int) (shown string, changed bool) {
	if hide == nil {
		return text, false
	}
	ranges := hide("", text)
	at, out := 0, []byte(nil)
	for _, r := range ranges {
		out = append(append(out, text[at:r[0]]...), secrets.Stars...)
		at = r[1]
	}
	return string(append(out, text[at:]...)), len(ranges) > 0
}
