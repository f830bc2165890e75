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
	long := func(name string) *archive {
		return first().member("././@LongLink", name, kind(typeLongName))
	}
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

		{"size in base 256", first().header(Events, 0, edit(fieldSize, "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\xee")).body(body).end(), whole},
		{"size in base 256, negative", first().header(Events, 0, edit(fieldSize, strings.Repeat("\xff", 12))).body(body).end(), m + " IntegrityTar"},
		{"size in base 256, beyond 64 bits", first().header(Events, 0, edit(fieldSize, "\x80\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")).end(), m + " LimitFileSize/max_events_bytes IntegrityTar"},
		{"size with spaces", first().header(Events, 0, edit(fieldSize, "   1356    ")).body(body[:746]).end(), m + " events.ndjson:750 end"},
		{"size of letters", first().header(Events, 0, edit(fieldSize, "0000000zz")).end(), m + " IntegrityTar"},
		{"size with a sign", first().header(Events, 0, edit(fieldSize, "-0000000001")).end(), m + " IntegrityTar"},
		{"size of NULs", first().header(Events, 0, edit(fieldSize, "")).end(), m + " events.ndjson:0 end"},
		{"checksum of letters", bytes.Replace(good(), good()[148:154], []byte("12345x"), 1), "IntegrityTar"},
		{"a byte of the header", bytes.Replace(good(), []byte("0000644"), []byte("0000645"), 1), "IntegrityTar"},
		{"a signed checksum", signedSum(), "IntegrityTar"},
		{"a part of a header", append(first().Bytes(), good()[:100]...), m + " IntegrityTar"},
		{"the end in a member", first().header(Events, events).Bytes(), m + " events.ndjson:0 cut IntegrityTar"},
		{"the end in a member's padding", append(first().header(Events, events).Bytes(), body...), m + " " + e + " IntegrityTar"},
		{"a byte in padding", first().header(Events, 1).body("xy").end(), m + " events.ndjson:1 ContractTrailingData"},
		{"a byte after the end", append(good(), 1), m + " " + e + " ContractTrailingData"},
		{"a member after the end", append(good(), good()...), m + " " + e + " ContractTrailingData"},
		{"text", []byte(strings.Repeat("events\n", 100)), "IntegrityTar"},

		{"order", new(archive).member(Events, body).member(Manifest, `{"a":1}`).end(), "ContractFileOrder " + m + " end"},
		{"manifest twice", first().member(Manifest, "").member(Events, body).end(), m + " ContractDuplicateFile " + e + " end"},
		{"events twice", first().member(Events, body).member(Events, "").end(), m + " " + e + " ContractDuplicateFile end"},
		{"one more", first().member(Events, body).member("extra.txt", "x").end(), m + " " + e + " ContractUnexpectedFile end"},
		{"./", first().member("./"+Events, body).end(), m + " ContractUnexpectedFile end"},
		{"slash at the end", first().member(Events+"/", body).end(), m + " ContractUnexpectedFile end"},
		{"another case", first().member("Events.ndjson", body).end(), m + " ContractUnexpectedFile end"},
		{"a name that is not UTF-8", first().member("events\xff.ndjson", body).end(), m + " ContractUnexpectedFile end"},
		{"a line in a name", first().member("events.ndjson\nok", body).end(), m + " ContractUnexpectedFile end"},
		{"no name", first().member("", body).end(), m + " ContractUnexpectedFile end"},
		{"a prefix", first().member(Events, body, edit(fieldMagic, magicUstar), edit(fieldPrefix, "a")).end(), m + " ContractUnexpectedFile end"},
		{"GNU has no prefix", first().member(Events, body, edit(fieldPrefix, "a")).end(), whole},
		{"traversal", first().member("../"+Events, body).end(), m + " SecurityPathTraversal end"},
		{"traversal inside", first().member("a/../"+Events, body).end(), m + " SecurityPathTraversal end"},
		{"traversal at the end", first().member("a/..", body).end(), m + " SecurityPathTraversal end"},
		{"traversal with \\", first().member(`a\..\b`, body).end(), m + " SecurityPathTraversal end"},
		{"dots in a name", first().member("a..b", body).end(), m + " ContractUnexpectedFile end"},
		{"absolute", first().member("/"+Events, body).end(), m + " SecurityPathTraversal end"},
		{"a drive", first().member("C:"+Events, body).end(), m + " SecurityPathTraversal end"},
		{"a share", first().member(`\\host\a`, body).end(), m + " SecurityPathTraversal end"},

		{"symbolic link", new(archive).header(Manifest, 0, kind('2')).end(), "ContractUnexpectedFile end"},
		{"symbolic link out", first().header("../x", 0, kind('2')).end(), m + " SecurityPathTraversal end"},
		{"symbolic link again", first().header(Manifest, 0, kind('2')).end(), m + " ContractDuplicateFile end"},
		{"hard link", first().header(Events, 0, kind('1')).end(), m + " ContractUnexpectedFile end"},
		{"character device", first().header(Events, 0, kind('3')).end(), m + " ContractUnexpectedFile end"},
		{"block device", first().header(Events, 0, kind('4')).end(), m + " ContractUnexpectedFile end"},
		{"folder", first().header(Events, 0, kind('5')).end(), m + " ContractUnexpectedFile end"},
		{"pipe", first().header(Events, 0, kind('6')).end(), m + " ContractUnexpectedFile end"},
		{"contiguous", first().member(Events, body, kind('7')).end(), m + " ContractUnexpectedFile end"},
		{"sparse", first().member(Events, body, kind('S')).end(), m + " ContractUnexpectedFile end"},
		{"volume", first().header("volume", 0, kind('V')).end(), m + " ContractUnexpectedFile end"},
		{"long link", first().member("././@LongLink", "x\x00", kind('K')).end(), m + " ContractUnexpectedFile end"},
		{"PAX for all", first().member("g", paxBody("path=x"), kind('g')).member(Events, body).end(), m + " ContractUnexpectedFile " + e + " end"},
		{"long name without magic", first().member(Events, body, kind('L'), edit(fieldMagic, "")).end(), m + " ContractUnexpectedFile end"},

		{"long name", long(Events+"\x00").member("x", body).end(), whole},
		{"long name without NUL", long(Events).member("x", body).end(), whole},
		{"long name with two NULs", long(Events+"\x00\x00").member("x", body).end(), m + " ContractUnexpectedFile end"},
		{"long name, other", long("x\x00").member(Events, body).end(), m + " ContractUnexpectedFile end"},
		{"long name, empty", long("").member(Events, body).end(), m + " ContractUnexpectedFile end"},
		{"long name goes before PAX", long(Events).pax("path=x").member("y", body).end(), whole},
		{"long name twice", long(Events).member("././@LongLink", Events, kind(typeLongName)).member("x", body).end(), m + " IntegrityTar"},
		{"long name alone", long(Events).end(), m + " IntegrityTar"},
		{"long name cut", first().header("x", 600, kind(typeLongName)).Bytes(), m + " IntegrityTar"},
		{"long name's padding", func() []byte {
			a := first().header("x", 13, kind(typeLongName)).body(Events + "z")
			return a.member("x", body).end()
		}(), m + " " + e + " ContractTrailingData"},
		{"long name of 256 bytes", long(strings.Repeat("x", 256)+"\x00").member("x", body).end(), m + " ContractUnexpectedFile end"},
		{"long name of 257 bytes", long(strings.Repeat("x", 257)+"\x00").member("x", body).end(), m + " LimitPathLength/max_path_len end"},
		{"long name of 256 bytes and NULs", long(strings.Repeat("x", 256)+"\x00\x00").member("x", body).end(), m + " LimitPathLength/max_path_len end"},
		{"long name, bomb", long(strings.Repeat("x", 5<<20)).member("x", body).end(), m + " LimitPathLength/max_path_len end"},
		{"length before traversal", long("../"+strings.Repeat("x", 300)).member("x", body).end(), m + " LimitPathLength/max_path_len end"},

		{"PAX path", first().pax("path="+Events).member("x", body).end(), whole},
		{"PAX path, other", first().pax("path=x").member(Events, body).end(), m + " ContractUnexpectedFile end"},
		{"PAX path, empty", first().pax("path=").member(Events, body).end(), whole},
		{"PAX path with LF", first().pax("path=x\ny").member(Events, body).end(), m + " ContractUnexpectedFile end"},
		{"PAX, the last wins", first().pax("path=x", "path="+Events).member("y", body).end(), whole},
		{"PAX size", first().pax("size=750").header(Events, 0).body(body).end(), whole},
		{"PAX size over the header's", first().pax("size=750").header(Events, 9).body(body).end(), whole},
		{"PAX size, negative", first().pax("size=-1").member(Events, body).end(), whole},
		{"PAX size beyond 64 bits", first().pax("size=99999999999999999999").member(Events, body).end(), whole},
		{"PAX size beyond 63 bits", first().pax("size=18446744073709551615").member(Events, body).end(), m + " LimitFileSize/max_events_bytes IntegrityTar"},
		{"PAX, other records", first().pax("comment=path=x", "mtime=1.5", "GNU.sparse.major=1").member(Events, body).end(), whole},
		{"PAX, inside another record", first().pax("comment=a\n10 path=x\n").member(Events, body).end(), whole},
		{"PAX path of 256 bytes", first().pax("path="+strings.Repeat("x", 256)).member(Events, body).end(), m + " ContractUnexpectedFile end"},
		{"PAX path of 257 bytes", first().pax("path="+strings.Repeat("x", 257)).member(Events, body).end(), m + " LimitPathLength/max_path_len end"},
		{"PAX path, bomb", first().pax("path="+strings.Repeat("x", 5<<20)).member(Events, body).end(), m + " LimitPathLength/max_path_len end"},
		{"PAX comment, bomb", first().pax("comment="+strings.Repeat("x", 5<<20), "path="+Events).member("x", body).end(), whole},
		{"PAX empty", first().member("x", "", kind('x')).member(Events, body).end(), whole},
		{"PAX twice", first().pax("a=b").pax("a=b").member(Events, body).end(), m + " IntegrityTar"},
		{"PAX alone", first().pax("path=" + Events).end(), m + " IntegrityTar"},
		{"PAX cut", first().header("x", 600, kind('x')).Bytes(), m + " IntegrityTar"},
		{"PAX cut in a record", append(first().header("x", 6000, kind('x')).Bytes(), "5000 path=x"...), m + " IntegrityTar"},
		{"PAX malformed, then not", first().member("x", "nonsense\n"+paxBody("path="+Events), kind('x')).member("x", body).end(), whole},
		{"PAX too short", first().member("x", "5 path=x\n"+paxBody("path="+Events), kind('x')).member("x", body).end(), whole},
		{"PAX too long", first().member("x", "20 path=x\n"+paxBody("path="+Events), kind('x')).member("x", body).end(), whole},
		{"PAX beyond its end", first().member("x", "999999 path=x\n"+paxBody("path="+Events), kind('x')).member("x", body).end(), whole},
		{"PAX without =", first().member("x", "7 path\n"+paxBody("path="+Events), kind('x')).member("x", body).end(), whole},
		{"PAX without LF", first().member("x", "9 path=xy", kind('x')).member(Events, body).end(), whole},
		{"PAX, a line that does not end", first().member("x", strings.Repeat("9", 5000), kind('x')).member(Events, body).end(), whole},
		{"PAX, a long record that ends elsewhere", first().member("x", "400 path="+strings.Repeat("x", 500)+"\n"+paxBody("path="+Events), kind('x')).member("x", body).end(), whole},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := read(bytes.NewReader(zip(c.tar, 6)), -1, Options{}); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// signedSum is a bundle whose name has a byte above 127, summed as signed.
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
		{"a byte more", append(bytes.Clone(bundle), 0), m + " " + e + " ContractTrailingData"},
		{"two members", append(bytes.Clone(bundle), bundle...), m + " " + e + " ContractTrailingData"},
		{"a tar in two members", append(zip(good()[:blockBytes], 6), zip(good()[blockBytes:], 6)...), "manifest.json:0 cut IntegrityTar"},
		{"checksum before trailing", append(with(func(b []byte) []byte { b[len(b)-8]++; return b }), 0), m + " " + e + " IntegrityGzip"},
		{"checksum before a byte after the end", with(func([]byte) []byte {
			b := zip(append(good(), 1), 6)
			b[len(b)-8]++
			return b
		}), m + " " + e + " IntegrityGzip"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := read(bytes.NewReader(c.input), -1, Options{}); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestAllowTrailing accepts what may follow, and nothing else.
func TestAllowTrailing(t *testing.T) {
	bundle := zip(good(), 6)
	broken := bytes.Clone(bundle)
	broken[len(broken)-8]++
	padded := new(archive).member(Manifest, `{"a":1}`).header(Events, events).body(strings.Repeat("x", events) + "y").end()
	for name, c := range map[string]struct {
		input []byte
		want  string
	}{
		"after gzip":    {append(bytes.Clone(bundle), "ZZZZ"...), whole},
		"after the tar": {zip(append(good(), "ZZZZ"...), 6), whole},
		"in padding":    {zip(padded, 6), whole},
		"damage":        {append(broken, "ZZZZ"...), m + " " + e + " IntegrityGzip"},
	} {
		if got := read(bytes.NewReader(c.input), -1, Options{AllowTrailing: true}); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// TestLimits holds that each limit accepts what reaches it and refuses one more, for a file,
// whose size is known, and for a pipe.
func TestLimits(t *testing.T) {
	stored := zip(good(), 0)
	long := zip(new(archive).member("x", strings.Repeat("y", 300), kind(typeLongName)).member("x", "").end(), 6)
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
		{"path", long, pathBytes, 300, "ContractUnexpectedFile end", "LimitPathLength/max_path_len end"},
		{"path of a header", stored, pathBytes, 13, whole, "LimitPathLength/max_path_len LimitPathLength/max_path_len end"},
	} {
		for kind, size := range map[string]int64{"file": int64(len(c.input)), "pipe": -1} {
			opt := Options{AllowTrailing: true}
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
		{[]byte("hello"), "the input does not begin as gzip does, expected bytes 1f 8b, found 68 65 [IntegrityTar]", -1},
		{[]byte(magic + "\x08\xe0\x00\x00\x00\x00\x00\x00"), "the gzip header has reserved flags set, expected bits 5 to 7 clear, found flags 0xe0 [IntegrityTar]", -1},
		{zip(good(), 0)[:900], "the compressed data is cut: the input ends at byte 900 [IntegrityTar]", 885},
		{append(zip(good(), 0), 'Z'), fmt.Sprintf("the input goes on at byte %d, after the gzip member, expected its end, found 0x5a [ContractTrailingData]", len(zip(good(), 0))), -1},
		{zip(append(good(), 'Z'), 6), "a byte other than zero in what follows the tar's end, expected zeros, found 0x5a [ContractTrailingData]", 3584},
		{zip(new(archive).header(Manifest, 0, kind('2')).end(), 6), "the member manifest.json is no regular file, expected a regular file, found a symbolic link [ContractUnexpectedFile]", 0},
		{zip(new(archive).header(Manifest, 0, kind(0x1b)).end(), 6), `the member manifest.json is no regular file, expected a regular file, found type "\x1b" [ContractUnexpectedFile]`, 0},
		{zip(first().member("../\x1b[31m\n", "").end(), 6), `the path "../\x1b[31m\n" of a member leads out of the bundle [SecurityPathTraversal]`, 1024},
		{zip(first().header(Events, 0, edit(fieldSize, "\xff\xfe")).end(), 6), `the size in a tar header is no number that it can be, expected octal digits, or a number in base 256 that is not negative, found "\xff\xfe" [IntegrityTar]`, 1024},
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
