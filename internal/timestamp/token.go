package timestamp

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"math/big"
	"time"

	"github.com/cupel-dev/cupel/internal/say"
)

// The structures are those of RFC 3161 and RFC 5652. What is not needed stays raw: marshaling a structure gives the
// bytes again that it was read of, unless there was more in them.

type response struct {
	Status statusInfo
	Token  asn1.RawValue `asn1:"optional"`
}

type statusInfo struct {
	Status int
	Text   []asn1.RawValue `asn1:"optional"`
	Fail   asn1.BitString  `asn1:"optional"`
}

type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content signedData `asn1:"explicit,tag:0"`
}

type signedData struct {
	Version      int
	Digests      []pkix.AlgorithmIdentifier `asn1:"set"`
	Content      encapsulated
	Certificates asn1.RawValue `asn1:"optional,tag:0"`
	CRLs         asn1.RawValue `asn1:"optional,tag:1"`
	Signers      []signerInfo  `asn1:"set"`
}

type encapsulated struct {
	Type    asn1.ObjectIdentifier
	Content []byte `asn1:"optional,explicit,tag:0"`
}

type signerInfo struct {
	Version   int
	Signer    asn1.RawValue
	Digest    pkix.AlgorithmIdentifier
	Signed    asn1.RawValue `asn1:"optional,tag:0"`
	Algorithm pkix.AlgorithmIdentifier
	Signature []byte
	Unsigned  asn1.RawValue `asn1:"optional,tag:1"`
}

type issuerSerial struct {
	Issuer asn1.RawValue
	Serial *big.Int
}

type attribute struct {
	Type   asn1.ObjectIdentifier
	Values []asn1.RawValue `asn1:"set"`
}

type tstInfo struct {
	Version    int
	Policy     asn1.ObjectIdentifier
	Imprint    imprint
	Serial     *big.Int
	Time       asn1.RawValue
	Accuracy   accuracy         `asn1:"optional"`
	Ordering   bool             `asn1:"optional"`
	Nonce      *big.Int         `asn1:"optional"`
	TSA        asn1.RawValue    `asn1:"optional,explicit,tag:0"`
	Extensions []pkix.Extension `asn1:"optional,tag:1"`
}

type imprint struct {
	Hash   pkix.AlgorithmIdentifier
	Digest []byte
}

type accuracy struct {
	Seconds int64 `asn1:"optional"`
	Millis  int64 `asn1:"optional,tag:0"`
	Micros  int64 `asn1:"optional,tag:1"`
}

var (
	oidSignedData    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}
	oidTSTInfo       = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}
	oidContentType   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}
	oidDigest        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}
	oidSigningCert   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 12}
	oidSigningCertV2 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47}
	oidExtUsage      = asn1.ObjectIdentifier{2, 5, 29, 37}

	hashes = map[string]crypto.Hash{
		"2.16.840.1.101.3.4.2.1": crypto.SHA256,
		"2.16.840.1.101.3.4.2.2": crypto.SHA384,
		"2.16.840.1.101.3.4.2.3": crypto.SHA512,
	}

	// signatures maps a signature algorithm to its hash, or to 0 if any hash goes with it.
	signatures = map[string]crypto.Hash{
		"1.2.840.113549.1.1.1":  0, // RSA
		"1.2.840.113549.1.1.11": crypto.SHA256,
		"1.2.840.113549.1.1.12": crypto.SHA384,
		"1.2.840.113549.1.1.13": crypto.SHA512,
		"1.2.840.10045.4.3.2":   crypto.SHA256, // ECDSA
		"1.2.840.10045.4.3.3":   crypto.SHA384,
		"1.2.840.10045.4.3.4":   crypto.SHA512,
		"1.3.101.112":           crypto.SHA512, // Ed25519, RFC 8419
	}

	algorithmNames = map[string]string{
		"1.3.14.3.2.26": "SHA-1", "1.2.840.113549.2.5": "MD5", "2.16.840.1.101.3.4.2.4": "SHA-224",
		"1.2.840.113549.1.1.5": "RSA with SHA-1", "1.2.840.113549.1.1.4": "RSA with MD5", "1.2.840.113549.1.1.10": "RSA-PSS", "1.2.840.10045.4.1": "ECDSA with SHA-1",
	}

	statusNames = map[int]string{2: "rejection", 3: "waiting", 4: "revocationWarning", 5: "revocationNotification"}
	failNames   = map[int]string{
		0: "badAlg", 2: "badRequest", 5: "badDataFormat", 14: "timeNotAvailable", 15: "unacceptedPolicy", 16: "unacceptedExtension", 17: "addInfoNotAvailable", 25: "systemFailure",
	}
)

// fault is the reason why a timestamp is refused.
type fault struct {
	rule             rule
	message, help    string
	expected, actual string
}

