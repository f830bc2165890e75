// Package container reads and writes the outer form of an evidence bundle: a tar stream of
// two regular members, manifest.json and then events.ndjson, inside one gzip member. It
// knows bytes, names and sizes, and no JSON.
//
//	gzip -dc run.tar.gz | tar -t      # manifest.json, events.ndjson
//
// # Reading
//
// A [Reader] streams: it holds one window of the compressed data and one member's path,
// whatever the input. Members are handed on in their order, after the checks of their
// headers in the contract's order: length of the path, declared size, components of the
// path, name, repetition, order, and at last the type, which must be a regular file.
// GNU long names and the PAX records path and size are understood; malformed and other PAX
// records are ignored.
//
// What is wrong with the bytes is a [Fault] with the contract's code. What surfaces when
// gzip is opened, or where a tar header is read, is IntegrityTar; inside a member's bytes
// IntegrityIo; after the tar's end and in the gzip trailer IntegrityGzip.
//
// # Writing
//
// A [Writer] makes the bytes of the tar stream that every producer of the contract makes:
// they depend on nothing but the members. The compressed bytes depend on the level, and on
// the version of the program.
package container
