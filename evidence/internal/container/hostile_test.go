package container

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
)

const (
	m      = "manifest.json:7"
	e      = "events.ndjson:750"
	whole  = m + " " + e + " end"
	events = 50 * 15
)

// TestTar reads tars of all kinds inside a whole gzip member.
func TestTar(t *testing.T) {
	list := new(archive).member(Manifest, `{"a":1}`).Bytes
	first := func() *archive { a := new(archive); a.Write(list()); return a }
	body := strings.Repeat("x", events)
	for _, c := range []struct {
		name string
		tar  []byte
		want string
	}{
		{"a bundle", good(), whole},
		{"no bytes", nil, "end"},
		{"zeros alone", make([]byte, 8<<10), "end"},
		{"no end", good()[:len(good())-2*blockBytes], whole},
		{"one block of zeros", good()[:len(good())-blockBytes], whole},
		{"part of a block of zeros", good()[:len(good())-3*blockBytes/2], m + " " + e + " IntegrityTar"},
		{"a whole record of zeros", append(good(), make([]byte, 20*blockBytes)...), whole},
		{"type 0", first().member(Events, body, kind('0')).end(), whole},
		{"v7 without magic", first().member(Events, body, edit(fieldMagic, "")).end(), whole},
		{"ustar", first().member(Events, body, edit(fieldMagic, magicUstar)).end(), whole},
		{"an empty member", first().member(Events, "").end(), m + " events.ndjson:0 end"},

		{"size in base 256", first().header(Events, 0, edit(fieldSize, "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\xee")).body(body).end(), m + " IntegrityTar"},
		{"size in base 256, negative", first().header(Events, 0, edit(fieldSize, strings.Repeat("\xff", 12))).body(body).end(), m + " IntegrityTar"},
		{"size in base 256, beyond 64 bits", first().header(Events, 0, edit(fieldSize, "\x80\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")).end(), m + " IntegrityTar"},
		{"size with spaces", first().header(Events, 0, edit(fieldSize, "       1356\x00")).body(body).end(), m + " IntegrityTar"},
		{"size that a blank ends", first().header(Events, 0, edit(fieldSize, "00000001356 ")).body(body).end(), whole},
		{"size of twelve digits", first().header(Events, 0, edit(fieldSize, "000000001356")).body(body).end(), m + " IntegrityTar"},
		{"size of ten digits", first().header(Events, 0, edit(fieldSize, "0000001356\x00")).body(body).end(), m + " IntegrityTar"},
		{"size in decimal", first().header(Events, 0, edit(fieldSize, "00000000758\x00")).body(body).end(), m + " IntegrityTar"},
		{"size of letters", first().header(Events, 0, edit(fieldSize, "0000000zz")).end(), m + " IntegrityTar"},
		{"size with a sign", first().header(Events, 0, edit(fieldSize, "-0000000001")).end(), m + " IntegrityTar"},
		{"size of NULs", first().header(Events, 0, edit(fieldSize, "")).end(), m + " IntegrityTar"},
		{"checksum of letters", bytes.Replace(good(), good()[148:154], []byte("12345x"), 1), "IntegrityTar"},
		{"a byte of the header", bytes.Replace(good(), []byte("0000644"), []byte("0000645"), 1), "IntegrityTar"},
		{"a signed checksum", signedSum(), "IntegrityTar"},
		{"a part of a header", append(first().Bytes(), good()[:100]...), m + " IntegrityTar"},
		{"the end in a member", first().header(Events, events).Bytes(), m + " events.ndjson:0 cut IntegrityTar"},
		{"the end in a member's padding", append(first().header(Events, events).Bytes(), body...), m + " " + e + " IntegrityTar"},
		{"a byte in padding", first().header(Events, 1).body("xy").end(), m + " events.ndjson:1 IntegrityTar"},
		{"a byte after the end", append(good(), 1), m + " " + e + " IntegrityTar"},
		{"a member after the end", append(good(), good()...), m + " " + e + " IntegrityTar"},
		{"the events after the end", append(first().end(), new(archive).member(Events, body).end()...), m + " IntegrityTar"},
		{"text", []byte(strings.Repeat("events\n", 100)), "IntegrityTar"},

		{"order", new(archive).member(Events, body).member(Manifest, `{"a":1}`).end(), "ContractFileOrder " + m + " end"},
		{"manifest twice", first().member(Manifest, "").member(Events, body).end(), m + " ContractDuplicateFile " + e + " end"},
		{"events twice", first().member(Events, body).member(Events, "").end(), m + " " + e + " ContractDuplicateFile end"},
		{"one more", first().member(Events, body).member("extra.txt", "x").end(), m + " " + e + " ContractUnexpectedFile end"},
		{"./", first().member("./"+Events, body).end(), m + " ContractUnexpectedFile end"},
		{"slash at the end", first().member(Events+"/", body).end(), m + " IntegrityTar"},
		{"bytes after the name", first().member(Events+"\x00junk", body).end(), whole},
		{"another case", first().member("Events.ndjson", body).end(), m + " ContractUnexpectedFile end"},
		{"a name that is not UTF-8", first().member("events\xff.ndjson", body).end(), m + " ContractUnexpectedFile end"},
		{"a line in a name", first().member("events.ndjson\nok", body).end(), m + " ContractUnexpectedFile end"},
		{"no name", first().member("", body).end(), m + " ContractUnexpectedFile end"},
		{"a prefix", first().member(Events, body, edit(fieldMagic, magicUstar), edit(fieldRest, "a")).end(), m + " IntegrityTar"},
		{"a time of GNU", first().member(Events, body, edit(fieldRest, "a")).end(), m + " IntegrityTar"},
		{"the last byte of a header", first().member(Events, body, func(b *block) { b[blockBytes-1] = 1 }).end(), m + " IntegrityTar"},
		{"a link target", first().member(Events, body, edit(fieldLink, "x")).end(), m + " IntegrityTar"},
		{"a link target after a NUL", first().member(Events, body, edit(fieldLink, "\x00x")).end(), m + " IntegrityTar"},
		{"a mode of letters", first().member(Events, body, edit(fieldMode, "rw-r--r--"[:8])).end(), m + " IntegrityTar"},
		{"a user of blanks", first().member(Events, body, edit(fieldUID, "        ")).end(), m + " IntegrityTar"},
		{"no numbers", first().member(Events, body, edit(fieldMode, ""), edit(fieldUID, ""), edit(fieldGID, ""), edit(fieldTime, "")).end(), whole},
		{"a user in base 256", first().member(Events, body, edit(fieldUID, "\x80\x00\x00\x00\x00\x20\x00\x01")).end(), whole},
		{"traversal", first().member("../"+Events, body).end(), m + " SecurityPathTraversal end"},
		{"traversal inside", first().member("a/../"+Events, body).end(), m + " SecurityPathTraversal end"},
		{"traversal at the end", first().member("a/..", body).end(), m + " SecurityPathTraversal end"},
		{"traversal with \\", first().member(`a\..\b`, body).end(), m + " SecurityPathTraversal end"},
		{"dots in a name", first().member("a..b", body).end(), m + " ContractUnexpectedFile end"},
		{"absolute", first().member("/"+Events, body).end(), m + " SecurityPathTraversal end"},
		{"a drive", first().member("C:"+Events, body).end(), m + " SecurityPathTraversal end"},
		{"a share", first().member(`\\host\a`, body).end(), m + " SecurityPathTraversal end"},

		{"symbolic link", new(archive).header(Manifest, 0, kind('2')).end(), "IntegrityTar"},
		{"symbolic link out", first().header("../x", 0, kind('2')).end(), m + " IntegrityTar"},
		{"symbolic link again", first().header(Manifest, 0, kind('2')).end(), m + " IntegrityTar"},
		{"hard link", first().header(Events, 0, kind('1')).end(), m + " IntegrityTar"},
		{"character device", first().header(Events, 0, kind('3')).end(), m + " IntegrityTar"},
		{"block device", first().header(Events, 0, kind('4')).end(), m + " IntegrityTar"},
		{"folder", first().header(Events, 0, kind('5')).end(), m + " IntegrityTar"},
		{"pipe", first().header(Events, 0, kind('6')).end(), m + " IntegrityTar"},
		{"contiguous", first().member(Events, body, kind('7')).end(), m + " IntegrityTar"},
		{"sparse", first().member(Events, body, kind('S')).end(), m + " IntegrityTar"},
		{"volume", first().header("volume", 0, kind('V')).end(), m + " IntegrityTar"},
		{"long link", first().member("././@LongLink", "x\x00", kind('K')).end(), m + " IntegrityTar"},
		{"PAX for all", first().member("g", paxBody("path=x"), kind('g')).member(Events, body).end(), m + " IntegrityTar"},
		{"long name without magic", first().member(Events, body, kind('L'), edit(fieldMagic, "")).end(), m + " IntegrityTar"},
		{"PAX for one", first().member("x", paxBody("comment=x"), kind(typeExtended)).member(Events, body).end(), m + " IntegrityTar"},
		{"long name", first().member("././@LongLink", Events+"\x00", kind(typeLongName)).member("x", body).end(), m + " IntegrityTar"},
		{"long name cut", first().header("x", 600, kind(typeLongName)).Bytes(), m + " IntegrityTar"},
		{"PAX bomb", first().member("x", strings.Repeat("9", 5<<20), kind(typeExtended)).end(), m + " IntegrityTar"},
		{"PAX of 8 GiB", first().header("x", maxSize, kind(typeExtended)).end(), m + " IntegrityTar"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := read(bytes.NewReader(zip(c.tar, 6)), -1, Options{}); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// signedSum returns a bundle whose name has a byte above 127, summed as signed.
func signedSum() []byte {
	tar := new(archive).member("\xff", "").end()
	copy(tar[fieldChecksum.start:], "000000\x00 ")
	sum := int64(0)
	for _, c := range (*block)(tar).of(field{0, blockBytes}) {
		sum += int64(int8(c))
	}
	sum += int64(' '*8) - 6*'0' - ' '
	b := (*block)(tar)
	b.putOctal(field{fieldChecksum.start, 7}, sum)
	return tar
}

// TestGzip reads gzip members of all kinds around a whole tar.
func TestGzip(t *testing.T) {
	bundle := zip(good(), 6)
	with := func(edit func(b []byte) []byte) []byte { return edit(bytes.Clone(bundle)) }
	header := func(flags byte, rest string) []byte {
		b := append([]byte(magic+"\x08"), flags)
		b = append(b, "\x00\x00\x00\x00\x02\xff"...)
		return append(append(b, rest...), bundle[headerBytes:]...)
	}
	summed := func(flags byte, rest string) []byte {
		b := header(flags|hasHeaderCRC, rest+"cc")
		sum := uint16(crc32.ChecksumIEEE(b[:headerBytes+len(rest)]))
		binary.LittleEndian.PutUint16(b[headerBytes+len(rest):], sum)
		return b
	}
	zlibbed := new(bytes.Buffer)
	w := zlib.NewWriter(zlibbed)
	if _, err := w.Write(good()); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		input []byte
		want  string
	}{
		{"a bundle", bundle, whole},
		{"stored", zip(good(), 0), whole},
		{"extra", header(hasExtra, "\x03\x00abc"), whole},
		{"extra cut", header(hasExtra, "\xff\xff"), "IntegrityTar"},
		{"name", header(hasName, "run.tar\x00"), whole},
		{"name of 1 MB", header(hasName, strings.Repeat("x", 1<<20)+"\x00"), whole},
		{"name that does not end", []byte(magic + "\x08\x08\x00\x00\x00\x00\x00\xff" + strings.Repeat("x", 1<<17)), "IntegrityTar"},
		{"comment", header(hasComment, "a comment\x00"), whole},
		{"text", header(1, ""), whole},
		{"header checksum", summed(0, ""), whole},
		{"header checksum of all", summed(hasExtra|hasName|hasComment, "\x03\x00abcname\x00comment\x00"), whole},
		{"header checksum, wrong", header(hasHeaderCRC, "zz"), "IntegrityTar"},
		{"reserved 5", header(1<<5, ""), "IntegrityTar"},
		{"reserved 6", header(1<<6, ""), "IntegrityTar"},
		{"reserved 7", header(1<<7, ""), "IntegrityTar"},
		{"method", with(func(b []byte) []byte { b[2] = 7; return b }), "IntegrityTar"},
		{"empty", nil, "IntegrityTar"},
		{"one byte", []byte("\x1f"), "IntegrityTar"},
		{"one byte of text", []byte("{"), "IntegrityTar"},
		{"a header alone", bundle[:headerBytes], "IntegrityTar"},
		{"plain tar", good(), "IntegrityTar"},
		{"zlib", zlibbed.Bytes(), "IntegrityTar"},
		{"zip", []byte("PK\x03\x04" + strings.Repeat("\x00", 100)), "IntegrityTar"},
		{"text", []byte(strings.Repeat("{}\n", 100)), "IntegrityTar"},
		{"checksum", with(func(b []byte) []byte { b[len(b)-8]++; return b }), m + " " + e + " IntegrityGzip"},
		{"length", with(func(b []byte) []byte { b[len(b)-1]++; return b }), m + " " + e + " IntegrityGzip"},
		{"trailer cut", bundle[:len(bundle)-1], m + " " + e + " IntegrityGzip"},
		{"no trailer", bundle[:len(bundle)-8], m + " " + e + " IntegrityGzip"},
		{"a byte more", append(bytes.Clone(bundle), 0), m + " " + e + " IntegrityGzip"},
		{"two members", append(bytes.Clone(bundle), bundle...), m + " " + e + " IntegrityGzip"},
		{"a tar in two members", append(zip(good()[:blockBytes], 6), zip(good()[blockBytes:], 6)...), "manifest.json:0 cut IntegrityTar"},
		{"checksum before trailing", append(with(func(b []byte) []byte { b[len(b)-8]++; return b }), 0), m + " " + e + " IntegrityGzip"},
		{"a byte after the end before the checksum", with(func([]byte) []byte {
			b := zip(append(good(), 1), 6)
			b[len(b)-8]++
			return b
		}), m + " " + e + " IntegrityTar"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := read(bytes.NewReader(c.input), -1, Options{}); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestTrailing tolerates what no program takes for a part of the bundle, and nothing else.
func TestTrailing(t *testing.T) {
	bundle := zip(good(), 6)
	broken := bytes.Clone(bundle)
	broken[len(broken)-8]++
	padded := new(archive).member(Manifest, `{"a":1}`).header(Events, events).body(strings.Repeat("x", events) + "y").end()
	endless := zip(good()[:len(good())-2*blockBytes], 6)
	for name, c := range map[string]struct {
		input     []byte
		want      string
		tolerated bool
	}{
		"nothing":           {bundle, whole, false},
		"after gzip":        {append(bytes.Clone(bundle), "ZZZZ"...), whole, true},
		"zeros":             {append(bytes.Clone(bundle), 0, 0), whole, true},
		"one byte of gzip":  {append(bytes.Clone(bundle), magic[0]), whole, true},
		"another member":    {append(bytes.Clone(bundle), bundle...), m + " " + e + " IntegrityGzip", false},
		"of a tar, no end":  {append(bytes.Clone(endless), "ZZZZ"...), m + " " + e + " IntegrityGzip", false},
		"after the tar":     {zip(append(good(), "ZZZZ"...), 6), m + " " + e + " IntegrityTar", false},
		"in padding":        {zip(padded, 6), m + " " + e + " IntegrityTar", false},
		"damage":            {append(broken, "ZZZZ"...), m + " " + e + " IntegrityGzip", false},
		"damage in padding": {append(zip(padded, 0)[:len(zip(padded, 0))-8], "12345678"...), m + " " + e + " IntegrityGzip", false},
	} {
		if got := read(bytes.NewReader(c.input), -1, Options{Trailing: true}); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
		r := NewReader(bytes.NewReader(c.input), -1, Options{Trailing: true})
		if err := readAll(r); (r.Tolerated() != nil) != c.tolerated {
			t.Errorf("%s: tolerated %v, %v", name, r.Tolerated(), err)
		}
	}
}

// TestLimits holds that each limit accepts what reaches it and refuses one more, for a file,
// whose size is known, and for a pipe.
func TestLimits(t *testing.T) {
	stored := zip(good(), 0)
	long := zip(new(archive).member(strings.Repeat("y", 100), "").end(), 6)
	for _, c := range []struct {
		name  string
		input []byte
		limit func(*evidence.Limits) *int64
		exact int64
		under string // with the limit
		over  string // with one less
	}{
		{"source", stored, bundleBytes, int64(len(stored)), whole, "LimitBundleBytes/max_bundle_bytes"},
		{"source with trailing", append(bytes.Clone(stored), "ZZ"...), bundleBytes, int64(len(stored)) + 2, whole, "LimitBundleBytes/max_bundle_bytes"},
		{"stream", stored, decodeBytes, int64(len(good())), whole, m + " " + e + " LimitDecodeBytes/max_decode_bytes"},
		{"stream, in a member", stored, decodeBytes, 3 * blockBytes, m + " events.ndjson:0 LimitDecodeBytes/max_decode_bytes", m + " LimitDecodeBytes/max_decode_bytes"},
		{"manifest", stored, manifestBytes, 7, whole, "LimitFileSize/max_manifest_bytes ContractFileOrder end"},
		{"events", stored, eventsBytes, events, whole, m + " LimitFileSize/max_events_bytes end"},
		{"path", long, pathBytes, 100, "ContractUnexpectedFile end", "LimitPathLength/max_path_len end"},
		{"path of a header", stored, pathBytes, 13, whole, "LimitPathLength/max_path_len LimitPathLength/max_path_len end"},
	} {
		for kind, size := range map[string]int64{"file": int64(len(c.input)), "pipe": -1} {
			opt := Options{Trailing: true}
			*c.limit(&opt.Limits) = c.exact
			if got := read(bytes.NewReader(c.input), size, opt); got != c.under {
				t.Errorf("%s, %s, limit %d: got %s, want %s", c.name, kind, c.exact, got, c.under)
			}
			*c.limit(&opt.Limits)--
			got := read(bytes.NewReader(c.input), size, opt)
			if strings.HasPrefix(c.name, "source") {
				got = got[strings.LastIndex(got, " ")+1:] // a pipe is read until its limit is passed
			}
			if got != c.over {
				t.Errorf("%s, %s, limit %d: got %s, want %s", c.name, kind, c.exact-1, got, c.over)
			}
		}
	}
}

func bundleBytes(l *evidence.Limits) *int64   { return &l.BundleBytes }
func decodeBytes(l *evidence.Limits) *int64   { return &l.DecodeBytes }
func manifestBytes(l *evidence.Limits) *int64 { return &l.ManifestBytes }
func eventsBytes(l *evidence.Limits) *int64   { return &l.EventsBytes }
func pathBytes(l *evidence.Limits) *int64     { return &l.PathBytes }

// TestMessages holds how faults speak: where, what, what was expected and what was found,
// with nothing of the input that a terminal would obey.
func TestMessages(t *testing.T) {
	first := func() *archive { return new(archive).member(Manifest, `{"a":1}`) }
	for _, c := range []struct {
		input  []byte
		want   string
		offset int64
	}{
		{nil, "the input is empty, expected a gzip member, found no bytes [IntegrityTar]", -1},
		{[]byte("hello"), "the input does not start with a gzip header, expected bytes 1f 8b, found 68 65 [IntegrityTar]", -1},
		{[]byte(magic + "\x08\xe0\x00\x00\x00\x00\x00\x00"), "the gzip header has reserved flags set, expected bits 5 to 7 clear, found flags 0xe0 [IntegrityTar]", -1},
		{zip(good(), 0)[:900], "the compressed data is truncated: the input ends at byte 900 [IntegrityTar]", 885},
		{append(zip(good(), 0), 'Z'), fmt.Sprintf("more data follows the gzip member, at byte %d, expected its end, found 0x5a [IntegrityGzip]", len(zip(good(), 0))), -1},
		{zip(append(good(), 'Z'), 6), "a byte other than zero in what follows the tar's end, expected zeros, found 0x5a [IntegrityTar]", 3584},
		{zip(new(archive).header(Manifest, 0, kind('2')).end(), 6), `the tar has a symbolic link, expected regular files in the plain ustar format alone, found type '2' [IntegrityTar]`, 0},
		{zip(new(archive).header(Manifest, 0, kind(0x1b)).end(), 6), `the tar has a member of type '\x1b', expected regular files in the plain ustar format alone, found type '\x1b' [IntegrityTar]`, 0},
		{zip(first().member("x", paxBody("LIBARCHIVE.creationtime=1"), kind(typeExtended)).end(), 6), `the tar has a PAX header, expected regular files in the plain ustar format alone, found the record "LIBARCHIVE.creationtime" [IntegrityTar]`, 1024},
		{zip(first().member("../\x1b[31m\n", "").end(), 6), `the path "../\x1b[31m\n" of a member leads out of the bundle [SecurityPathTraversal]`, 1024},
		{zip(first().header(Events, 0, edit(fieldSize, "\xff\xfe")).end(), 6), `the size in a tar header does not fill its field, expected eleven octal digits, then NUL or a blank, found "\xff\xfe" [IntegrityTar]`, 1024},
		{zip(first().header(Events, 600<<20).end(), 6), "a member events.ndjson of more than 524288000 bytes, expected at most 524288000 bytes [LimitFileSize]", 1024},
		{zip(first().header(Events, events).Bytes(), 6), `the tar ends inside member "events.ndjson" [IntegrityTar]`, 1536},
	} {
		err := readAll(NewReader(bytes.NewReader(c.input), -1, Options{}))
		var f *Fault
		if !errors.As(err, &f) || f.Error() != c.want || f.Offset != c.offset {
			t.Errorf("got  %v\nwant %s, offset %d", err, c.want, c.offset)
		}
	}
}
