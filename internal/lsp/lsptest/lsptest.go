// Package lsptest runs scripts of language server sessions:
//
//	# a comment
//	> {"id":1,"method":"shutdown"}
//	< {"id":1,"result":null}
//	raw "Content-Length: many\r\n\r\n"
//	ends
//
// Lines with > are sent; lines with < are the expected messages; both omit jsonrpc. raw sends bytes
// and ends closes the client's side.
package lsptest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience limits the time of a script.
const patience = 2 * time.Minute

// Play runs a script against a server and returns it with the actual messages. If update is set, it does not compare
// them.
func Play(t *testing.T, script string, update bool, serve func(r io.Reader, w io.Writer)) string {
	t.Helper()
	c := Start(serve)
	var played strings.Builder
	heard := 0
	for n, line := range strings.SplitAfter(script, "\n") {
		var err error
		verb, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		said := ""
		switch verb {
		case ">":
			err = c.Send(rest)
		case "raw":
			var text string
			if text, err = strconv.Unquote(rest); err == nil {
				err = c.Raw(text)
			}
		case "ends":
			err = c.End()
		case "<":
			heard++
			if said, err = c.Next(); err == nil && !update && said != rest {
				t.Errorf("line %d:\n got %s\nwant %s", n+1, said, rest)
			}
			line = "< " + said + "\n"
		}
		if err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		played.WriteString(line)
	}
	if rest := c.Rest(); len(rest) > 0 {
		t.Errorf("the server sends more: %s", rest)
	}
	if heard == 0 {
		t.Error("the server is not asked for anything")
	}
	return played.String()
}

type Client struct {
	in    *io.PipeWriter
	out   *bufio.Reader
	ended chan struct{} // closed when the server returns
	watch *time.Timer
}

// Start starts a server and its client.
func Start(serve func(r io.Reader, w io.Writer)) *Client {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &Client{in: inW, out: bufio.NewReader(outR), ended: make(chan struct{})}
	go func() {
		serve(inR, outW)
		_ = inR.Close()
		_ = outW.Close()
		close(c.ended)
	}()
	c.watch = time.AfterFunc(patience, func() {
		late := fmt.Errorf("nothing has come for %v", patience)
		_, _ = inW.CloseWithError(late), outR.CloseWithError(late)
	})
	return c
}

// Send sends a message, without jsonrpc.
func (c *Client) Send(message string) error {
	text := `{"jsonrpc":"2.0",` + strings.TrimPrefix(message, "{")
	return c.Raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text))
}

// Raw sends bytes. It ignores an error after the server has ended.
func (c *Client) Raw(text string) error {
	_, err := io.WriteString(c.in, text)
	if err == io.ErrClosedPipe {
		return nil
	}
	return err
}

// End closes the client's side.
func (c *Client) End() error { return c.in.Close() }

// Next returns the next message of the server, without jsonrpc.
func (c *Client) Next() (string, error) {
	header, err := c.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("the server sends nothing more: %w", err)
	}
	size, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(header, "Content-Length: "), "\r\n"))
	if err != nil {
		return "", fmt.Errorf("%q is no header", header)
	}
	text := make([]byte, len("\r\n")+size)
	if _, err := io.ReadFull(c.out, text); err != nil {
		return "", err
	}
	text, ok := bytes.CutPrefix(text, []byte("\r\n"+`{"jsonrpc":"2.0",`))
	if !ok || !json.Valid(append([]byte("{"), text...)) {
		return "", fmt.Errorf("%.200q is no message", text)
	}
	return "{" + string(text), nil
}

// Rest ends the client, waits for the server and returns the remaining output.
func (c *Client) Rest() []byte {
	_ = c.End()
	rest, _ := io.ReadAll(c.out)
	<-c.ended
	c.watch.Stop()
	return rest
}
