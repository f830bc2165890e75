package transcript

import (
	"bytes"
	"io"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Repaired says what a repair did.
type Repaired struct {
	Records   int64   // that the copy has
	Recovered int64   // … of which had no line of their own
	Bytes     int64   // of the copy
	Faults    []Fault // what was mended, or left out
	Omitted   int     // faults beyond MaxFaults
}

// MaxFaults is how many faults a repair lists.
const MaxFaults = 1000

// Repair copies the records of a file of JSON lines to w, each on a line of its own: without
// broken tails, NUL bytes and lines of other programs. A record that needs no repair keeps its
// bytes. limits are those of one line. The error is that of reading or writing.
func Repair(r io.Reader, w io.Writer, name Format, limits strictjson.Limits) (Repaired, error) {
	p := &repair{w: w}
	scanner := strictjson.NewScanner(Limits(limits))
	m := &Mender{Format: name, Limits: limits, Record: p.recovered, Fault: p.fault}
	for l, err := range source.NewReader(r, limits.TextBytes).All() {
		if err != nil {
			return p.done, err
		}
		switch _, refused := scanner.Scan(l.Bytes); {
		case l.Blank():
		case l.Long || refused != nil:
			m.Line(l)
		default:
			if m.Holds() {
				m.Next(l.Bytes)
			}
			m.Records++
			p.write(l.Bytes)
		}
		if p.err != nil {
			return p.done, p.err
		}
	}
	m.End()
	return p.done, p.err
}

type repair struct {
	w    io.Writer
	done Repaired
	err  error
}

func (p *repair) recovered(at Place) {
	p.done.Recovered++
	p.write(at.Text)
}

func (p *repair) fault(f Fault) {
	if len(p.done.Faults) < MaxFaults {
		p.done.Faults = append(p.done.Faults, f)
		return
	}
	p.done.Omitted++
}

func (p *repair) write(record []byte) {
	if p.err != nil {
		return
	}
	p.done.Records++
	n, err := p.w.Write(append(bytes.Clone(record), '\n'))
	p.done.Bytes += int64(n)
	p.err = err
}

// RepairDocument copies a document that ends too early as far as its last whole element, and
// closes it. A document that is whole is copied up to its end. open opens the file, twice.
func RepairDocument(open func() (io.ReadCloser, error), w io.Writer, most int) (done Repaired, err error) {
	in, err := open()
	if err != nil {
		return done, err
	}
	d := NewDocument(in, most)
	start, end, closing := int64(0), int64(0), "{}"
	for {
		e, err := d.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			_ = in.Close() // opened for reading: nothing can be lost
			return done, err
		}
		done.Records++
		end, closing = e.Offset+int64(len(e.Text)), "}"
		if e.Index >= 0 {
			closing = "]}"
		}
	}
	_ = in.Close() // opened for reading: nothing can be lost
	if done.Faults = d.Faults; d.Whole {
		end, closing = d.end, ""
	}
	for _, f := range d.Faults {
		if f.Rule == "bom" {
			start = int64(len(byteOrderMark))
		}
	}
	if in, err = open(); err != nil {
		return done, err
	}
	defer func() { _ = in.Close() }() // opened for reading: nothing can be lost
	if _, err = io.CopyN(io.Discard, in, start); err == nil && end > start {
		done.Bytes, err = io.CopyN(w, in, end-start)
	}
	if err != nil {
		return done, err
	}
	n, err := io.WriteString(w, closing+"\n")
	done.Bytes += int64(n)
	return done, err
}
