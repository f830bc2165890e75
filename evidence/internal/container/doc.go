// Package container reads and writes the container of an evidence bundle: a tar stream with the
// regular members manifest.json and events.ndjson in a gzip member. It does not interpret JSON.
//
//	gzip -dc run.tar.gz | tar -t      # manifest.json, events.ndjson
//
// # Reading
//
// A [Reader] streams in constant memory. Headers are checked in the contract's order: path length, declared size,
// path components, repetition, order, and the type, which must be a regular file. GNU long names and the PAX records
// path and size are supported; malformed and other PAX records are ignored.
//
// Damage is a [Fault] with the contract's code: IntegrityTar when opening gzip or reading a tar
// header, IntegrityIo inside a member, IntegrityGzip after the tar's end and in the gzip trailer.
//
// # Writing
//
// A [Writer] makes the same tar bytes as every producer of the contract; they depend only on the
// members. Compressed bytes also depend on level and program version.
package container
