// Package secrets finds secrets and personal data in texts, through the encodings that carry them.
//
//	curl -H 'Authorization: Bearer abc' --token xyz https://bob:pw@example.com
//	curl -H 'Authorization: Bearer ***' --token *** https://***@example.com
//
// What it knows is data: the rules of a library and of this project (package ruleset), the words of
// names (package naming), and the forms of numbers and paths that belong to people (package
// personal). One pass of an automaton finds the places where something can be (package automaton);
// there, and nowhere else, expressions are tried, anchored. A text is looked at again without each
// of its encodings (package layer), and what is found there is reported as the bytes of the text
// that encode it.
//
// [Scanner.Scan] looks at a text, [Scanner.Value] at the value of a member, of which the name says
// something, and [Scanner.Redact] hides what they find.
package secrets
