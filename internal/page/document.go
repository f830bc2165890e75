package page

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
)

// Document is a text with the findings about it as notes in its margin.
type Document struct {
	Rows  []DocumentRow
	Lines int // of the text
	Away  int // findings on lines that are not shown

	shown map[int]bool
}

// DocumentRow is a line of the text, or what stands for lines that are not shown.
type DocumentRow struct {
	Line   int
	Last   int // of the lines that are not shown; 0: it is a line
	Pieces []Piece
	Room   int // rows that its notes may take beside the text, at most noteRows
}

// Piece is a part of a text; Mark is what it is marked as, "" for what is not.
type Piece struct{ Text, Mark string }

// The limits of a document's view.
const (
	wholeLines   = 500     // of a text that is shown whole
	contextLines = 8       // around a finding, in a longer one
	maxLines     = 4_000   // in all
	maxDocument  = 1 << 20 // bytes, in all
	maxLine      = 1_000   // bytes of a line
	beforeMark   = 200     // of them before the first mark, in a longer line
	maxMarks     = 100     // of a line
	spannedLines = 20      // of a finding that are marked
	noteRows     = 6
)

// Text is a text in lines, counted from 1 as findings count them, and columns, which count
// code points from 1.
type Text interface {
	Count() int
	Line(number int) string
	Offset(number, column int) int // the byte of the line
}

// NewDocument is the view of a text and what was found in it.
func NewDocument(text Text, list []finding.Finding) *Document {
	d := &Document{Lines: text.Count(), shown: map[int]bool{}}
	marks := map[int][]span{}
	for i := range list {
		markLines(marks, text, &list[i])
	}
	if _, noted := marks[d.Lines]; !noted && d.Lines > 1 && text.Line(d.Lines) == "" {
		d.Lines-- // what follows the last line break
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

// skip puts a row in the place of lines that are not shown.
func (d *Document) skip(from, to int) {
	if from <= to {
		d.Rows = append(d.Rows, DocumentRow{Line: from, Last: to})
	}
}

// shownRanges are the first and the last line of each part that is worth showing.
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

// makeRoom says how many rows the notes of each row may take before those of another begin.
func (d *Document) makeRoom(list []finding.Finding) {
	noted := map[int]bool{}
	for i := range list {
		noted[list[i].Line] = true
	}
	free := noteRows // behind the last line, too
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

// span is a marked part of a line, in bytes.
type span struct {
	start, end int
	severity   finding.Severity
}

// markLines marks the lines of a finding. One without a column marks nothing of its line.
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

// piecesOf parts a line at its marks; of two that overlap the more severe one shows. A long
// line is cut to what is around its first mark.
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

// window is the part of a line that is shown.
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
