package trace

// VerifyInBlocks is Verify with blocks of about the given number of bytes.
var VerifyInBlocks = verify
