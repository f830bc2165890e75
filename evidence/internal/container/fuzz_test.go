package container

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
)

// small are limits that a fuzzer's inputs reach.
var small = evidence.Limits{BundleBytes: 64 << 10, DecodeBytes: 256 << 10, ManifestBytes: 4 << 10, EventsBytes: 64 << 10, PathBytes: 64}

// FuzzGzip holds that no input panics, that a source's portions do not matter, that an
// answer stays within the limits, and that what reads to a clean end is what another
// implementation inflates too.
func FuzzGzip(f *testing.F) {
	for _, level := range []int{0, 6} {
		f.Add(zip(good(), level))
	}
	f.Add([]byte(magic + "\x08\x1e\x00\x00\x00\x00\x02\xff\x01\x00xname\x00comment\x00cc"))
	for _, text := range shared(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		opt := Options{Limits: small}
		want := everything(opt, bytes.NewReader(input), 512)
		if got := everything(opt, &steps{bytes.NewReader(input), 3}, 7); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if got := read(bytes.NewReader(input), int64(len(input)), opt); strings.HasSuffix(got, "end") {
			if _, err := inflate(input); err != nil {
				t.Errorf("%s, and the other inflater says: %v", got, err)
			}
		}
		within(t, input, opt)
	})
}

// FuzzTar checks the same for the content of a whole gzip member.
func FuzzTar(f *testing.F) {
	f.Add(good())
	f.Add(new(archive).member("x", paxBody("path="+Manifest, "size=3"), kind(typeExtended)).member("x", "{}\n").end())
	f.Add(new(archive).member("x", Manifest+"\x00", kind(typeLongName)).member("x", "{}\n").end())
	f.Add(new(archive).header(Manifest, 0, edit(fieldSize, "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02")).body("{}").end())
	f.Fuzz(func(t *testing.T, text []byte) {
		// A changed header has the checksum that it needs to be read further.
		for at := 0; at+blockBytes <= len(text); at += blockBytes {
			b := (*block)(text[at:])
			if string(b.of(field{fieldMagic.start, 5})) == "ustar" {
				b.putOctal(fieldChecksum, b.sum())
			}
		}
		input, opt := zip(text, 0), Options{Limits: small}
		want := everything(opt, bytes.NewReader(input), 512)
		if got := everything(opt, bytes.NewReader(zip(text, 6)), 100); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		within(t, input, opt)
	})
}

// within holds that what a reader hands on is within the limits.
func within(t *testing.T, input []byte, opt Options) {
	r := NewReader(bytes.NewReader(input), -1, opt)
	most := map[string]int64{Manifest: small.ManifestBytes, Events: small.EventsBytes}
	for {
		m, err := r.Next()
		var fault *Fault
		if errors.As(err, &fault) && !fault.Final {
			continue
		}
		if err != nil {
			break
		}
		n, _ := io.Copy(io.Discard, m)
		if n > most[m.Name] || n > m.Size || m.Cut() != (n < m.Size && r.err == nil) {
			t.Errorf("%s has %d bytes of %d, cut: %v", m.Name, n, m.Size, m.Cut())
		}
		delete(most, m.Name) // a name comes once
	}
	if r.tar.read > small.DecodeBytes || r.source.read > small.BundleBytes {
		t.Errorf("%d bytes of the source, %d decompressed", r.source.read, r.tar.read)
	}
}
