package timestamp

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	second "github.com/digitorus/timestamp"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// goodTokens are accepted with root as the trusted certificate.
func goodTokens() map[string][]byte {
	between := root().issue(&x509.Certificate{Subject: pkix.Name{CommonName: "between"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}, nil)
	below := between.issue(signerCert(), nil)
	p384 := root().issue(signerCert(), must(ecdsa.GenerateKey(elliptic.P384(), rand.Reader)))
	ecdsa512 := asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 4}
	return map[string][]byte{
		"token":                 stamp(nil),
		"response":              responseOf(0, nil, stamp(nil)),
		"with modifications":    responseOf(1, nil, stamp(nil), "another policy"),
		"SHA-512":               stamp(func(o *order) { o.hash, o.digest, o.algorithm = sha512ID, sha512ID, ecdsa512 }),
		"P-384":                 stamp(func(o *order) { o.by, o.certs = p384, []issuer{p384} }),
		"RSA":                   stamp(func(o *order) { o.by, o.certs, o.algorithm = rsaSigner(), []issuer{rsaSigner()}, rsaID }),
		"intermediate in token": stamp(func(o *order) { o.by, o.certs = below, []issuer{below, between} }),
		"first identity":        stamp(func(o *order) { o.signed = with(2, identity1(signer().cert)) }),
		"both identities":       stamp(func(o *order) { o.signed = with(3, identity1(signer().cert)) }),
		"fraction":              stamp(func(o *order) { o.time = timeOf("20260301120000.25Z") }),
		"further certificates":  stamp(func(o *order) { o.certs = []issuer{rootOf("other"), o.by, root()} }),
		"unsigned attribute": stamp(func(o *order) {
			o.cms = func(c *contentInfo) {
				c.Content.Signers[0].Unsigned = raw(asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 1, IsCompound: true, Bytes: must(asn1.Marshal(attr(oidDigest, 1)))})
			}
		}),
		"NULL as parameter": stamp(func(o *order) {
			o.cms = func(c *contentInfo) {
				c.Content.Digests[0].Parameters = asn1.NullRawValue
				c.Content.Signers[0].Digest.Parameters = asn1.NullRawValue
			}
		}),
	}
}

// with sets a signed attribute; 3 adds one.
func with(at int, a attribute) func([]attribute) []attribute {
	return func(list []attribute) []attribute { return append(list[:at:at], a) }
}

// TestGood: what an authority can make is accepted, and another reader finds the same time and hash.
func TestGood(t *testing.T) {
	for name, der := range goodTokens() {
		facts, rule := verdict(t, der, trusting(root()))
		if rule != "" {
			_, found := Verify(der, message, trusting(root()), now)
			t.Errorf("%s: %+v", name, found)
			continue
		}
		read := second.Parse
		if strings.HasPrefix(name, "response") || strings.HasPrefix(name, "with ") {
			read = second.ParseResponse
		}
		if strings.HasPrefix(name, "with ") { // it refuses this status
			read = func([]byte) (*second.Timestamp, error) { return second.Parse(stamp(nil)) }
		}
		other, err := read(der)
		if err != nil {
			t.Errorf("%s: the other reader: %v", name, err)
			continue
		}
		if at := other.Time.UTC().Format(time.RFC3339Nano); at != facts.Time || other.Accuracy.String() != facts.Accuracy || other.SerialNumber.String() != facts.Serial || !bytes.Equal(other.HashedMessage, sum(other.HashAlgorithm, message)) {
			t.Errorf("%s: %+v, but the other reader finds %s, ±%v, %v", name, facts, at, other.Accuracy, other.SerialNumber)
		}
	}
	facts, _ := verdict(t, stamp(nil), trusting(root()))
	if want := (Facts{Time: "2026-03-01T12:00:00Z", Accuracy: "1.5s", Authority: "CN=TSA,O=Example", Policy: "1.2.3", Serial: "77"}); *facts != want {
		t.Errorf("%+v, expected %+v", *facts, want)
	}
	if said := facts.String(); said != "existed at 2026-03-01T12:00:00Z (±1.5s) according to CN=TSA,O=Example" {
		t.Error(said)
	}
	long := Facts{Time: "t", Authority: strings.Repeat("x", 60_000)}
	if said := long.String(); len(said) > 300 {
		t.Errorf("%d characters", len(said))
	}
	for name, trusted := range map[string]*Authorities{"signer alone": trusting(signer()), "signer and CA": trusting(rootOf("x"), root(), signer())} {
		if _, rule := verdict(t, stamp(func(o *order) { o.certs = nil }), trusted); rule != "" {
			t.Errorf("%s, without certificates in the token: %s", name, rule)
		}
	}
}