func malformed(format string, args ...any) *fault {
	return &fault{rule: ruleMalformed, message: "not a timestamp: " + fmt.Sprintf(format, args...), help: "expected a response of an RFC 3161 authority (.tsr), or a token of one, in DER"}
}

// exactly reads a structure that must be the whole of b.
func exactly(b []byte, into any) bool {
	rest, err := asn1.Unmarshal(b, into)
	return err == nil && len(rest) == 0
}

// same reports whether a structure that was read of b has all bytes of b.
func same(b []byte, of any) bool {
	again, err := asn1.Marshal(of)
	return err == nil && bytes.Equal(again, b)
}

// token is a timestamp that was read but not verified.
type token struct {
	cms        contentInfo
	signer     *signerInfo
	attributes map[string][]byte // signed ones with one value
	info       tstInfo
	time       time.Time
	accuracy   time.Duration
	certs      []*x509.Certificate
}

// parse reads a response or a token.
func parse(der []byte) (*token, *fault) {
	if len(der) > MaxBytes {
		return nil, malformed("%s", say.TooLong(len(der), MaxBytes))
	}
	if err := strictDER(der, 0); err != nil {
		return nil, malformed("%v", err)
	}
	content, rest, err := element(der)
	switch {
	case err != nil:
		return nil, malformed("%v", err)
	case len(rest) > 0:
		return nil, malformed("%s after its end", say.Counted(len(rest), "byte"))
	}
	if len(content) > 0 && content[0] == 0x30 {
		var f *fault
		if der, f = granted(der); f != nil {
			return nil, f
		}
	}
	t := &token{}
	if !exactly(der, &t.cms) || !same(der, t.cms) || !t.cms.Type.Equal(oidSignedData) {
		return nil, malformed("it is not signed data (CMS)")
	}
	return t, t.read()
}

// granted returns the token of a response.
func granted(der []byte) ([]byte, *fault) {
	var r response
	if !exactly(der, &r) || !same(der, r) {
		return nil, malformed("it is neither a response nor a token")
	}
	if r.Status.Status != 0 && r.Status.Status != 1 {
		return nil, refused(r.Status)
	}
	if len(r.Token.FullBytes) == 0 {
		return nil, malformed("the response has no token")
	}
	return r.Token.FullBytes, nil
}

func refused(s statusInfo) *fault {
	message := fmt.Sprintf("the authority did not grant the timestamp: status %d", s.Status)
	if name := statusNames[s.Status]; name != "" {
		message += " (" + name + ")"
	}
	for bit := range s.Fail.BitLength {
		if name := failNames[bit]; name != "" && s.Fail.At(bit) == 1 {
			message += ", " + name
		}
	}
	for i, text := range s.Text {
		if i == maxTexts {
			break
		}
		message += ", " + say.Quoted(string(text.Bytes))
	}
	return &fault{rule: ruleStatus, message: message, help: "ask the authority for a new timestamp"}
}

// maxKeyBits limits the RSA keys in a token: a verification takes seconds with one of 200,000 bits.
const maxKeyBits = 8192

// maxTexts limits the texts of a refusal that a finding repeats.
const maxTexts = 3

// read reads the parts of signed data.
func (t *token) read() *fault {
	d := &t.cms.Content
	switch {
	case !d.Content.Type.Equal(oidTSTInfo):
		return malformed("its content is of type %v, expected %v (TSTInfo)", d.Content.Type, oidTSTInfo)
	case d.Version != 3:
		return malformed("version %d of signed data, expected 3", d.Version)
	case len(d.Signers) != 1:
		return &fault{rule: ruleSignature, message: fmt.Sprintf("the timestamp has %s, expected one", say.Counted(len(d.Signers), "signer"))}
	}
	t.signer = &d.Signers[0]
	for _, list := range []asn1.RawValue{d.Certificates, d.CRLs, t.signer.Signed, t.signer.Unsigned} {
		if len(list.FullBytes) > 0 && !list.IsCompound {
			return malformed("it has a list that is encoded as a single value")
		}
	}
	if f := t.readAttributes(); f != nil {
		return f
	}
	if f := t.readInfo(); f != nil {
		return f
	}
	for rest := d.Certificates.Bytes; len(rest) > 0; {
		var raw asn1.RawValue
		var err error
		if rest, err = asn1.Unmarshal(rest, &raw); err != nil {
			return malformed("its certificates cannot be read")
		}
		cert, err := x509.ParseCertificate(raw.FullBytes)
		if err != nil {
			continue // it is not needed, or will be missing
		}
		if key, ok := cert.PublicKey.(*rsa.PublicKey); ok && key.N.BitLen() > maxKeyBits {
			return &fault{rule: ruleAlgorithm, message: fmt.Sprintf("a certificate of the timestamp has an RSA key of %d bits, the limit is %d", key.N.BitLen(), maxKeyBits)}
		}
		t.certs = append(t.certs, cert)
	}
	return nil
}

