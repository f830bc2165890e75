package commands_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/json"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"time"

	"github.com/digitorus/timestamp"
)

// stampedBy makes a timestamp over stamped.att.json of an authority that the content names, and authority.pem.
func stampedBy(content string) []byte {
	var said struct{ Name string }
	failed := json.Unmarshal([]byte(content), &said)
	usage, err := asn1.Marshal([]asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}})
	failed = errors.Join(failed, err)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: said.Name}, NotBefore: at, NotAfter: at.AddDate(1, 0, 0),
		ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Critical: true, Value: usage}},
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	failed = errors.Join(failed, err)
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	failed = errors.Join(failed, err)
	cert, err := x509.ParseCertificate(der)
	failed = errors.Join(failed, err, os.WriteFile("authority.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o666))
	text, err := os.ReadFile("stamped.att.json")
	if failed = errors.Join(failed, err); failed != nil {
		panic(failed)
	}
	hash := sha256.Sum256(text)
	stamp := timestamp.Timestamp{HashAlgorithm: crypto.SHA256, HashedMessage: hash[:], Time: at, Policy: asn1.ObjectIdentifier{1, 2, 3}, AddTSACertificate: true}
	response, err := stamp.CreateResponseWithOpts(cert, key, crypto.SHA256)
	if err != nil {
		panic(err)
	}
	return response
}