// TestAttackers: each row is a token that must be refused, for the named reason.
func TestAttackers(t *testing.T) {
	twin := rootOf("CA")
	imposter := twin.issue(signerCert(), nil)
	certOf := func(change func(*x509.Certificate)) issuer {
		c := signerCert()
		change(c)
		return root().issue(c, nil)
	}
	by := func(i issuer) func(*order) { return func(o *order) { o.by, o.certs = i, []issuer{i} } }
	cms := func(change func(*signedData)) func(*order) {
		return func(o *order) { o.cms = func(c *contentInfo) { change(&c.Content) } }
	}
	info := func(change func(*tstInfo)) func(*order) { return func(o *order) { o.info = change } }
	encoded := func(change func([]byte) []byte) func(*order) { return func(o *order) { o.der = change } }
	restricted := root().issue(&x509.Certificate{Subject: pkix.Name{CommonName: "servers only"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, nil)
	underRestricted := restricted.issue(signerCert(), nil)
	notCA := root().issue(&x509.Certificate{Subject: pkix.Name{CommonName: "no CA"}}, nil)
	underNotCA := notCA.issue(signerCert(), nil)
	sameKey := root().issue(signerCert(), signer().key)
	sameName := root().issue(&x509.Certificate{SerialNumber: signer().cert.SerialNumber, Subject: pkix.Name{CommonName: "Bank"}, ExtraExtensions: usage(true, forTimestamps)}, signer().key)
	huge := root().issue(signerCert(), hugeKey{})
	huge.key = signer().key
	seen := map[string]bool{}
	for _, c := range []struct {
		name, rule string
		edit       func(*order)
	}{
		{"other bytes", "timestamp.imprint", func(o *order) { o.message = append(bytes.Clone(message), '\n') }},
		{"shorter digest", "timestamp.imprint", info(func(i *tstInfo) { i.Imprint.Digest = i.Imprint.Digest[:8] })},
		{"no digest", "timestamp.imprint", info(func(i *tstInfo) { i.Imprint.Digest = nil })},
		{"digest of another algorithm", "timestamp.imprint", info(func(i *tstInfo) { i.Imprint.Hash.Algorithm = sha512ID })},

		{"other authority of the same name", "timestamp.chain", by(imposter)},
		{"other authority with its root in the token", "timestamp.chain", func(o *order) { o.by, o.certs = imposter, []issuer{imposter, twin} }},
		{"no certificate", "timestamp.chain", func(o *order) { o.certs = nil }},
		{"certificate of another", "timestamp.chain", func(o *order) { o.certs = []issuer{sameKey} }},
		{"expired before", "timestamp.chain", func(o *order) { o.time = timeOf("20350101000001Z") }},
		{"not valid yet", "timestamp.chain", func(o *order) { o.time = timeOf("20241231235959Z") }},
		{"short-lived, expired at the time", "timestamp.chain", by(certOf(func(c *x509.Certificate) { c.NotBefore, c.NotAfter = before, before.AddDate(0, 1, 0) }))},
		{"issuer for servers only", "timestamp.chain", func(o *order) { o.by, o.certs = underRestricted, []issuer{underRestricted, restricted} }},
		{"issuer is not a CA", "timestamp.chain", func(o *order) { o.by, o.certs = underNotCA, []issuer{underNotCA, notCA} }},
		{"unknown critical extension", "timestamp.chain", by(certOf(func(c *x509.Certificate) {
			c.ExtraExtensions = append(c.ExtraExtensions, pkix.Extension{Id: asn1.ObjectIdentifier{1, 2, 3, 4}, Critical: true, Value: []byte{5, 0}})
		}))},

		{"no usage", "timestamp.usage", by(certOf(func(c *x509.Certificate) { c.ExtraExtensions = nil }))},
		{"usage not critical", "timestamp.usage", by(certOf(func(c *x509.Certificate) { c.ExtraExtensions = usage(false, forTimestamps) }))},
		{"usage with another", "timestamp.usage", by(certOf(func(c *x509.Certificate) { c.ExtraExtensions = usage(true, forTimestamps, forServers) }))},
		{"usage with an unknown one", "timestamp.usage", by(certOf(func(c *x509.Certificate) {
			c.ExtraExtensions = usage(true, forTimestamps, asn1.ObjectIdentifier{1, 2, 3})
		}))},
		{"usage of a server", "timestamp.usage", by(certOf(func(c *x509.Certificate) { c.ExtraExtensions = usage(true, forServers) }))},
		{"key not for signatures", "timestamp.usage", by(certOf(func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageKeyEncipherment }))},

		{"SHA-1 of the file", "timestamp.algorithm", func(o *order) { o.hash = sha1ID }},
		{"SHA-1 of the content", "timestamp.algorithm", func(o *order) { o.digest = sha1ID }},
		{"ECDSA with SHA-1", "timestamp.algorithm", func(o *order) { o.algorithm = ecdsa1 }},
		{"RSA-PSS", "timestamp.algorithm", func(o *order) { o.algorithm = pssID }},
		{"unequal hashes", "timestamp.algorithm", func(o *order) { o.digest = sha512ID }},
		{"parameters", "timestamp.algorithm", cms(func(d *signedData) { d.Signers[0].Digest.Parameters = raw(7) })},

		{"a huge key", "timestamp.algorithm", func(o *order) {
			o.by, o.certs, o.algorithm = huge, []issuer{huge}, rsaID
			o.cms = func(c *contentInfo) { c.Content.Signers[0].Signature = bytes.Repeat([]byte{1}, hugeBits/8) }
		}},
		{"a huge key above", "timestamp.algorithm", func(o *order) { o.certs = append(o.certs, huge) }},

		{"two signers", "timestamp.signature", cms(func(d *signedData) { d.Signers = append(d.Signers, d.Signers[0]) })},
		{"no signer", "timestamp.signature", cms(func(d *signedData) { d.Signers = nil })},
		{"identity of another", "timestamp.signature", func(o *order) { o.signed = with(2, identity2(sameKey.cert)) }},
		{"first identity of another", "timestamp.signature", func(o *order) { o.signed = with(2, identity1(sameKey.cert)) }},
		{"second identity good, first of another", "timestamp.signature", func(o *order) { o.signed = with(3, identity1(sameKey.cert)) }},
		{"no identity", "timestamp.signature", func(o *order) { o.signed = func(l []attribute) []attribute { return l[:2] } }},
		{"empty identity", "timestamp.signature", func(o *order) { o.signed = with(2, attr(oidSigningCertV2, struct{ Certs []any }{})) }},
		{"same key, number and issuer, other certificate", "timestamp.signature", func(o *order) { o.certs = []issuer{sameName} }},
		{"no signed attributes", "timestamp.signature", cms(func(d *signedData) { d.Signers[0].Signed = asn1.RawValue{} })},
		{"no digest in the attributes", "timestamp.signature", func(o *order) { o.signed = func(l []attribute) []attribute { return []attribute{l[0], l[2]} } }},
		{"other digest in the attributes", "timestamp.signature", func(o *order) {
			o.signed = func(l []attribute) []attribute { l[1] = attr(oidDigest, make([]byte, 32)); return l }
		}},
		{"two values of a digest", "timestamp.signature", func(o *order) {
			o.signed = func(l []attribute) []attribute { l[1].Values = append(l[1].Values, raw(make([]byte, 32))); return l }
		}},
		{"signed as other content", "timestamp.signature", func(o *order) { o.content = oidSignedData }},
		{"other time afterwards", "timestamp.signature", cms(func(d *signedData) {
			d.Content.Content = bytes.Replace(d.Content.Content, []byte(moment), []byte("20250301120000Z"), 1)
		})},
		{"signature of another key", "timestamp.signature", cms(func(d *signedData) {
			d.Signers[0].Signature = must(imposter.key.Sign(rand.Reader, make([]byte, 32), crypto.SHA256))
		})},
		{"empty signature", "timestamp.signature", cms(func(d *signedData) { d.Signers[0].Signature = nil })},

		{"attribute twice", "timestamp.malformed", func(o *order) { o.signed = func(l []attribute) []attribute { return append(l, l[1]) } }},
		{"other content type", "timestamp.malformed", cms(func(d *signedData) { d.Content.Type = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1} })},
		{"no content", "timestamp.malformed", cms(func(d *signedData) { d.Content.Content = nil })},
		{"other version", "timestamp.malformed", cms(func(d *signedData) { d.Version = 1 })},
		{"signer named by key id", "timestamp.malformed", cms(func(d *signedData) {
			d.Signers[0].Version, d.Signers[0].Signer = 3, raw(asn1.RawValue{Class: asn1.ClassContextSpecific, Bytes: make([]byte, 20)})
		})},
		{"digest not listed", "timestamp.malformed", cms(func(d *signedData) { d.Digests = nil })},
		{"critical extension of the content", "timestamp.malformed", info(func(i *tstInfo) {
			i.Extensions = []pkix.Extension{{Id: oidDigest, Critical: true, Value: []byte{5, 0}}}
		})},
		{"version of the content", "timestamp.malformed", info(func(i *tstInfo) { i.Version = 2 })},
		{"negative accuracy", "timestamp.malformed", info(func(i *tstInfo) { i.Accuracy.Seconds = -1 })},
		{"accuracy of a century", "timestamp.malformed", info(func(i *tstInfo) { i.Accuracy.Seconds = 3_000_000_000 })},
		{"time with an offset", "timestamp.malformed", func(o *order) { o.time = timeOf("20260301120000+0100") }},
		{"time with a comma", "timestamp.malformed", func(o *order) { o.time = timeOf("20260301120000,5Z") }},
		{"time with zeros", "timestamp.malformed", func(o *order) { o.time = timeOf("20260301120000.50Z") }},
		{"time of no day", "timestamp.malformed", func(o *order) { o.time = timeOf("20260230120000Z") }},
		{"time without seconds", "timestamp.malformed", func(o *order) { o.time = timeOf("202603011200Z") }},
		{"time as UTCTime", "timestamp.malformed", func(o *order) { o.time = raw(asn1.RawValue{Tag: asn1.TagUTCTime, Bytes: []byte("260301120000Z")}) }},
		{"time as text", "timestamp.malformed", func(o *order) { o.time = raw(asn1.RawValue{Tag: asn1.TagUTF8String, Bytes: []byte(moment)}) }},

		{"bytes after the end", "timestamp.malformed", encoded(func(b []byte) []byte { return append(b, 0) })},
		{"a value after the end", "timestamp.malformed", encoded(func(b []byte) []byte { return append(b, 5, 0) })},
		{"twice", "timestamp.malformed", encoded(func(b []byte) []byte { return append(b, b...) })},
		{"BER, indefinite length", "timestamp.malformed", encoded(func(b []byte) []byte { return slices.Concat([]byte{0x30, 0x80}, b[4:], []byte{0, 0}) })},
		{"longer length", "timestamp.malformed", encoded(func(b []byte) []byte { return slices.Concat([]byte{0x30, 0x83, 0}, b[2:]) })},
		{"an empty file", "timestamp.malformed", encoded(func([]byte) []byte { return nil })},
		{"text", "timestamp.malformed", encoded(func([]byte) []byte { return []byte("-----BEGIN PKCS7-----\n") })},
		{"huge length", "timestamp.malformed", encoded(func([]byte) []byte { return []byte{0x30, 0x84, 0x7f, 0xff, 0xff, 0xff, 0} })},
		{"largest length", "timestamp.malformed", encoded(func([]byte) []byte { return []byte{0x04, 0x84, 0xff, 0xff, 0xff, 0xff} })},
		{"length of many bytes", "timestamp.malformed", encoded(func([]byte) []byte { return bytes.Repeat([]byte{0xff}, 200) })},
		{"too large", "timestamp.malformed", encoded(func(b []byte) []byte { return append(b, make([]byte, MaxBytes)...) })},
		{"deep", "timestamp.malformed", encoded(func([]byte) []byte { return deep(15_000) })},
		{"a number", "timestamp.malformed", encoded(func([]byte) []byte { return []byte{2, 1, 1} })},
		{"an empty list", "timestamp.malformed", encoded(func([]byte) []byte { return []byte{0x30, 0} })},

		{"rejection", "timestamp.status", encoded(func([]byte) []byte { return responseOf(2, []byte{0x80}, nil, "no such \x1b[31mpolicy") })},
		{"waiting, with a token", "timestamp.status", encoded(func(b []byte) []byte { return responseOf(3, nil, b) })},
		{"unknown status", "timestamp.status", encoded(func(b []byte) []byte { return responseOf(-1, nil, b) })},
		{"granted without a token", "timestamp.malformed", encoded(func([]byte) []byte { return responseOf(0, nil, nil) })},
		{"a response in a response", "timestamp.malformed", encoded(func(b []byte) []byte { return responseOf(0, nil, responseOf(0, nil, b)) })},
		{"a byte after the token", "timestamp.malformed", encoded(func(b []byte) []byte { return responseOf(0, nil, append(b, 5, 0)) })},

		{"in the future", "timestamp.future", func(o *order) { o.time = timeOf("20260601000001Z") }},
	} {
		seen[c.rule] = true
		if _, rule := verdict(t, stamp(c.edit), trusting(root())); rule != c.rule {
			t.Errorf("%s: %q, expected %s", c.name, rule, c.rule)
		}
	}
	for _, r := range Rules() {
		if !seen[r.ID] || r.Title == "" || r.Clause == "" || r.Rationale == "" || r.Flags == "" {
			t.Errorf("a text or a case is missing: %+v", r)
		}
	}
	_, found := Verify(responseOf(2, []byte{0x80, 1}, nil, "bad \x1bpolicy", strings.Repeat("x", 5000), "3", "4"), message, trusting(root()), now)
	if said := found[0].Message; !strings.HasPrefix(said, `the authority did not grant the timestamp: status 2 (rejection), badAlg, unacceptedPolicy, "bad \x1bpolicy", "xxx`) || len(said) > 1000 || strings.Contains(said, `"4"`) {
		t.Error(said)
	}
}

