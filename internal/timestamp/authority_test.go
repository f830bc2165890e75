package timestamp

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1" //nolint:gosec // the first version of the attribute has it
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"sync"
	"testing"
	"time"
)

// An authority of tests makes tokens, good ones and others. It shares the structures of the package, so openssl and
// another library also read what it makes.

const moment = "20260301120000Z"

var (
	now    = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	before = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	after  = time.Date(2035, 1, 1, 0, 0, 0, 0, time.UTC)
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

type issuer struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// hugeKey is a public RSA key of hugeBits. A verification with it takes seconds.
const hugeBits = 200_000

type hugeKey struct{ crypto.Signer }

func (hugeKey) Public() crypto.PublicKey {
	return &rsa.PublicKey{N: new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), hugeBits-1), big.NewInt(1)), E: 1<<31 - 1}
}

func ecKey() crypto.Signer { return must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)) }

// rootOf makes a certificate that signs itself.
func rootOf(name string) issuer {
	return issuer{key: ecKey()}.issue(&x509.Certificate{Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}, nil)
}

var serials = big.NewInt(1000)

// issue makes a certificate for a key, by default a new one.
func (i issuer) issue(c *x509.Certificate, key crypto.Signer) issuer {
	serials = new(big.Int).Add(serials, big.NewInt(1))
	if c.SerialNumber == nil {
		c.SerialNumber = serials
	}
	if c.NotBefore.IsZero() {
		c.NotBefore, c.NotAfter = before, after
	}
	parent := i.cert
	switch {
	case parent == nil:
		parent, key = c, i.key
	case key == nil:
		key = ecKey()
	}
	return issuer{must(x509.ParseCertificate(must(x509.CreateCertificate(rand.Reader, c, parent, key.Public(), i.key)))), key}
}

// usage is the extension for purposes.
func usage(critical bool, purposes ...asn1.ObjectIdentifier) []pkix.Extension {
	return []pkix.Extension{{Id: oidExtUsage, Critical: critical, Value: must(asn1.Marshal(purposes))}}
}

var (
	forTimestamps = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 8}
	forServers    = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 1}
)

func signerCert() *x509.Certificate {
	return &x509.Certificate{Subject: pkix.Name{CommonName: "TSA", Organization: []string{"Example"}}, KeyUsage: x509.KeyUsageDigitalSignature, ExtraExtensions: usage(true, forTimestamps)}
}

var root, signer = sync.OnceValue(func() issuer { return rootOf("CA") }), sync.OnceValue(func() issuer { return root().issue(signerCert(), nil) })

func trusting(list ...issuer) *Authorities {
	var text []byte
	for _, i := range list {
		text = append(text, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: i.cert.Raw})...)
	}
	return must(ParseAuthorities(text))
}

// order is what a token is made of.
type order struct {
	message       []byte
	hash, content asn1.ObjectIdentifier // of the message; type of the content
	time          asn1.RawValue
	info          func(*tstInfo)
	by            issuer
	certs         []issuer
	digest        asn1.ObjectIdentifier // of the signature
	algorithm     asn1.ObjectIdentifier
	signed        func([]attribute) []attribute   // changes the attributes before they are signed
	cms           func(*contentInfo)              // changes what is not signed
	der           func(token []byte) (der []byte) // changes the encoding
}

var (
	sha256ID = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}
	sha512ID = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 3}
	sha1ID   = asn1.ObjectIdentifier{1, 3, 14, 3, 2, 26}
	ecdsa256 = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}
	ecdsa1   = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 1}
	rsaID    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}
	pssID    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 10}
)

func timeOf(text string) asn1.RawValue {
	return raw(asn1.RawValue{Tag: asn1.TagGeneralizedTime, Bytes: []byte(text)})
}

func raw(value any) asn1.RawValue {
	der := must(asn1.Marshal(value))
	var r asn1.RawValue
	must(asn1.Unmarshal(der, &r))
	return r
}

func attr(kind asn1.ObjectIdentifier, values ...any) attribute {
	a := attribute{Type: kind}
	for _, v := range values {
		a.Values = append(a.Values, raw(v))
	}
	return a
}

// identity2 and identity1 are the attributes that name a certificate.
func identity2(c *x509.Certificate) attribute {
	return attr(oidSigningCertV2, struct{ Certs []any }{[]any{struct{ Hash []byte }{sum(crypto.SHA256, c.Raw)}}})
}

