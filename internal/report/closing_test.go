package report

import "testing"

func TestClosing(t *testing.T) {
	for _, c := range []struct {
		tally Tally
		end   RunResult
		want  string
	}{
		{Tally{Noun: "file", Total: 48}, RunResult{}, "passed: 48 files"},
		{Tally{Noun: "file", Total: 1, Warnings: 1}, RunResult{}, "passed: 1 file, 1 warning"},
		{Tally{Noun: "file", Total: 48, Failed: 17, Errors: 59, Warnings: 3}, RunResult{No: true}, "failed: 17 of 48 files, 59 errors, 3 warnings"},
		{Tally{Noun: "file", Total: 48, Warnings: 3}, RunResult{No: true}, "failed: 48 files, 0 errors, 3 warnings"},
		{Tally{Noun: "file", Total: 48, Unread: 2}, RunResult{Failed: true}, "error: 2 of 48 files could not be read"},
		{Tally{Noun: "file", Total: 48, Unread: 2, Failed: 1, Errors: 4}, RunResult{No: true, Failed: true}, "error: 2 of 48 files could not be read, 1 failed, 4 errors"},
		{Tally{Noun: "file", Empty: 1}, RunResult{Failed: true}, "error: nothing to check in 1 path"},
		{Tally{Noun: "file", Total: 3, Unread: 1, Empty: 2}, RunResult{Failed: true}, "error: 1 of 3 files could not be read, nothing to check in 2 paths"},
		{Tally{Noun: "trace", Rest: "2 files skipped"}, RunResult{Failed: true}, "error: could not check everything; 2 files skipped"},
		{Tally{Noun: "file", Total: 1}, RunResult{Failed: true, Interrupted: true}, "interrupted: 1 file read, 0 errors, 0 warnings"},
		{
			Tally{Noun: "file", Total: 3, Failed: 1, Errors: 2, Warnings: 1},
			RunResult{No: true, Failed: true, Interrupted: true},
			"interrupted: 3 files read, 1 failed, 2 errors, 1 warning",
		},
	} {
		if got := c.tally.Closing(c.end); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