func deep(levels int) (der []byte) {
	for range levels {
		if der = raw(asn1.RawValue{Tag: asn1.TagSequence, IsCompound: true, Bytes: der}).FullBytes; len(der) > MaxBytes-8 {
			break
		}
	}
	return der
}

// TestEveryBit: a token with one bit changed is refused, or says the same: only bits that nobody signs can change.
func TestEveryBit(t *testing.T) {
	for _, c := range []struct {
		name    string
		der     []byte
		allowed int
	}{
		{"token", stamp(nil), 0},
		{"response", responseOf(0, nil, stamp(nil)), 1}, // granted with modifications
		{"token without certificates", stamp(func(o *order) { o.certs = nil }), 0},
	} {
		trusted := trusting(root(), signer())
		if c.name == "token" || c.name == "response" {
			trusted = trusting(root())
		}
		want, rule := verdict(t, c.der, trusted)
		if rule != "" {
			t.Fatal(rule)
		}
		accepted, bits := 0, 8*len(c.der)
		list := make([]int, bits)
		for i := range list {
			list[i] = i
		}
		for _, bit := range racetest.Some(t, list) {
			der := bytes.Clone(c.der)
			der[bit/8] ^= 1 << (bit % 8)
			if got, rule := verdict(t, der, trusted); rule == "" {
				if accepted++; *got != *want {
					t.Errorf("%s: bit %d: %+v, without the change %+v", c.name, bit, got, want)
				}
			}
		}
		t.Logf("%s: %d of %d changed bits accepted, with the same facts", c.name, accepted, bits)
		if accepted > c.allowed {
			t.Errorf("%s: %d changed bits were accepted, expected at most %d", c.name, accepted, c.allowed)
		}
	}
}

