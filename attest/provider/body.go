package provider

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/cupel-dev/cupel/internal/budget"
)

const (
	// MaxBody is the number of bytes of a body that are read.
	MaxBody = 8 << 20

	maxErrorBody = 64 << 10

	// freeBody is the body size that needs no slot; largeBodies is the number of larger ones in memory at a time.
	freeBody    = 256 << 10
	largeBodies = 2
)

type badBody struct {
	problem  string
	tooLarge bool
}

func (e *badBody) Error() string { return e.problem }

type bodies struct{ large *budget.Budget }

func newBodies() *bodies { return &bodies{budget.New(largeBodies)} }

// read reads the whole body and replaces resp.Body by it. A successful reply must pass check.
func (b *bodies) read(ctx context.Context, resp *http.Response, check func([]byte) error) error {
	arriving := resp.Body
	defer func() { _ = arriving.Close() }()
	good := resp.StatusCode < http.StatusMultipleChoices
	if !good {
		text, err := io.ReadAll(io.LimitReader(arriving, maxErrorBody))
		resp.Body = io.NopCloser(bytes.NewReader(text))
		return err
	}
	if resp.ContentLength > MaxBody {
		return excess()
	}
	text, err := io.ReadAll(io.LimitReader(arriving, freeBody))
	if err != nil {
		return err
	}
	body := &turn{}
	if len(text) == freeBody {
		if text, err = b.rest(ctx, text, arriving, body); err != nil {
			return err
		}
	}
	if err := check(text); err != nil {
		_ = body.Close()
		return &badBody{problem: err.Error()}
	}
	body.Reader = bytes.NewReader(text)
	resp.Body = body
	return nil
}

// rest reads the part of a body beyond freeBody, when it gets a slot.
func (b *bodies) rest(ctx context.Context, text []byte, arriving io.Reader, body *turn) ([]byte, error) {
	drawn, err := b.large.Draw(ctx, 1)
	if err != nil {
		return nil, err
	}
	body.end = func() { b.large.GiveBack(drawn) }
	all := bytes.NewBuffer(text)
	_, err = io.Copy(all, io.LimitReader(arriving, MaxBody-freeBody+1))
	if err == nil && all.Len() > MaxBody {
		err = excess()
	}
	if err != nil {
		_ = body.Close()
		return nil, err
	}
	return all.Bytes(), nil
}

func excess() error {
	return &badBody{problem: fmt.Sprintf("a reply of more than %d bytes", MaxBody), tooLarge: true}
}

// turn is a body that releases its slot when closed.
type turn struct {
	*bytes.Reader
	end  func() // nil: it needed none
	once sync.Once
}

func (t *turn) Close() error {
	if t.end != nil {
		t.once.Do(t.end)
	}
	return nil
}
