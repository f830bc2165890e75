// Package timestamp verifies RFC 3161 timestamps. Package pkcs7 checks the signature and crypto/x509 the chain of
// certificates; the checks around them are here.
package timestamp

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/sha1" //nolint:gosec // RFC 3161 names the signer's certificate by its SHA-1; the signature has another hash
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/digitorus/pkcs7"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// Limits of the files. A token with its certificates usually has 3 to 8 KiB.
const (
	MaxBytes     = 64 << 10
	MaxCertBytes = 1 << 20
)

// maxName limits the characters of an authority's name in a line for people.
const maxName = 200

// Facts are what a verified timestamp says.
type Facts struct {
	File      string `json:"file"`
	Time      string `json:"time"`               // RFC 3339, UTC: the file existed then
	Accuracy  string `json:"accuracy,omitempty"` // of the time, such as "1s"; "" if the authority does not state it
	Authority string `json:"authority"`          // subject of the signer's certificate
	Policy    string `json:"policy"`             // object identifier
	Serial    string `json:"serial"`             // decimal
}

// String returns the facts for people.
func (f *Facts) String() string {
	at := f.Time
	if f.Accuracy != "" {
		at += " (±" + f.Accuracy + ")"
	}
	return "existed at " + at + " according to " + say.Clip(f.Authority, maxName)
}

// NotCovered lists what a good timestamp does not prove.
func NotCovered() []string {
	return []string{
		"whether the certificates of the timestamp were revoked",
		"whether the clock of the timestamp authority was right",
	}
}

// Authorities are trusted certificates.
type Authorities struct {
	pool  *x509.CertPool
	certs []*x509.Certificate
}

// ParseAuthorities reads certificates in PEM, all of which are trusted.
func ParseAuthorities(text []byte) (*Authorities, error) {
	a := &Authorities{pool: x509.NewCertPool()}
	blocks := bytes.Count(text, []byte("-----BEGIN "))
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			break
		}
		if text = rest; block.Type != "CERTIFICATE" {
			return nil, fmt.Errorf("it has a block of type %s, expected only CERTIFICATE", say.Quoted(block.Type))
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("certificate %d cannot be read", len(a.certs)+1)
		}
		a.pool.AddCert(cert)
		a.certs = append(a.certs, cert)
	}
	switch {
	case len(a.certs) != blocks:
		return nil, fmt.Errorf("%s, but %d of them can be read", say.Counted(blocks, "PEM block"), len(a.certs))
	case blocks == 0:
		return nil, errors.New("it has no certificate in PEM")
	}
	return a, nil
}

// Verify verifies a response or a token in DER over a message. It returns the facts only if no finding is an error.
func Verify(der, message []byte, trusted *Authorities, now time.Time) (*Facts, []finding.Finding) {
	t, f := parse(der)
	if f != nil {
		return nil, f.found()
	}
	if f := t.covers(message); f != nil {
		return nil, f.found()
	}
	signer, f := t.verifySignature(trusted)
	if f == nil {
		f = onlyTimestamps(signer)
	}
	if f == nil {
		f = t.verifyChain(signer, trusted)
	}
	if f != nil {
		return nil, f.found()
	}
	facts := &Facts{
		Time: t.time.Format(time.RFC3339Nano), Authority: cmp.Or(signer.Subject.String(), "an authority without a name"),
		Policy: t.info.Policy.String(), Serial: t.info.Serial.String(),
	}
	if t.accuracy > 0 {
		facts.Accuracy = t.accuracy.String()
	}
	if t.time.After(now) {
		f = &fault{rule: ruleFuture, message: "the timestamp is of " + facts.Time + ", which is in the future", help: "check the clock of this machine"}
	}
	return facts, f.found()
}

func (f *fault) found() []finding.Finding {
	if f == nil {
		return nil
	}
	found := rules[f.rule].New(f.message)
	found.Help, found.Expected, found.Found = f.help, f.expected, f.actual
	return []finding.Finding{found}
}

// covers compares the hash in the timestamp with that of the message.
func (t *token) covers(message []byte) *fault {
	hash, f := t.algorithms()
	if f != nil {
		return f
	}
	h := hash.New()
	h.Write(message)
	if sum := h.Sum(nil); !bytes.Equal(sum, t.info.Imprint.Digest) {
		return &fault{
			rule: ruleImprint, message: "the timestamp covers other bytes than those of the file", help: "use the file as it was when the timestamp was requested, or request a new one",
			expected: hex.EncodeToString(t.info.Imprint.Digest), actual: hex.EncodeToString(sum),
		}
	}
	return nil
}