func identity1(c *x509.Certificate) attribute {
	hash := sha1.Sum(c.Raw) //nolint:gosec // see the import
	name := asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 4, IsCompound: true, Bytes: c.RawIssuer}
	return attr(oidSigningCert, struct{ Certs []any }{[]any{struct {
		Hash   []byte
		Issuer any
	}{hash[:], struct {
		Names  []asn1.RawValue
		Serial *big.Int
	}{[]asn1.RawValue{name}, c.SerialNumber}}}})
}

func sum(h crypto.Hash, text []byte) []byte {
	hash := h.New()
	hash.Write(text)
	return hash.Sum(nil)
}

func hashed(id asn1.ObjectIdentifier, text []byte) []byte {
	h := hashes[id.String()]
	if id.Equal(sha1ID) {
		h = crypto.SHA1
	}
	return sum(h, text)
}

var message = []byte("example.com/a\n3\nroot\n")

// stamp makes a token. edit changes the order of a good one.
func stamp(edit func(*order)) []byte {
	o := &order{message: message, hash: sha256ID, content: oidTSTInfo, time: timeOf(moment), by: signer(), digest: sha256ID, algorithm: ecdsa256}
	o.certs = []issuer{o.by}
	if edit != nil {
		edit(o)
	}
	info := tstInfo{
		Version: 1, Policy: asn1.ObjectIdentifier{1, 2, 3}, Imprint: imprint{pkix.AlgorithmIdentifier{Algorithm: o.hash}, hashed(o.hash, o.message)},
		Serial: big.NewInt(77), Time: o.time, Accuracy: accuracy{Seconds: 1, Millis: 500},
	}
	if o.info != nil {
		o.info(&info)
	}
	content := must(asn1.Marshal(info))
	attributes := []attribute{attr(oidContentType, o.content), attr(oidDigest, hashed(o.digest, content)), identity2(o.by.cert)}
	if o.signed != nil {
		attributes = o.signed(attributes)
	}
	s := signerInfo{
		Version: 1, Signer: raw(issuerSerial{asn1.RawValue{FullBytes: o.by.cert.RawIssuer}, o.by.cert.SerialNumber}),
		Digest: pkix.AlgorithmIdentifier{Algorithm: o.digest}, Algorithm: pkix.AlgorithmIdentifier{Algorithm: o.algorithm},
	}
	set := must(asn1.MarshalWithParams(attributes, "set"))
	h := hashes[o.digest.String()]
	if o.digest.Equal(sha1ID) {
		h = crypto.SHA1
	}
	s.Signature = must(o.by.key.Sign(rand.Reader, hashed(o.digest, set), h))
	set = bytes.Clone(set)
	set[0] = 0xa0
	must(asn1.Unmarshal(set, &s.Signed))
	var certs []byte
	for _, c := range o.certs {
		certs = append(certs, c.cert.Raw...)
	}
	cms := contentInfo{Type: oidSignedData, Content: signedData{
		Version: 3, Digests: []pkix.AlgorithmIdentifier{{Algorithm: o.digest}}, Content: encapsulated{oidTSTInfo, content}, Signers: []signerInfo{s},
	}}
	if len(certs) > 0 {
		cms.Content.Certificates = raw(asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 0, IsCompound: true, Bytes: certs})
	}
	if o.cms != nil {
		o.cms(&cms)
	}
	der := must(asn1.Marshal(cms))
	if o.der != nil {
		der = o.der(der)
	}
	return der
}

// responseOf wraps a token, or none.
func responseOf(status int, fail []byte, token []byte, texts ...string) []byte {
	r := response{Status: statusInfo{Status: status}}
	for _, text := range texts {
		r.Status.Text = append(r.Status.Text, raw(asn1.RawValue{Tag: asn1.TagUTF8String, Bytes: []byte(text)}))
	}
	if fail != nil {
		r.Status.Fail = asn1.BitString{Bytes: fail, BitLength: 8 * len(fail)}
	}
	if token != nil {
		r.Token = asn1.RawValue{FullBytes: token}
	}
	return must(asn1.Marshal(r))
}

var rsaSigner = sync.OnceValue(func() issuer { return root().issue(signerCert(), must(rsa.GenerateKey(rand.Reader, 2048))) })

// verdict is the facts and the rule of a verification.
func verdict(t testing.TB, der []byte, trusted *Authorities) (*Facts, string) {
	t.Helper()
	facts, found := Verify(der, message, trusted, now)
	switch {
	case len(found) == 0 && facts != nil:
		return facts, ""
	case len(found) != 1 || found[0].Message == "" || (facts != nil) != (found[0].Rule == "timestamp.future"):
		t.Fatalf("%v with %+v", facts, found)
	}
	return facts, found[0].Rule
}

func pkcs8(key crypto.Signer) []byte { return must(x509.MarshalPKCS8PrivateKey(key)) }
