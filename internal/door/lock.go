package door

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/cupel-dev/cupel/internal/say"
)

// Owner is the process that holds a Lock.
type Owner struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host,omitempty"`
	Since time.Time `json:"since"`
}

// LockedError reports that another process holds a Lock.
type LockedError struct {
	Name  string // path of the lock
	Owner *Owner // nil if unknown
	Age   time.Duration
}

func (e *LockedError) Error() string {
	if e.Owner == nil {
		return fmt.Sprintf("another process holds the lock %s", say.Quoted(e.Name))
	}
	at := ""
	if own, err := os.Hostname(); err == nil && e.Owner.Host != own && e.Owner.Host != "" {
		at = " on " + say.Quoted(e.Owner.Host)
	}
	return fmt.Sprintf("process %d%s has held the lock %s for %s", e.Owner.PID, at, say.Quoted(e.Name), e.Age)
}

// Lock is an exclusive lock on a file that only serves as the lock and names its owner. The system releases it when
// the process ends.
type Lock struct {
	name string
	file File
}

// Acquire takes a lock, whose file is created if necessary. It waits for the current owner up to the given time,
// then returns a *LockedError. stale is the owner that ended without releasing it, or nil.
func Acquire(ctx context.Context, name string, wait time.Duration) (lock *Lock, stale *Owner, err error) {
	ledger, err := OpenLedger(name, 0o600)
	if err != nil {
		return nil, nil, err
	}
	waiting, cancel := context.WithTimeoutCause(ctx, max(wait, time.Millisecond), errLocked)
	defer cancel()
	for {
		f, err := ledger.Open()
		if err != nil {
			return nil, nil, err
		}
		before := owner(f)
		if err = ledger.lock(waiting, f); err == nil {
			l := &Lock{name, f}
			before = owner(f) // it could have changed meanwhile
			if err := l.sign(); err != nil {
				return nil, nil, errors.Join(err, f.Close())
			}
			return l, before, nil
		}
		_ = f.Close() // nothing was written
		switch {
		case errors.Is(err, errReplaced) && waiting.Err() == nil:
			continue
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case errors.Is(err, errLocked), errors.Is(err, errReplaced):
			locked := &LockedError{Name: name, Owner: before}
			if before != nil {
				locked.Age = time.Since(before.Since).Round(time.Second)
			}
			return nil, nil, locked
		}
		return nil, nil, err
	}
}

// maxOwner limits the file of a lock.
const maxOwner = 4 << 10

// owner returns the owner that a lock's file names, or nil.
func owner(f File) *Owner {
	text := make([]byte, maxOwner)
	n, err := f.ReadAt(text, 0)
	o := new(Owner)
	if err != nil && err != io.EOF || json.Unmarshal(text[:n], o) != nil {
		return nil
	}
	return o
}

// sign writes this process into the lock's file.
func (l *Lock) sign() error {
	host, _ := os.Hostname() // it is only for messages
	text, err := json.Marshal(Owner{os.Getpid(), host, time.Now().UTC().Round(0)})
	if err == nil {
		err = l.file.Truncate(0)
	}
	if err == nil {
		_, err = l.file.Write(append(text, '\n'))
	}
	return named("write", l.name, err)
}

// Release releases the lock and removes its file, where the system permits it while the file is open.
func (l *Lock) Release() error {
	err := l.file.Truncate(0)
	_ = system.Remove(l.name) // a file without an owner does not matter
	return named("release", l.name, errors.Join(err, l.file.Close()))
}
