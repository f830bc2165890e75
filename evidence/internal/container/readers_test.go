package container

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// mutantsVariable names the environment variable with the number of mutants that
// TestOneReading makes.
const mutantsVariable = "CUPEL_MUTANTS"

// TestOneReading holds that a bundle that is valid here is read by GNU tar, bsdtar and Python's
// tarfile as the same two files. It changes headers and the gzip framing of a good bundle, and
// asks the programs that are installed about each one that is valid here.
func TestOneReading(t *testing.T) {
	mutants, asked := 2000, 60 // how many valid ones the programs unpack, of which each takes a process
	if text := os.Getenv(mutantsVariable); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		mutants, asked = n, n
	}
	python := startPython(t)
	programs := []string{}
	for _, program := range []string{"tar", "bsdtar"} {
		if path, err := exec.LookPath(program); err == nil {
			programs = append(programs, path)
		} else {
			t.Logf("%s is not installed: nothing is compared with it", program)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	valid, unpacked := 0, map[string]bool{}
	for range mutants {
		input, what := mutant(random)
		if read(bytes.NewReader(input), -1, Options{}) != whole {
			continue
		}
		valid++
		if got := python.read(t, input); got != "" {
			t.Errorf("%s: valid here, Python's tarfile: %s", what, got)
		}
		if unpacked[what] || len(unpacked) >= asked {
			continue
		}
		unpacked[what] = true
		for _, program := range programs {
			if got := unpack(t, program, input); got != "" {
				t.Errorf("%s: valid here, %s: %s", what, program, got)
			}
		}
	}
	if valid == 0 || valid == mutants {
		t.Errorf("%d of %d mutants are valid", valid, mutants)
	}
	t.Logf("%d of %d mutants are valid; %d of them were unpacked by %v", valid, mutants, len(unpacked), programs)
}

// values are what a field of a header is changed to, cut to its size.
var values = []string{
	"", "0", "0000644\x00", "0000000\x00", "0000644 ", "00000017\x00", "00000001356\x00", "00000001356 ", "000000001356", "0000001356\x00", "00000000007\x00",
	"       1356\x00", "1356\x00", "-0000000001\x00", "+0000001356\x00", "0x000000001\x00", "\x00", " ", "        ", "            ", "00000001356\x01", "99999999999\x00",
	"\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\xee", "\x80\x00\x00\x00\x00\x00\x00\x01", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
	"\x80\x00\x00\x00\x00\x00\x00\x00\x7f\xff\xff\xff", "77777777777\x00", "7777777\x00", "0040755\x00", "0120777\x00", "0100644\x00",
	"zzz", "0 0", "12\x0034", "a", "manifest.json", "manifest.json\x00x", "events.ndjson", "events.ndjson/", "./events.ndjson", "x\x00", "/etc/passwd", "\x00x", "é", "\xff\xfe",
	magicUstar, magicGNU, "ustar\x00\x00\x00", "ustar", "tar\x00", "assay",
}

// mutant returns a good bundle with one or two things changed, and what.
func mutant(random *rand.Rand) (input []byte, what string) {
	tar := bytes.Clone(good())
	second := 2 * blockBytes // after the manifest's header and its one block
	prefix := []byte(nil)
	var done []string
	note := func(format string, args ...any) { done = append(done, fmt.Sprintf(format, args...)) }
	pick := func(n int) int { return random.IntN(n) }
	flags, extra, tail := byte(0), "", ""
	for range 1 + pick(2) {
		at := second * pick(2)
		b := (*block)(tar[at:])
		switch pick(12) {
		case 0, 1, 2, 3:
			fields := []field{fieldName, fieldMode, fieldUID, fieldGID, fieldSize, fieldTime, fieldType, fieldLink, fieldMagic, fieldUname, fieldGname, fieldMajor, fieldMinor, fieldRest}
			f, v := fields[pick(len(fields))], values[pick(len(values))]
			edit(f, v)(b)
			note("header %d, bytes %d to %d: %q", at, f.start, f.start+f.size, v)
		case 4, 5:
			i, c := pick(blockBytes), byte(pick(256))
			b[i] = c
			note("header %d, byte %d: %#x", at, i, c)
		case 6:
			i, bit := pick(blockBytes), byte(1)<<pick(8)
			b[i] ^= bit
			note("header %d, byte %d: bit %#x", at, i, bit)
		case 7:
			kinds := []byte("xgLKVNSMD012345678 A")
			k, text := kinds[pick(len(kinds))], values[pick(len(values))]
			if pick(2) == 0 {
				text = paxBody([]string{"path=" + Events, "path=x", "size=750", "size=7", "size=-1", "mtime=1.5", "GNU.sparse.name=x", "GNU.sparse.realsize=3", "linkpath=x"}[pick(9)])
			}
			prefix = new(archive).member("x", text, kind(k)).Bytes()
			note("first a member of type %q: %q", k, text)
		case 8:
			n := pick(3*blockBytes + 1)
			if pick(2) == 0 {
				n = []int{0, blockBytes, 2 * blockBytes, 3 * blockBytes}[pick(4)]
			}
			tar = tar[:len(tar)-n]
			if len(tar) < second+blockBytes {
				tar = good()
			}
			note("%d bytes cut off", n)
		case 9:
			more := []string{"\x00", strings.Repeat("\x00", 512), strings.Repeat("\x00", 10000), "x", string(good()), new(archive).member("evil", "x").String()}[pick(6)]
			tar = append(tar, more...)
			note("%d bytes more in the tar", len(more))
		case 10:
			flags = byte(pick(256))
			if pick(2) == 0 {
				flags &= 1 | hasExtra | hasName | hasComment
			}
			extra = []string{"", "\x00", "\x03\x00abc", "name\x00", "\x03\x00abcname\x00comment\x00", "\xff\xff"}[pick(6)]
			note("gzip flags %#x, %q", flags, extra)
		case 11:
			tail = []string{"\x00", "x", magic, string(zip(good(), 1)), string(zip(nil, 1)), strings.Repeat("\x00", 600)}[pick(6)]
			note("%d bytes after gzip", len(tail))
		}
	}
	for _, at := range []int{0, second} {
		if at+blockBytes > len(tar) {
			continue
		}
		b := (*block)(tar[at:])
		if sum := []string{fmt.Sprintf("%06o\x00 ", b.sum()), fmt.Sprintf("%07o\x00", b.sum()), fmt.Sprintf("%6o \x00", b.sum()), fmt.Sprintf("%8o", b.sum())}; pick(20) > 0 {
			s := sum[pick(len(sum))]
			if pick(3) > 0 {
				s = sum[0]
			}
			copy(b.of(fieldChecksum), s)
		}
	}
	gz := zip(append(prefix, tar...), 6)
	gz[3] = flags
	out := append(append(bytes.Clone(gz[:headerBytes]), extra...), gz[headerBytes:]...)
	return append(out, tail...), strings.Join(done, "; ")
}

// unpack unpacks a bundle with a program, and says what is wrong with the outcome; "" for the
// two files of a good bundle.
func unpack(t *testing.T, program string, input []byte) string {
	folder := t.TempDir()
	cmd := exec.Command(program, "-xzf", "-", "-C", folder)
	cmd.Stdin = bytes.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Sprintf("%v: %s", err, out)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		_ = os.Chmod(filepath.Join(folder, entry.Name()), 0o600)
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s:%d", entry.Name(), len(text)))
	}
	if list := strings.Join(got, " "); list != e+" "+m {
		return list
	}
	return ""
}

