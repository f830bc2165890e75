package secrets

// RuleRow is a row of what a reader is shown of the rules.
type RuleRow struct {
	Name    string `json:"name"`    // as in Hit.Rule
	Pattern string `json:"pattern"` // RE2's, or the words in quotes
	Does    string `json:"does"`
}

// The rules: first those of the table of secret shapes, in its order.
const (
	ruleAWS = iota
	ruleGitHub
	ruleOpenAI
	ruleSlack
	ruleGoogle
	ruleStripe
	rulePEM
	ruleJWT
	ruleBearer
	ruleQuery
	ruleAssignment
	shapes
	ruleMarker = iota - 1
	ruleFlag
	ruleUserinfo
	ruleHome
)

// rows are what [Rules] returns, by rule.
var rows = [...]RuleRow{
	ruleAWS:    {"aws-access-key-id", `\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`, span},
	ruleGitHub: {"github-token", `\bgh[pousr]_[A-Za-z0-9]{36,}\b`, span},
	ruleOpenAI: {"openai-key", `\bsk-(?:proj-)?[A-Za-z0-9_-]{20,}\b`, span},
	ruleSlack:  {"slack-token", `\bxox[baprs]-[A-Za-z0-9-]{10,}\b`, span},
	ruleGoogle: {"google-api-key", `\bAIza[0-9A-Za-z_-]{35}\b`, span},
	ruleStripe: {"stripe-key", `\b[sp]k_(?:live|test)_[0-9A-Za-z]{16,}\b`, span},
	rulePEM: {
		"private-key-pem", `-----BEGIN (?:[A-Z ]*)PRIVATE KEY-----`,
		"a text that begins with it is removed; inside a longer text it becomes *** together with the key, up to its END line",
	},
	ruleJWT:        {"jwt", `\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\b`, span},
	ruleBearer:     {"bearer-token", `(?i)\bbearer\s+[A-Za-z0-9._~+/-]{20,}=*`, span},
	ruleQuery:      {"sensitive-query-param", `(?i)\b(?:access[_-]?token|refresh[_-]?token|sig|signature)=[^&\s#"']{6,}`, valueOnly},
	ruleAssignment: {"credential-assignment", `(?i)\b(?:api[_-]?key|secret|token|password|passwd|access[_-]?key|client[_-]?secret)\b\s*[=:]\s*[^\s'"]{6,}`, valueOnly},
	ruleMarker: {
		"marker", `"authorization:" "token=" "key=" "bearer " "api_key=" "apikey=" "secret=" "password=" "session=" "cookie=" "x-api-key:" "x-token:"`,
		"its value becomes ***, up to white space, a quote, & or ;, or inside its quotes; behind authorization: all up to the enclosing quote or the line's end but the word Bearer",
	},
	ruleFlag: {
		"flag", `--token --api-key --apikey --api_key --key --secret --client-secret --password --passwd --pass --access-key --access-token --auth --authorization --bearer; -p behind mysql, mysqldump or sshpass`,
		"its value becomes ***, behind = or blanks, or as the next element of an array",
	},
	ruleUserinfo: {"url-userinfo", `//USER@`, "becomes //***@"},
	ruleHome: {
		"home-path", `/Users/N /home/N /root X:\Users\N X:/Users/N \\HOST\SHARE\Users\N`,
		`becomes ~/**/, with everything below kept; in Windows paths \ is written /`,
	},
}

const (
	span      = "a text that is one as a whole is removed; inside a longer text it becomes ***"
	valueOnly = "its value becomes ***, up to white space, a quote, & or ;"
)

// Rules returns the rules in the order in which they are listed to a reader: the shapes of
// secrets, then markers, flags, user parts of URLs and home folders.
func Rules() []RuleRow { return append([]RuleRow(nil), rows[:]...) }
