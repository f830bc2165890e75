package report

import "testing"

func TestClosing(t *testing.T) {
	for _, c := range []struct {
		tally      Tally
		failed, no bool
		want       string
	}{
		{Tally{Noun: "file", Total: 48}, false, false, "passed: 48 files"},
		{Tally{Noun: "file", Total: 1, Warnings: 1}, false, false, "passed: 1 file, 1 warning"},
		{Tally{Noun: "file", Total: 48, Failed: 17, Errors: 59, Warnings: 3}, false, true, "failed: 17 of 48 files, 59 errors, 3 warnings"},
		{Tally{Noun: "file", Total: 48, Warnings: 3}, false, true, "failed: 48 files, 0 errors, 3 warnings"},
		{Tally{Noun: "file", Total: 48, Unread: 2}, true, false, "error: 2 of 48 files could not be read"},
		{Tally{Noun: "file", Total: 48, Unread: 2, Failed: 1, Errors: 4}, true, true, "error: 2 of 48 files could not be read, 1 failed, 4 errors"},
		{Tally{Noun: "trace", Rest: "2 files skipped"}, true, false, "error: could not check everything; 2 files skipped"},
	} {
		if got := c.tally.Closing(c.failed, c.no); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
