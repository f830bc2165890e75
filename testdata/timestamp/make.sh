#!/bin/sh
# Makes the files of this folder again: a sealed log and an attested bundle, with timestamps of an authority in openssl.
# Needs cupel, openssl, and the root of the project as its argument.
set -eu
root=$(cd "$1" && pwd) && out=$PWD
work=$(mktemp -d) && cd "$work"
cat >tsa.cnf <<'CNF'
[req]
distinguished_name = dn
prompt = no
[dn]
CN = Example Timestamp CA
[ca]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[tsa]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa_config]
serial = serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
accuracy = secs:1
ess_cert_id_chain = no
ess_cert_id_alg = sha256
CNF
new="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config tsa.cnf"
openssl req -x509 $new -keyout ca.key -out ca.pem -days 36500 -extensions ca
openssl req $new -keyout tsa.key -out tsa.csr -subj '/CN=Example Timestamp Authority'
openssl x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out tsa.pem -days 36500 -extfile tsa.cnf -extensions tsa
echo 1000 >serial
stamp() {
    openssl ts -query -data "$1" -sha256 -cert -no_nonce -out query.tsq
    openssl ts -reply -config tsa.cnf -section tsa_config -queryfile query.tsq -signer tsa.pem -inkey tsa.key -out "$2"
}
printf '%s\n' '{"event_type":"TOOL_CALL","payload":{"tool_name":"search","args":{"q":"cats"}}}' | cupel record -o log.jsonl --session one --end
cupel evidence keygen key.pem key.pub.pem
cupel trace seal --checkpoint example.com/agent-7 --sign key.pem -o log.checkpoint log.jsonl
cupel evidence attest "$root/testdata/examples/evidence/run.tar.gz" --key key.pem -o run.att.json
stamp log.checkpoint log.tsr
stamp run.att.json run.tsr
openssl ts -reply -in log.tsr -token_out -out log.p7s
cp log.jsonl log.checkpoint log.checkpoint.vkey log.tsr log.p7s run.att.json run.tsr key.pub.pem "$out"
cp ca.pem "$out/authority.pem"
rm -r "$work"
