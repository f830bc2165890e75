package page

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
)

// Document is the view of a text with findings as margin notes.
type Document struct {
	Rows  []DocumentRow
	Lines int // of the text
	Away  int // findings on lines not shown

	shown map[int]bool
}

// DocumentRow is a line, or a placeholder for lines not shown.
type DocumentRow struct {
	Line   int
	Last   int // last of the skipped lines; 0 for a line
	Pieces []Piece
	Room   int // rows that its notes can occupy, at most noteRows
}

// Piece is a part of a line. Mark is the class of a highlighted part, else "".
type Piece struct{ Text, Mark string }

// The limits of a document's view.
const (
	wholeLines   = 500     // longest text shown whole
	contextLines = 8       // context around a finding
	maxLines     = 4_000   // total lines
	maxDocument  = 1 << 20 // total bytes
	maxLine      = 1_000   // bytes per line
	beforeMark   = 200     // context before the first mark of a longer line
	maxMarks     = 100     // marks per line
	spannedLines = 20      // marked lines per finding
	noteRows     = 6
)

// Text gives access to lines and columns, both counted from 1; columns are code points.
type Text interface {
	Count() int
	Line(number int) string
	Offset(number, column int) int // byte offset within the line
}

// NewDocument returns the view of a text and its findings.
func NewDocument(text Text, list []finding.Finding) *Document {
	d := &Document{Lines: text.Count(), shown: map[int]bool{}}
	marks := map[int][]span{}
	for i := range list {
		markLines(marks, text, &list[i])
	}
	if _, noted := marks[d.Lines]; !noted && d.Lines > 1 && text.Line(d.Lines) == "" {
		d.Lines-- // the empty rest after the last line break
	}
	room, next := maxDocument, 1
	for _, around := range d.shownRanges(marks) {
		for number := around[0]; number <= around[1] && room > 0 && len(d.shown) < maxLines; number++ {
			d.skip(next, number-1)
			pieces, size := piecesOf(text.Line(number), marks[number])
			d.Rows, d.shown[number] = append(d.Rows, DocumentRow{Line: number, Pieces: pieces}), true
			room, next = room-size, number+1
		}
	}
	d.skip(next, d.Lines)
	for i := range list {
		if list[i].Line > 0 && !d.shown[list[i].Line] {
			d.Away++
		}
	}
	d.makeRoom(list)
	return d
}

// skip adds a placeholder for lines not shown.
func (d *Document) skip(from, to int) {
	if from <= to {
		d.Rows = append(d.Rows, DocumentRow{Line: from, Last: to})
	}
}

func (d *Document) shownRanges(marks map[int][]span) (ranges [][2]int) {
	if d.Lines <= wholeLines {
		return [][2]int{{1, d.Lines}}
	}
	for _, number := range slices.Sorted(maps.Keys(marks)) {
		from, to := max(1, number-contextLines), min(d.Lines, number+contextLines)
		if last := len(ranges) - 1; last >= 0 && from <= ranges[last][1]+1 {
			ranges[last][1] = to
			continue
		}
		ranges = append(ranges, [2]int{from, to})
	}
	return ranges
}

// makeRoom computes how many rows each row's notes can occupy.
func (d *Document) makeRoom(list []finding.Finding) {
	noted := map[int]bool{}
	for i := range list {
		noted[list[i].Line] = true
	}
	free := noteRows // also after the last line
	for i := range slices.Backward(d.Rows) {
		row := &d.Rows[i]
		free++
		row.Room = min(free, noteRows)
		if noted[row.Line] || row.Last > 0 {
			free = 0
		}
	}
}

// Kind implements [View].
func (d *Document) Kind() string { return "document" }

// Place implements [Placer].
func (d *Document) Place(line int) string {
	if !d.shown[line] {
		return ""
	}
	return "l" + strconv.Itoa(line)
}

// span is a marked byte range of a line.
type span struct {
	start, end int
	severity   finding.Severity
}

// markLines marks the lines of a finding that has a column.
func markLines(marks map[int][]span, text Text, f *finding.Finding) {
	for number := f.Line; number > 0 && number <= text.Count() && number < f.Line+spannedLines; number++ {
		if _, noted := marks[number]; !noted {
			marks[number] = nil
		}
		if f.Column == 0 || len(marks[number]) == maxMarks {
			return
		}
		line := text.Line(number)
		s := span{0, len(line), f.Severity}
		if number == f.Line {
			s.start = text.Offset(number, f.Column)
		}
		ends := number >= f.EndLine
		if ends {
			s.end = max(s.start, text.Offset(number, max(f.EndColumn, 1)))
			if number == f.Line && s.end == s.start && s.start < len(line) {
				_, size := utf8.DecodeRuneInString(line[s.start:])
				s.end += size
			}
		}
		if s.end > s.start {
			marks[number] = append(marks[number], s)
		}
		if ends {
			return
		}
	}
}

// piecesOf splits a line at its marks; of overlapping marks the most severe wins. Long lines are
// cut around the first mark.
func piecesOf(line string, marks []span) (pieces []Piece, size int) {
	from, to := window(line, marks)
	cuts := []int{from, to}
	for _, m := range marks {
		for _, at := range [2]int{m.start, m.end} {
			if from < at && at < to {
				cuts = append(cuts, at)
			}
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if from > 0 {
		pieces = append(pieces, Piece{Text: "…"})
	}
	for i := range len(cuts) - 1 {
		mark := ""
		worst := finding.Severity(0)
		for _, m := range marks {
			if m.start <= cuts[i] && cuts[i+1] <= m.end && (mark == "" || m.severity > worst) {
				mark, worst = m.severity.String(), m.severity
			}
		}
		pieces = append(pieces, Piece{line[cuts[i]:cuts[i+1]], mark})
	}
	if to < len(line) {
		pieces = append(pieces, Piece{Text: "…"})
	}
	return pieces, to - from + 1
}

// window returns the part of a line to show.
func window(line string, marks []span) (from, to int) {
	if len(line) <= maxLine {
		return 0, len(line)
	}
	if len(marks) > 0 {
		first := slices.MinFunc(marks, func(a, b span) int { return cmp.Compare(a.start, b.start) })
		from = max(0, min(first.start-beforeMark, len(line)-maxLine))
	}
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	for to = min(len(line), from+maxLine); to < len(line) && !utf8.RuneStart(line[to]); {
		to--
	}
	return from, to
}
