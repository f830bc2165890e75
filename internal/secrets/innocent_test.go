package secrets_test

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/secrets"
)

// TestInnocentPlaces: texts in which nothing is hidden, although much is named like a secret.
func TestInnocentPlaces(t *testing.T) {
	for _, text := range []string{
		`{"type":"object","properties":{"password":{"type":"string","minLength":8},"token":{"type":"string"}},"required":["password","token"]}`,
		`{"usage":{"prompt_tokens":512,"completion_tokens":90,"total_tokens":602}}`, "max_tokens=4096 temperature=0.7", "tokens: 128k", "password: string;", "password: str = None", "apiKey?: string",
		"api_key = os.environ[\"OPENAI_API_KEY\"]", "token = os.getenv('GITHUB_TOKEN')", "const token = process.env.TOKEN;", "const password = await prompt('password');", "password := flag.String(\"password\", \"\", \"the password\")",
		"let secret = config.get(\"secret\")?;", "val token = request.headers[\"Authorization\"]", "String password = System.getenv(\"DB_PASSWORD\");", "$password = getenv('DB_PASSWORD');", "password = ENV.fetch('DB_PASSWORD')",
		"if (token == null) throw new Error('token missing');", "for token in tokens:", "def authenticate(user, password):", "func NewToken(key []byte) (*Token, error) {", "return jwt.sign(payload, secret, { expiresIn: '1h' });",
		"password: ${{ secrets.DB_PASSWORD }}", "token: ${GITHUB_TOKEN}", "password: {{ .Values.password }}", "api_key: <your-api-key>", "API_KEY=changeme", "API_KEY=your_api_key_here", "SECRET_KEY=xxxxxxxxxxxxxxxx", "password=********",
		"password: !vault |", "password: !Ref DbPassword", "SecretArn: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db", "secretName: db-credentials", "secretKeyRef:\n  name: db\n  key: password\n", "valueFrom:\n  secretKeyRef:\n    name: db-secret\n    key: password",
		"- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db\n", "- name: API_TOKEN\n  value: ${API_TOKEN}\n", "password:\n  type: string\n  description: the password\n", "token:\n  value: string\n", "| token | the token of the session |", "| password | string | required |",
		"commit 3f786850e387550fdab836ed7e6dc881de23001b", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "id: 123e4567-e89b-12d3-a456-426614174000", "etag: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
		"\"integrity\": \"sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==\"", "The password is stored as a hash.", "Your token has expired; log in again.", "a bearer token is required", "Pass the token to the function.", "The key is in the second drawer.",
		"forgot your password? reset it here", "password must contain at least 8 characters", "Invalid password for user bob", "wrong password: 3 attempts left", "Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "-H 'Authorization: Bearer ${TOKEN}'", "basic authentication is disabled",
		"--token TOKEN  the access token", "--password string   password of the registry", "--api-key=API_KEY", "usage: login [--password-stdin]", "ssh-keygen -t ed25519 -f key", "openssl req -new -key server.key -out server.csr", "openssl x509 -in cert.pem -noout -text", "kubectl get secret db -o yaml",
		"net use * /delete", "community edition is RO", "set requirepass", "PSK mode is supported", "psk: boolean", "vault login", "vault kv get secret/db", "earlySecret     *tls13.EarlySecret", "// 31.7.8.1. Vector Loads", "c.PrivateKey = testEd25519PrivateKey", `{"key0", "0123456789abcdef"}`, "hvs.", "the hvs.token format", "if !s.ReadUint24LengthPrefixed(&list) {", "b.AddUint24LengthPrefixed(f)", "hvs.readUint16LengthPrefixedBytes(x)", "mysql -u root -p app", "mysql -p", "zip -r a.zip dir", "7z x a.7z", "curl -u user https://h.test", "docker login -u bob --password-stdin",
		"postgres://localhost:5432/app", "postgres://user@host/db", "postgres://${USER}:${PASS}@host/db", "https://user:password@example.com/", "redis://localhost:6379/0", "git@github.com:o/r.git", "ssh://git@github.com/o/r.git", "https://github.com/o/r/blob/3f786850e387550fdab836ed7e6dc881de23001b/a.go",
		"<input type=\"password\" name=\"password\" />", "<label for=\"token\">Token</label>", "<add key=\"TokenLifetime\" value=\"3600\" />", "<property name=\"passwordEncoder\" ref=\"encoder\"/>", "placeholder=\"Enter your password\"", "aria-label=\"Password\"", "Passwort: erforderlich", "Contraseña: obligatoria", "パスワード: 必須", "пароль: строка",
		"cookie: lang=en; theme=dark", "Set-Cookie: theme=dark; Path=/", "cookies: enabled", "session_timeout=3600", "session: 42", "auth: none", "auth_type: oauth2", "token_type: bearer", "token_url: https://h.test/oauth/token", "key: value", "key=name", "primary_key: id", "foreign_key=user_id", "public_key: ssh-ed25519", "sort_key = created_at",
		"partition_key: tenant", "cache_key = f\"user:{id}\"", "keyword: test", "monkey=banana", "turkey: 12kg", "author: Bob", "authority: https://h.test", "code: 404", "code=ERR_MODULE_NOT_FOUND", "status_code: 200", "zip code: 12345", "exit code: 137", "country_code=DE", "signature: (a: int) -> str", "sig: SIGTERM", "passing=12 failed=0", "pass: 12, fail: 0", "passengers: 4",
		"bypass=true", "compass: north", "secretary: Alice", "tokenizer: cl100k_base", "tokenize(text)", "stop_token=\"</s>\"", "eos_token: <|endoftext|>", "pad_token_id: 50256", "csrf_token", "next_page_token: null", "nextPageToken\": \"\"", "continuation_token=none",
		"v1.2.3-beta.4+build.567", "2024-05-01T12:34:56.789Z", "0x7fff5fbff8a0", "#ff00aa", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "lorem ipsum dolor sit amet", "order 4111-2222-3333-4445", "version 10.15.7.1", "build 20240501123456789", "trace_id=4bf92f3577b34da6a3ce929d0e0e4736", "span: 00f067aa0ba902b7", "10.0.0.1 192.168.1.1 127.0.0.1", "bob@example.com", "+1 555 0100", "RFC 2606", "ISBN 978-3-16-148410-0", "123-45-678",
	} {
		if got := redacted(t, text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// TestPersonalPlaces: what is between « and » is personal data, and a text without them has none.
func TestPersonalPlaces(t *testing.T) {
	for _, text := range []string{
		"mail «bob.miller@corp-mail.net» now", "<«alice+tag@sub.firma.de»>", "Tel. «+49 151 28802031»", "call «+1 415 555 2671»", "call «+1 (415) 555-2671»", "«+442079460958»", "«415-555-2671»", "phone: «(030) 90182000»", "fon: «0151 28802031»",
		"card «4111 1111 1111 1111»", "card «5500-0000-0000-0004»", "«378282246310005» amex", "IBAN «DE89 3704 0044 0532 0130 00»", "«GB29NWBK60161331926819»", "ssn «523-23-8556»", "from «93.184.216.34» port 443", "from «2a00:1450:4001:81b::200e»",
		"order 4111111111111112", "order no. 2024-000123456", "id 5f1b4111-1111-4111-8111-111111111111", "sha 41111111111111110000000000000000000000aa", "1714561234567 ms", "20240501T123456", "v10.15.7", "1.2.3.4-beta", "GB29NWBK60161331926818", "000-12-3456", "666-12-3456",
		"10.1.2.3", "172.16.0.1", "169.254.1.1", "::1", "fe80::1", "2001:db8::1", "192.0.2.1", "bob@localhost", "user@example.org", "@bob", "a@b", "scp a@host:/x", "npm i @types/node@20.1.0", "foo@1.2.3", "12:34:56", "555-1234", "1-2-3", "+1", "+10 %", "2+2=4", "(2024) 123", "3.14159265358979", "1e+10",
		"// 23 22 21 20 19 18 17 16", "4234737173186232084, 5027558287275472836", "between user@1234.service and", "4.10.1.1 Valid", "1111:2222:3333:4444:5555:6666:77.77.88.88", "from source:«93.184.216.34»", "pages 100-200-3000", "ISO 8601-1:2019", "0049", "0.0.0.0", "255.255.255.0", "chr1:12345678-12345999", "127.0.0.1:8080", "fe80::3a1:2:3:4", "00:1b:3a:4c:5d:6e", "2a:00:14:50:40:01", "lat 52.520008, lon 13.404954", "{\"id\": 4929123412341234567}", "rgb(12, 34, 56)", "tel:", "phone: string", "+0 123 456 789",
	} {
		before, rest, _ := strings.Cut(text, "«")
		secret, after, _ := strings.Cut(rest, "»")
		want := text
		if secret != "" {
			want = before + secrets.Stars + after
		}
		if got := redacted(t, before+secret+after); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