// TestEveryCut: no beginning of a token is a token, and nothing can follow it.
func TestEveryCut(t *testing.T) {
	trusted := trusting(root())
	for _, der := range [][]byte{stamp(nil), responseOf(0, nil, stamp(nil))} {
		for n := range der {
			if _, rule := verdict(t, der[:n], trusted); rule != "timestamp.malformed" {
				t.Errorf("%d of %d bytes: %q", n, len(der), rule)
			}
		}
		for b := range 256 {
			if _, rule := verdict(t, append(bytes.Clone(der), byte(b)), trusted); rule != "timestamp.malformed" {
				t.Errorf("with byte %d after it: %q", b, rule)
			}
		}
	}
}

// TestEveryBitOfTheFile: a changed file is not covered.
func TestEveryBitOfTheFile(t *testing.T) {
	der, trusted := stamp(nil), trusting(root())
	for bit := range 8 * len(message) {
		changed := bytes.Clone(message)
		changed[bit/8] ^= 1 << (bit % 8)
		if facts, found := Verify(der, changed, trusted, now); facts != nil || len(found) != 1 || found[0].Rule != "timestamp.imprint" || found[0].Expected == found[0].Found {
			t.Fatalf("bit %d: %+v, %+v", bit, facts, found)
		}
	}
}

