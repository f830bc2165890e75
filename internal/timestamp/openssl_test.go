package timestamp

import (
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func shipped(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../../testdata/timestamp/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestShipped verifies the tokens in testdata, which openssl made.
func TestShipped(t *testing.T) {
	authority := must(ParseAuthorities(shipped(t, "authority.pem")))
	tokens := map[string]string{"log.tsr": "log.checkpoint", "log.p7s": "log.checkpoint", "run.tsr": "run.att.json"}
	for token, file := range tokens {
		facts, found := Verify(shipped(t, token), shipped(t, file), authority, after)
		if facts == nil || len(found) > 0 {
			t.Fatalf("%s: %+v", token, found)
		}
		if facts.Authority != "CN=Example Timestamp Authority" || facts.Accuracy != "1s" || facts.Policy != "1.2.3.4.1" {
			t.Errorf("%s: %+v", token, facts)
		}
		for _, other := range tokens {
			if _, found := Verify(shipped(t, token), shipped(t, other), authority, after); (len(found) == 0) != (other == file) {
				t.Errorf("%s over %s: %+v", token, other, found)
			}
		}
	}
}

// openssl runs the program in a folder with the certificates and keys of tests.
type openssl struct {
	t         testing.TB
	path, dir string
}

func startOpenSSL(t testing.TB) *openssl {
	t.Helper()
	path, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("timestamps: NOT compared with openssl, which is not installed")
	}
	o := &openssl{t, path, t.TempDir()}
	o.write("message", message)
	o.write("ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root().cert.Raw}))
	return o
}

func (o *openssl) write(name string, text []byte) {
	o.t.Helper()
	if err := os.WriteFile(filepath.Join(o.dir, name), text, 0o600); err != nil {
		o.t.Fatal(err)
	}
}

func (o *openssl) run(args string) error {
	o.t.Helper()
	cmd := exec.CommandContext(o.t.Context(), o.path, strings.Fields(args)...)
	cmd.Dir = o.dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("openssl %s: %w\n%s", args, err, text)
	}
	return nil
}

// TestOpenSSLVerifies: openssl also accepts the good tokens of the tests.
func TestOpenSSLVerifies(t *testing.T) {
	o := startOpenSSL(t)
	for name, der := range goodTokens() {
		in := "-token_in"
		if strings.HasPrefix(name, "response") || strings.HasPrefix(name, "with ") {
			in = ""
		}
		o.write("token", der)
		if err := o.run("ts -verify -data message -in token -CAfile ca.pem -attime 1780000000 " + in); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOpenSSLReplies: what openssl makes as an authority is accepted, except with hashes that are not.
func TestOpenSSLReplies(t *testing.T) {
	o := startOpenSSL(t)
	c := signerCert()
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	ca := rootOf("CA of openssl")
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.cert.Raw})
	for name, key := range map[string]issuer{"RSA": rsaSigner(), "ECDSA": signer()} {
		by := ca.issue(c, key.key)
		o.write("tsa.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: by.cert.Raw}))
		o.write("tsa.key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8(by.key)}))
		o.write("ca.pem", chain)
		c.SerialNumber = nil
		for _, hash := range []string{"sha1", "sha256", "sha384", "sha512"} {
			for _, identity := range []string{"sha1", "sha256"} {
				for _, signed := range []string{"sha1", "sha256", "sha512"} {
					o.write("serial", []byte("1000\n"))
					o.write("tsa.cnf", fmt.Appendf(nil, "[tsa]\nserial=serial\nsigner_digest=%s\ndefault_policy=1.2.3\ndigests=sha1,sha256,sha384,sha512\ness_cert_id_alg=%s\nordering=yes\ntsa_name=yes\naccuracy=secs:1,millisecs:2,microsecs:3\n", signed, identity))
					for i, cert := range []string{"", "-cert"} {
						certs := []issuer{ca}
						if i == 0 {
							certs = append(certs, by)
						}
						err := o.run("ts -query -data message -" + hash + " -out query " + cert)
						if err == nil {
							err = o.run("ts -reply -config tsa.cnf -section tsa -queryfile query -signer tsa.pem -inkey tsa.key -chain ca.pem -out reply")
						}
						if err != nil {
							t.Fatal(err)
						}
						der := must(os.ReadFile(filepath.Join(o.dir, "reply")))
						facts, found := Verify(der, message, trusting(certs...), time.Now().Add(time.Minute))
						weak := slices.Contains([]string{hash, signed}, "sha1")
						switch {
						case weak && (len(found) != 1 || found[0].Rule != "timestamp.algorithm"), !weak && len(found) > 0:
							t.Errorf("%s, %s, identity %s, signature %s, %q: %+v", name, hash, identity, signed, cert, found)
						case !weak && facts.Accuracy != "1.002003s":
							t.Errorf("%+v", facts)
						}
					}
				}
			}
		}
	}
}
