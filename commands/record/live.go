package recordcmd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/say"
)

// live are the flags of recordings of a running agent.
type live struct {
	mcp     bool
	otlp    string
	maxBody int64
}

func (l *live) flags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "mcp", Category: "Agents", Destination: &l.mcp, Usage: "run the MCP server COMMAND on standard input and output, and record the messages in both directions"},
		&cli.StringFlag{Name: "otlp", Category: "Agents", Destination: &l.otlp, Usage: "record the spans and log records that OpenTelemetry exporters send to a loopback `ADDRESS`, such as 127.0.0.1:4318"},
		&cli.Int64Flag{Name: "max-body", Category: "Limits", Value: defaultMaxBody, Destination: &l.maxBody, Usage: "largest request of --otlp in `BYTES`, after decompression"},
	}
}

// mistake returns a mistake of the flags and operands.
func (l *live) mistake(operands []string, from string) error {
	switch {
	case l.mcp && l.otlp != "":
		return &cmdline.UsageError{Message: "--mcp and --otlp are different recordings", Hint: cmdline.LeaveOneHint}
	case l.mcp && len(operands) == 0:
		return &cmdline.UsageError{Message: "--mcp needs the command of an MCP server", Hint: "cupel record --mcp -o LOG -- COMMAND ARGS…"}
	case from != "" && (l.mcp || l.otlp != ""):
		return &cmdline.UsageError{Message: "--from reads files, but --mcp and --otlp record a running agent", Hint: cmdline.LeaveOneHint}
	case !l.mcp && from == "" && len(operands) > 0:
		return &cmdline.UsageError{Message: fmt.Sprintf("events are read from standard input, but there is the operand %q", operands[0]), Hint: "cupel record -o LOG < FILE; for transcripts and spans, --from FORMAT; for an MCP server, --mcp"}
	case l.maxBody < 1:
		return &cmdline.UsageError{Message: fmt.Sprintf("--max-body is %d, expected at least 1", l.maxBody)}
	}
	return nil
}

// envelopeBytes is room for what an event adds to a message: the envelope, hashes, a signature, a tool's name and
// escapes of a text of usual length.
const envelopeBytes = 4 << 10

// proxy runs an MCP server and records its connection. Its exit code is that of the server.
func proxy(ctx context.Context, r *app.Run, o options) error {
	log, err := o.open(context.WithoutCancel(ctx), r)
	if err != nil {
		return err
	}
	warn := func(message string) { cmdline.PrintError(r.Env, message, "") }
	s := &reopening{log: log, open: func() (*Log, error) { return o.open(context.WithoutCancel(ctx), r) }}
	t := newTap(s, o.maxLine-envelopeBytes, warn)
	state, err := serveMCP(r.Env, r.Operands, t)
	if left := t.close(); left > 0 {
		warn(fmt.Sprintf("%s: %s at the end are not recorded", say.Visible(o.output), say.Counted(left, "message")))
		err = errors.Join(err, cmdline.ErrSaid)
	}
	if o.end && state != nil && s.log.Broken() == nil {
		status, reason := "success", ""
		if code := exitStatus(state); code != 0 {
			status, reason = "error", fmt.Sprintf("the server ended with exit code %d", code)
		}
		err = errors.Join(err, s.log.End(status, reason))
	}
	if closing := s.close(); !errors.Is(err, cmdline.ErrSaid) {
		err = errors.Join(err, closing)
	}
	if state != nil && exitStatus(state) != 0 {
		if err != nil && !errors.Is(err, cmdline.ErrSaid) {
			cmdline.SayError(r.Env, err)
		}
		return cmdline.ExitStatus(exitStatus(state))
	}
	return err
}

// reopening is a log that is opened again after a write failed: the disk can have room again.
type reopening struct {
	log    *Log
	open   func() (*Log, error)
	last   time.Time
	closed bool // log is closed
}

// patience is the time between attempts.
const patience = time.Second

func (s *reopening) Append(event []byte) error {
	if why := s.log.Broken(); why != nil {
		if time.Since(s.last) < patience {
			return why
		}
		s.last = time.Now()
		_ = s.close() // it returns the failure of writing again
		log, err := s.open()
		if err != nil {
			return err
		}
		s.log, s.closed = log, false
	}
	return s.log.Append(event)
}

func (s *reopening) close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	return s.log.Close()
}

// listen returns the listener of --otlp, or nil.
func (l *live) listen() (net.Listener, error) {
	if l.otlp == "" {
		return nil, nil //nolint:nilnil // there is no listener
	}
	address, err := loopback(l.otlp)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("cannot listen on %s: %w", address, listenFailure(err)), Hint: "another program may use the port; port 0 selects a free one"}
	}
	return listener, nil
}

// serveOTLP records the requests of OpenTelemetry exporters until a signal ends it.
func (l *live) serveOTLP(env cmdline.Env, listener net.Listener, s sink) error {
	at := "http://" + listener.Addr().String()
	cmdline.Hint(env, fmt.Sprintf("set OTEL_EXPORTER_OTLP_ENDPOINT=%s and OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf for the agent; Ctrl-C ends the recording", at))
	return receive(env, listener, newReceiver(s, l.maxBody, func(m string) { cmdline.PrintError(env, m, "") }))
}

// listenFailure returns the cause in an error of net.
func listenFailure(err error) error {
	if at, ok := errors.AsType[*net.OpError](err); ok {
		return at.Err
	}
	return err
}
