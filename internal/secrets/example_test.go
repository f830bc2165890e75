package secrets_test

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/secrets"
)

func Example() {
	set, err := secrets.Default()
	if err != nil {
		fmt.Println(err)
		return
	}
	s := secrets.NewScanner(set)
	text := []byte(`curl --token xyz https://bob:hunter2@host.net/home`)
	for _, h := range s.Scan(text) {
		fmt.Printf("%s at byte %d\n", h.Rule, h.Start)
	}
	out, _ := s.Redact(text, nil, nil)
	fmt.Printf("%s\n", out)
	// Output:
	// credential-flag at byte 13
	// url-userinfo at byte 25
	// curl --token *** https://***@host.net/home
}
