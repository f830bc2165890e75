package privacy

// UpstreamSubject is for the naive redaction.
var UpstreamSubject = upstreamSubject
