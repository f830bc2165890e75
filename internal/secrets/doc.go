// Package secrets finds secrets and personal data in texts, including encoded ones.
//
//	curl -H 'Authorization: Bearer abc' --token xyz https://bob:pw@example.com
//	curl -H 'Authorization: Bearer ***' --token *** https://***@example.com
//
// Its knowledge is data: rules of a library and of this project (package ruleset), words in names (package naming),
// and formats of personal numbers and paths (package personal). An automaton finds candidate positions in one pass
// (package automaton), where anchored expressions are tried. Each encoding is decoded and searched again (package
// layer); hits are mapped back to the original bytes.
//
// [Scanner.Scan] searches a text, [Scanner.Value] the value of a named member, and [Scanner.Redact]
// replaces what they find.
package secrets