// pythonReader is a Python that reads bundles, one after another: each with its length before.
type pythonReader struct {
	in  io.Writer
	out *bufio.Reader
}

const pythonProgram = `
import sys, struct, io, tarfile, json
while True:
    head = sys.stdin.buffer.read(4)
    if len(head) < 4: break
    data = sys.stdin.buffer.read(struct.unpack('>I', head)[0])
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode='r:gz') as t:
            said = ' '.join('%s:%d' % (m.name, len(t.extractfile(m).read())) if m.isreg() else 'no file ' + m.name for m in t.getmembers())
    except Exception as x:
        said = '%s: %s' % (type(x).__name__, x)
    sys.stdout.write(json.dumps(said) + '\n'); sys.stdout.flush()
`

func startPython(t *testing.T) *pythonReader {
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Log("python3 is not installed: nothing is compared with its tarfile")
		return nil
	}
	cmd := exec.Command(path, "-c", pythonProgram)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	return &pythonReader{in, bufio.NewReader(out)}
}

// read says what Python makes of a bundle; "" for the two files of a good one.
func (p *pythonReader) read(t *testing.T, input []byte) string {
	if p == nil {
		return ""
	}
	if _, err := p.in.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(input))), input...)); err != nil {
		t.Fatal(err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var said string
	if err := json.Unmarshal(line, &said); err != nil {
		t.Fatal(err)
	}
	if said == m+" "+e {
		return ""
	}
	return said
}
