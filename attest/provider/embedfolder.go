package provider

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"io/fs"
	"log/slog"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/journal"
)

// FolderBytes limits a Cache's file: about 30,000 vectors of 1536 numbers. Beyond it, the older half is dropped.
const FolderBytes = 256 << 20

// vectorsFile has a line per vector:
//
//	{"key":"f8c6…19e5","vector":"AACAPwAAAEA=","crc32":"29dd52aa"}
//
// key is Cache.keyOf in hexadecimal, vector its little-endian 32-bit numbers in base64, crc32 the
// CRC-32 (IEEE) of both texts. Concurrent processes can add duplicates; the last counts.
const vectorsFile = "embeddings.jsonl"

// vectorsFormat limits a line, which fits 4,096 numbers.
var vectorsFormat = journal.Format{Name: "cache of vectors", First: `{"schema":"cupel.vectors/1"}`, MaxLine: 1 << 20}

// vectorsMode is private, because vectors allow guesses at the texts.
const vectorsMode fs.FileMode = 0o600

// folder stores vectors in a file for later runs and other processes. Errors only cost calls and are logged once.
// It is safe for concurrent use.
type folder struct {
	file *journal.File
	log  *slog.Logger
	warn sync.Once

	mu    sync.Mutex
	view  journal.View
	index vectorIndex
}

// openFolder opens or creates a folder with a file of at most max bytes.
func openFolder(ctx context.Context, dir string, max int64, log *slog.Logger) (*folder, error) {
	if err := door.MakeFolder(dir); err != nil {
		return nil, err
	}
	file, err := journal.Open(ctx, filepath.Join(dir, vectorsFile), vectorsFormat, max, vectorsMode)
	if err != nil {
		return nil, err
	}
	return &folder{file: file, log: log, index: vectorIndex{}}, nil
}

func (d *folder) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.view.Close()
}

// failed logs once that the folder cannot be used.
func (d *folder) failed(err error) {
	d.warn.Do(func() { d.log.Warn("vectors cannot be kept in cache_dir", "reason", err.Error()) })
}

// load sets flights' vectors from the folder and returns the remaining ones.
func (d *folder) load(flights []*flight) (rest []*flight) {
	d.mu.Lock()
	defer d.mu.Unlock()
	damaged, err := d.file.Refresh(&d.view, d.index)
	if err != nil {
		d.failed(err)
		return flights
	}
	if damaged > 0 {
		d.log.Warn("lines of cache_dir that are not vectors are skipped", "count", damaged)
	}
	for _, f := range flights {
		if f.vector = d.read(f.key); f.vector == nil {
			rest = append(rest, f)
		}
	}
	return rest
}

// read returns a vector, or nil if the stored one is missing or unusable.
func (d *folder) read(key vectorKey) []float32 {
	at, known := d.index[key]
	if !known {
		return nil
	}
	line := make([]byte, at.size)
	if _, err := d.view.ReadAt(line, at.offset); err != nil {
		d.failed(err)
		return nil
	}
	vector, ok := parseVector(line)
	if !ok || !sound(vector) {
		return nil
	}
	return vector
}

// keptAtOnce is the number of vectors that are written together.
const keptAtOnce = 128

func (d *folder) keep(ctx context.Context, flights []*flight) {
	var lines [][]byte
	for i, f := range flights {
		if line := vectorLine(f.key, f.vector); sound(f.vector) && len(line) <= vectorsFormat.MaxLine {
			lines = append(lines, line)
		}
		if len(lines) == keptAtOnce || i == len(flights)-1 {
			err := d.file.Append(ctx, lines)
			if ctx.Err() != nil {
				return // no longer needed
			}
			if err != nil {
				d.failed(err)
				return
			}
			lines = lines[:0]
		}
	}
}

// vectorIndex maps keys to lines of the file. It implements journal.Reader.
type vectorIndex map[vectorKey]lineAt

type lineAt struct {
	offset int64
	size   int
}

// maxIndex limits the known lines, because a file by other programs can have millions of short ones.
const maxIndex = 1 << 18

// Reset implements journal.Reader.
func (x vectorIndex) Reset() { clear(x) }

func (x vectorIndex) Take(line []byte, offset int64) (ok bool) {
	key, ok := keyIn(line)
	if !ok {
		return false
	}
	if len(x) == maxIndex {
		clear(x)
	}
	x[key] = lineAt{offset, len(line)}
	return true
}

// The parts of a line around the key, the vector and the checksum.
const (
	beforeKey    = `{"key":"`
	beforeVector = `","vector":"`
	beforeSum    = `","crc32":"`
	afterSum     = `"}`
)

func vectorLine(key vectorKey, vector []float32) []byte {
	numbers := make([]byte, 0, 4*len(vector))
	for _, x := range vector {
		numbers = binary.LittleEndian.AppendUint32(numbers, math.Float32bits(x))
	}
	line := hex.AppendEncode([]byte(beforeKey), key[:])
	line = base64.StdEncoding.AppendEncode(append(line, beforeVector...), numbers)
	sum := checksum(string(line))
	return append(append(line, beforeSum...), sum+afterSum+"\n"...)
}

// checksum returns the checksum of a line's key and vector, the text before beforeSum.
func checksum(text string) string {
	sum := strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(text))), 16)
	return strings.Repeat("0", 8-len(sum)) + sum
}

func keyIn(line []byte) (key vectorKey, ok bool) {
	const end = len(beforeKey) + 2*len(key)
	if len(line) < end || string(line[:len(beforeKey)]) != beforeKey {
		return key, false
	}
	_, err := hex.Decode(key[:], line[len(beforeKey):end])
	return key, err == nil
}

// parseVector reads a line without its end.
func parseVector(line []byte) (vector []float32, ok bool) {
	_, rest, _ := strings.Cut(string(line), beforeVector)
	text, tail, _ := strings.Cut(rest, beforeSum)
	signed := line[:max(0, len(line)-len(beforeSum)-len(tail))]
	numbers, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(numbers)%4 != 0 || tail != checksum(string(signed))+afterSum {
		return nil, false
	}
	for ; len(numbers) > 0; numbers = numbers[4:] {
		vector = append(vector, math.Float32frombits(binary.LittleEndian.Uint32(numbers)))
	}
	return vector, true
}