// TestClaimedLengths: a length that a token claims allocates nothing.
func TestClaimedLengths(t *testing.T) {
	trusted := trusting(root())
	for _, der := range [][]byte{{0x30, 0x84, 0x7f, 0xff, 0xff, 0xff, 6, 0}, {0x30, 6, 0x04, 0x84, 0xff, 0xff, 0xff, 0xff}, deep(20_000), bytes.Repeat([]byte{0x30, 0x80}, 30_000)} {
		var start, end runtime.MemStats
		runtime.ReadMemStats(&start)
		if _, rule := verdict(t, der, trusted); rule != "timestamp.malformed" {
			t.Error(rule)
		}
		runtime.ReadMemStats(&end)
		if used := end.TotalAlloc - start.TotalAlloc; used > 64<<10 {
			t.Errorf("%d bytes of memory for %d", used, len(der))
		}
	}
}

// TestDER holds what is DER, and what is only BER or nothing.
func TestDER(t *testing.T) {
	for _, der := range []string{
		"", "\x05\x00", "\x05\x00\x05\x00", "\x01\x01\xff", "\x01\x01\x00", "\x02\x01\x80", "\x02\x02\x00\x80", "\x02\x02\xff\x7f", "\x03\x01\x00",
		"\x03\x02\x07\x80", "\x30\x00", "\x31\x02\x05\x00", "\xa0\x02\x05\x00", "\x80\x01x",
	} {
		if err := strictDER([]byte(der), 0); err != nil {
			t.Errorf("% x: %v", der, err)
		}
	}
	for _, ber := range []string{
		"\x05", "\x05\x01\x00", "\x01\x01\x01", "\x01\x00", "\x01\x02\xff\xff", "\x02\x00", "\x02\x02\x00\x7f", "\x02\x02\xff\x80", "\x03\x00",
		"\x03\x01\x01", "\x03\x02\x08\x00", "\x03\x02\x01\x01", "\x10\x00", "\x24\x00", "\x1f\x20\x00", "\xbf\x20\x00", "\x04\x81\x01x", "\x04\x80\x00\x00",
		"\x30\x80\x00\x00", "\x04\x02x", "\x04\x85\x01\x01\x01\x01\x01", "\x30\x03\x04\x02x", "\xa0\x03\x04\x02x",
	} {
		if strictDER([]byte(ber), 0) == nil {
			t.Errorf("% x is accepted", ber)
		}
	}
	if err := strictDER(deep(maxDepth), 0); err != nil {
		t.Error(err)
	}
	if strictDER(deep(maxDepth+1), 0) == nil {
		t.Error("no limit of the depth")
	}
}

