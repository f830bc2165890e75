package secrets_test

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestPlaces: what is between « and » must be hidden.
func TestPlaces(t *testing.T) {
	v := noise(40, 24)
	token := "gh" + "p_" + noise(41, 36)
	for _, text := range []string{
		"DATABASE_URL=postgres://svc:«" + v + "»@db.internal:5432/app", "export STRIPE_KEY=«sk_" + "live_" + noise(42, 24) + "»",
		"  password: «Tr0ub4dor&3x»\n  host: db", "apiVersion: v1\nkind: Secret\ndata:\n  password: «" + base64.StdEncoding.EncodeToString([]byte("hunter2-"+v)) + "»\n",
		`{"auths":{"https://index.docker.io/v1/":{"auth":"«` + base64.StdEncoding.EncodeToString([]byte("bob:"+v)) + `»"}}}`,
		"      env:\n        NPM_TOKEN: «npm_" + noise(43, 36) + "»\n", "curl -sS -u admin:«" + v + "» https://h.test/", `curl -H "X-Api-Key: «` + v + `»" https://h.test`,
		"curl -H 'Authorization: Bearer «" + v + "»' https://h.test", "//registry.npmjs.org/:_authToken=«" + v + "»", "machine api.h.test login bob password «" + v + "»",
		"[global]\nindex-url = https://bob:«" + v + "»@pypi.h.test/simple", "git remote add o https://x-access-token:«" + token + "»@github.com/o/r.git", "origin\thttps://«" + token + "»@github.com/o/r (fetch)",
		`resource "x" { admin_password = "«` + v + `»" }`, "spring.datasource.password=«" + v + "»", `<add key="ApiSecret" value="«` + v + `»" />`, `<password>«` + v + `»</password>`,
		"[db]\nuser = bob\npassword = «" + v + "»", "ALTER USER bob WITH PASSWORD '«" + v + "»';", "CREATE USER bob IDENTIFIED BY '«" + v + "»';", `$env:AZURE_CLIENT_SECRET = "«` + v + `»"`,
		`ConvertTo-SecureString "«` + v + `»" -AsPlainText -Force`, "\"Password\"=\"«" + v + "»\"", "Server=db;Database=a;User Id=sa;Password=«" + v + "»;Encrypt=true", "Cookie: theme=dark; sessionid=«" + v + "»; lang=en",
		"Set-Cookie: session=«" + v + "»; HttpOnly; Path=/", `{"args":"{\"cmd\":\"export TOKEN=«` + v + `»\"}"}`, `{"a":"{\"b\":\"{\\\"password\\\":\\\"«` + v + `»\\\"}\"}"}`, "\x1b[32mtoken\x1b[0m=\x1b[33m«" + v + "»\x1b[0m",
		"&lt;token&gt;«" + v + "»&lt;/token&gt;", "password=%27«" + v + "»%27", "?access_token=«" + v + "»&x=1", "https://h.test/cb#access_token=«" + v + "»&token_type=bearer", "AWS_SECRET_ACCESS_KEY=«" + noise(44, 40) + "»",
		"aws_secret_access_key = «" + noise(45, 40) + "»", "AccountName=x;AccountKey=«" + base64.StdEncoding.EncodeToString([]byte(noise(46, 64))) + "»;EndpointSuffix=core.windows.net",
		"redis://:«" + v + "»@cache:6379/0", "amqp://guest:«" + v + "»@mq:5672/%2f", "mongodb+srv://bob:«" + v + "»@c0.x.mongodb.net/a", "docker login -u bob -p «" + v + "» r.test", "sshpass -p «" + v + "» ssh h",
		"PGPASSWORD=«" + v + "» psql -h db", "mysql -uroot -p«" + v + "» app", "helm install a b --set auth.password=«" + v + "»", "kubectl create secret generic a --from-literal=password=«" + v + "»",
		"openssl enc -aes-256-cbc -k «" + v + "» -in a", "vault login «hvs." + noise(47, 24) + "»", "const apiKey = '«" + v + "»';", "api_key := \"«" + v + "»\"", "client = Client(api_key=\"«" + v + "»\")", "new Client({ apiKey: '«" + v + "»' })",
		"private static final String PASSWORD = \"«" + v + "»\";", "var clientSecret = \"«" + v + "»\";", "PASSWORD='«" + v + "»'; export PASSWORD", "set DB_PASSWORD=«" + v + "»", "setx API_TOKEN \"«" + v + "»\"", "my password is «" + v + "»",
		"The token: `«" + v + "»`", "| password | «" + v + "» |", "password:\n  value: «" + v + "»\n", "- name: DB_PASSWORD\n  value: \"«" + v + "»\"\n", `[{"name":"API_KEY","value":"«` + v + `»"}]`, `{"headers":[["x-api-key","«` + v + `»"]]}`,
		"Proxy-Authorization: Basic «" + base64.StdEncoding.EncodeToString([]byte("bob:"+v)) + "»", "X-Vault-Token: «s." + noise(48, 24) + "»", "Ocp-Apim-Subscription-Key: «" + strings.ToLower(noise(49, 32)) + "»", "PRIVATE-TOKEN: «" + v + "»",
		"user bob password «" + v + "»", "snmp-server community «" + v + "» RO", "wpa_passphrase=«" + v + "»", "psk=\"«" + v + "»\"", "requirepass «" + v + "»", "smtp_pass: «" + v + "»", "MAIL_PASSWORD=\"«" + v + "»\"", "\"secretKey\" : \"«" + v + "»\"", "ENV SECRET_KEY_BASE «" + v + "»",
		"ARG NPM_TOKEN=«" + v + "»", "jwt_secret: '«" + v + "»'", "SECRET_KEY = '«django-insecure-" + noise(50, 50) + "»'", "wget --password=«" + v + "» https://h.test", "wget --http-password «" + v + "» https://h.test", "ftp://bob:«" + v + "»@h.test/a", "http --auth bob:«" + v + "» h.test",
		"net use x: \\\\h\\s /user:bob «" + v + "»", "-Dspring.datasource.password=«" + v + "»", "-Djavax.net.ssl.keyStorePassword=«" + v + "»", "ANTHROPIC_API_KEY=«sk-" + "ant-api03-" + noise(51, 93) + "AA»", "xoxb: «xoxb-" + "123456789012-1234567890123-" + noise(52, 24) + "»",
	} {
		before, rest, _ := strings.Cut(text, "«")
		secret, after, _ := strings.Cut(rest, "»")
		got := redacted(t, before+secret+after)
		if strings.Contains(got, secret) || strings.Contains(got, secret[len(secret)/2:]) {
			t.Errorf("missed: %q", got)
		}
	}
}