// verifySignature returns the certificate of the signer. The token or the trusted certificates must have it.
func (t *token) verifySignature(trusted *Authorities) (*x509.Certificate, *fault) {
	var id issuerSerial
	if !exactly(t.signer.Signer.FullBytes, &id) || !same(t.signer.Signer.FullBytes, id) {
		return nil, malformed("it does not name its signer by issuer and serial number")
	}
	var signer *x509.Certificate
	named := false
	for _, c := range slices.Concat(t.certs, trusted.certs) {
		if c.SerialNumber.Cmp(id.Serial) == 0 && bytes.Equal(c.RawIssuer, id.Issuer.FullBytes) {
			named = true
			if signer == nil && t.identifies(c) {
				signer = c
			}
		}
	}
	switch {
	case !named:
		return nil, &fault{rule: ruleChain, message: "the certificate of the signer is neither in the timestamp nor in --tsa-cert", help: "add it to the file in --tsa-cert, or request the timestamp with `openssl ts -query -cert`"}
	case signer == nil:
		return nil, &fault{rule: ruleSignature, message: "the signature does not identify the certificate of its signer"}
	}
	// The library reads only what is needed: no further certificates, revocation lists or unsigned attributes.
	cms := t.cms
	cms.Content.Certificates, cms.Content.CRLs = asn1.RawValue{}, asn1.RawValue{}
	cms.Content.Signers = []signerInfo{*t.signer}
	cms.Content.Signers[0].Unsigned = asn1.RawValue{}
	der, err := asn1.Marshal(cms)
	if err == nil {
		var p *pkcs7.PKCS7
		if p, err = pkcs7.Parse(der); err == nil {
			p.Certificates = []*x509.Certificate{signer}
			if err = p.Verify(); err == nil && len(p.Signers) == 1 && bytes.Equal(p.Content, t.cms.Content.Content.Content) {
				return signer, nil
			}
		}
	}
	return nil, &fault{rule: ruleSignature, message: "the signature does not match the content of the timestamp"}
}

// identifies reports whether the signature covers the identity of a certificate: signingCertificate or its second
// version, and both if both are there.
func (t *token) identifies(c *x509.Certificate) bool {
	first, second := t.attributes[oidSigningCert.String()], t.attributes[oidSigningCertV2.String()]
	if first == nil && second == nil {
		return false
	}
	var list struct {
		Certs    []asn1.RawValue
		Policies asn1.RawValue `asn1:"optional"`
	}
	if first != nil {
		var id struct {
			Hash   []byte
			Issuer asn1.RawValue `asn1:"optional"`
		}
		if !exactly(first, &list) || len(list.Certs) == 0 || !exactly(list.Certs[0].FullBytes, &id) || !issued(c, id.Issuer) {
			return false
		}
		if sum := sha1.Sum(c.Raw); !bytes.Equal(sum[:], id.Hash) { //nolint:gosec // see the import
			return false
		}
	}
	if second != nil {
		var id struct {
			Algorithm pkix.AlgorithmIdentifier `asn1:"optional"`
			Hash      []byte
			Issuer    asn1.RawValue `asn1:"optional"`
		}
		if !exactly(second, &list) || len(list.Certs) == 0 || !exactly(list.Certs[0].FullBytes, &id) || !issued(c, id.Issuer) {
			return false
		}
		hash := crypto.SHA256
		if id.Algorithm.Algorithm != nil {
			hash = hashes[id.Algorithm.Algorithm.String()]
		}
		if hash == 0 {
			return false
		}
		h := hash.New()
		h.Write(c.Raw)
		return bytes.Equal(h.Sum(nil), id.Hash)
	}
	return true
}

// issued reports whether a certificate has an issuer and a serial number, if they are given.
func issued(c *x509.Certificate, raw asn1.RawValue) bool {
	if len(raw.FullBytes) == 0 {
		return true
	}
	var id issuerSerial
	var name asn1.RawValue
	const directoryName = 4
	return exactly(raw.FullBytes, &id) && exactly(id.Issuer.Bytes, &name) && name.Class == asn1.ClassContextSpecific && name.Tag == directoryName &&
		bytes.Equal(name.Bytes, c.RawIssuer) && c.SerialNumber.Cmp(id.Serial) == 0
}

// onlyTimestamps checks what the signer's certificate can be used for.
func onlyTimestamps(c *x509.Certificate) *fault {
	critical := slices.ContainsFunc(c.Extensions, func(e pkix.Extension) bool { return e.Id.Equal(oidExtUsage) && e.Critical })
	message := ""
	switch {
	case !slices.Equal(c.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}) || len(c.UnknownExtKeyUsage) > 0:
		message = "the certificate of the signer is not only for timestamps: its extended key usage must be timeStamping alone"
	case !critical:
		message = "the certificate of the signer is not only for timestamps: its extended key usage must be critical"
	case c.KeyUsage != 0 && c.KeyUsage&(x509.KeyUsageDigitalSignature|x509.KeyUsageContentCommitment) == 0:
		message = "the key of the signer is not for signatures, according to its certificate"
	default:
		return nil
	}
	return &fault{rule: ruleUsage, message: message, help: "use another timestamp authority"}
}

// verifyChain checks that the signer's certificate leads to a trusted one at the time of the timestamp.
func (t *token) verifyChain(signer *x509.Certificate, trusted *Authorities) *fault {
	between := x509.NewCertPool()
	for _, c := range t.certs {
		between.AddCert(c)
	}
	_, err := signer.Verify(x509.VerifyOptions{Roots: trusted.pool, Intermediates: between, CurrentTime: t.time, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}})
	if err == nil {
		return nil
	}
	message := "the certificate of the signer does not lead to a certificate in --tsa-cert"
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok {
		switch invalid.Reason {
		case x509.Expired:
			c := cmp.Or(invalid.Cert, signer)
			message = fmt.Sprintf("the certificate of %s is valid from %s to %s, but the timestamp is of %s", say.Quoted(c.Subject.String()), c.NotBefore.UTC().Format(time.RFC3339), c.NotAfter.UTC().Format(time.RFC3339), t.time.Format(time.RFC3339))
		case x509.IncompatibleUsage:
			message = "a certificate above that of the signer is not for timestamps"
		}
	}
	return &fault{rule: ruleChain, message: message, help: "get the certificates of the authority from the authority, not from the timestamp; the signer is " + say.Quoted(signer.Subject.String())}
}
