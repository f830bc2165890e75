package v202603

import "github.com/cupel-dev/cupel/oatf/internal/profile"

var suite = profile.Suite{
	First: []string{"primitives/extract-protocol", "primitives/select-response"},
	Faults: []profile.Fault{{
		Digest: "sha256:9401d2530a92f7c7f9ff840c619da2855dac179f9ec30386046505551ff6e2f7",
		Says:   "the expected path leads through response, where the document has responses[0] with its own content (V-032)",
	}},
}
