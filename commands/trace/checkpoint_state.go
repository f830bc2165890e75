package tracecmd

import (
	"context"
	"encoding/json"
	"io"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/internal/checkpoint"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
)

// updateCheckpointState changes a state file while no other process does: it is read under a lock, and replaced as a
// whole. Without an error, the new state is on the disk.
func updateCheckpointState(ctx context.Context, side app.SideFile, name string, change func(*checkpoint.State) error) error {
	file, err := door.OpenLedger(name, 0o600)
	if err != nil {
		return say.Plain(err)
	}
	err = file.Write(ctx, func(held door.Held) error {
		size, err := held.Size()
		if err != nil {
			return err
		}
		text := make([]byte, min(size, int64(side.Limit)+1))
		if _, err := held.ReadAt(text, 0); err != nil && err != io.EOF {
			return err
		}
		s, err := checkpoint.ParseState(text)
		if err != nil {
			return side.Unfit(name, err)
		}
		if err := change(&s); err != nil {
			return err
		}
		if text, err = json.MarshalIndent(s, "", "  "); err != nil {
			return err
		}
		return held.Replace(ctx, func(w io.Writer) error {
			_, err := w.Write(append(text, '\n'))
			return err
		})
	})
	return say.Plain(err)
}
