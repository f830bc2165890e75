// Package secrets finds in texts what evidence must not carry, and hides it: tokens behind
// their markers and flags, the user part of URLs, the eleven shapes of keys and tokens, and
// the home folders of users.
//
//	curl -H 'Authorization: Bearer abc' --token xyz https://bob:pw@example.com
//	curl -H 'Authorization: Bearer ***' --token *** https://***@example.com
//
//	cat /home/bob/notes "C:\Users\John Smith\x"
//	cat ~/**/notes "~/**/x"
//
// The texts are unescaped UTF-8 and nothing here knows of JSON. What is hidden becomes
// three stars, and what begins with three stars is hidden already: [Scanner.Clean] changes
// its own output no more. Letters are compared without regard to case as ASCII has it; only
// the rules' own table compares as RE2 does, in which U+017F is an s and U+212A a k.
//
// Everything is found in one pass from the rare bytes at which it hangs ('=', ':', '-',
// '_', '/', blanks and three letters), in time linear in the text.
package secrets
