package transcript

import (
	"bytes"
	"io"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Repaired is the result of a repair.
type Repaired struct {
	Records   int64   // in the copy
	Recovered int64   // of those, records without a separate line
	Bytes     int64   // of the copy
	Faults    []Fault // repaired or dropped
	Omitted   int     // faults beyond MaxFaults
}

// MaxFaults limits the faults listed by a repair.
const MaxFaults = 1000

// Repair copies the records of a JSON lines file to w, one per line, without truncated records, NUL
// bytes and other programs' lines. Undamaged records keep their bytes. limits apply per line.
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

// RepairDocument copies a truncated document up to its last complete element and closes it. A
// complete document is copied up to its end. open is called twice.
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