// readAttributes reads the signed attributes. Each type can be there once.
func (t *token) readAttributes() *fault {
	t.attributes = map[string][]byte{}
	for rest := t.signer.Signed.Bytes; len(rest) > 0; {
		var a attribute
		var err error
		if rest, err = asn1.Unmarshal(rest, &a); err != nil {
			return malformed("its signed attributes cannot be read")
		}
		name := a.Type.String()
		if _, twice := t.attributes[name]; twice {
			return malformed("the signed attribute %s is there twice", name)
		}
		t.attributes[name] = nil
		if len(a.Values) == 1 {
			t.attributes[name] = a.Values[0].FullBytes
		}
	}
	var kind asn1.ObjectIdentifier
	switch {
	case t.signer.Version != 1:
		return malformed("version %d of a signer, expected 1: only issuer and serial number can name its certificate", t.signer.Version)
	case !exactly(t.attributes[oidContentType.String()], &kind) || !kind.Equal(oidTSTInfo):
		return &fault{rule: ruleSignature, message: "the signature does not cover the type of the content"}
	case t.attributes[oidDigest.String()] == nil:
		return &fault{rule: ruleSignature, message: "the signature does not cover the content"}
	}
	return nil
}

// readInfo reads the content that is signed.
func (t *token) readInfo() *fault {
	text := t.cms.Content.Content.Content
	if err := strictDER(text, 0); err != nil {
		return malformed("its content (TSTInfo): %v", err)
	}
	if !exactly(text, &t.info) || t.info.Version != 1 {
		return malformed("its content is not a TSTInfo of version 1")
	}
	for _, e := range t.info.Extensions {
		if e.Critical {
			return malformed("it has the critical extension %v, which is not known", e.Id)
		}
	}
	const form = "20060102150405.999999999Z" // RFC 3161: UTC, no zeros at the end of a fraction
	at, err := time.Parse("20060102150405Z", string(t.info.Time.Bytes))
	if err != nil || t.info.Time.FullBytes[0] != asn1.TagGeneralizedTime || at.Format(form) != string(t.info.Time.Bytes) {
		return malformed("its time is %s, expected a form such as 20260102030405Z", say.Quoted(string(t.info.Time.Bytes)))
	}
	a := t.info.Accuracy
	const day = 24 * 60 * 60
	if a.Seconds < 0 || a.Seconds > 366*day || a.Millis < 0 || a.Millis > 999 || a.Micros < 0 || a.Micros > 999 {
		return malformed("its accuracy is not at most a year")
	}
	t.time, t.accuracy = at, time.Duration(a.Seconds)*time.Second+time.Duration(a.Millis)*time.Millisecond+time.Duration(a.Micros)*time.Microsecond
	return nil
}

// algorithms checks the algorithms and returns the hash of the file.
func (t *token) algorithms() (crypto.Hash, *fault) {
	file, f := hashOf(t.info.Imprint.Hash, "the hash of the file")
	if f != nil {
		return 0, f
	}
	own, f := hashOf(t.signer.Digest, "the hash of the signature")
	if f != nil {
		return 0, f
	}
	name := t.signer.Algorithm.Algorithm.String()
	with, known := signatures[name]
	switch {
	case !known || !bare(t.signer.Algorithm):
		return 0, unsupported("the signature", name, "RSA (PKCS #1 v1.5), ECDSA or Ed25519 with SHA-256, SHA-384 or SHA-512")
	case with != 0 && with != own:
		return 0, &fault{rule: ruleAlgorithm, message: fmt.Sprintf("the signature is made with %v, but the content is hashed with %v", with, own)}
	}
	for _, d := range t.cms.Content.Digests {
		if d.Algorithm.Equal(t.signer.Digest.Algorithm) && bare(d) {
			return file, nil
		}
	}
	return 0, malformed("it does not list the hash of its signature")
}

func hashOf(id pkix.AlgorithmIdentifier, what string) (crypto.Hash, *fault) {
	if h, ok := hashes[id.Algorithm.String()]; ok && bare(id) {
		return h, nil
	}
	return 0, unsupported(what, id.Algorithm.String(), "SHA-256, SHA-384 or SHA-512")
}

func unsupported(what, found, expected string) *fault {
	if name := algorithmNames[found]; name != "" {
		found = name
	}
	return &fault{rule: ruleAlgorithm, message: say.Expected(what, found, expected), help: "ask for a timestamp with `openssl ts -query -sha256`, from an authority that signs with a listed algorithm"}
}

// bare reports whether an algorithm has no parameters, or NULL.
func bare(id pkix.AlgorithmIdentifier) bool {
	p := id.Parameters.FullBytes
	return len(p) == 0 || bytes.Equal(p, asn1.NullBytes)
}