func TestParseAuthorities(t *testing.T) {
	one := string(shipped(t, "authority.pem"))
	for text, want := range map[string]string{
		one: "", "a comment\n" + one + "\n" + one: "",
		"":             "it has no certificate in PEM",
		"certificate":  "it has no certificate in PEM",
		one[:200]:      "1 PEM block, but 0 of them can be read",
		one + one[:99]: "2 PEM blocks, but 1 of them can be read",
		strings.ReplaceAll(one, "CERTIFICATE", "PRIVATE KEY"):            `it has a block of type "PRIVATE KEY", expected only CERTIFICATE`,
		"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n": "certificate 1 cannot be read",
	} {
		_, err := ParseAuthorities([]byte(text))
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%.60q: %v, expected %q", text, err, want)
		}
	}
}

// FuzzVerify: no token panics. One that is accepted is a seed with changes that nobody signs: its facts are the same.
func FuzzVerify(f *testing.F) {
	trusted, file := must(ParseAuthorities(shipped(f, "authority.pem"))), shipped(f, "log.checkpoint")
	for _, name := range []string{"log.tsr", "log.p7s", "run.tsr"} {
		f.Add(shipped(f, name))
	}
	f.Add(responseOf(2, []byte{0x80}, nil, "no"))
	f.Add(deep(100))
	good, _ := Verify(shipped(f, "log.tsr"), file, trusted, now)
	f.Fuzz(func(t *testing.T, der []byte) {
		switch facts, found := Verify(der, file, trusted, now); {
		case facts == nil && (len(found) != 1 || found[0].Message == "" || found[0].Rule == ""):
			t.Fatalf("%+v", found)
		case facts != nil && *facts != *good:
			t.Fatalf("%+v, expected %+v", facts, good)
		}
	})
}

// TestOtherLibrary: tokens that another library makes are accepted.
func TestOtherLibrary(t *testing.T) {
	for name, by := range map[string]issuer{"ECDSA": signer(), "RSA": rsaSigner()} {
		stamp := second.Timestamp{
			HashAlgorithm: crypto.SHA256, HashedMessage: sum(crypto.SHA256, message), Time: now.Add(-time.Hour), Accuracy: time.Second,
			Policy: asn1.ObjectIdentifier{1, 2, 3}, AddTSACertificate: true,
		}
		der := must(stamp.CreateResponseWithOpts(by.cert, by.key, crypto.SHA256))
		if _, found := Verify(der, message, trusting(root()), now); len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
