package capture

import "github.com/cupel-dev/cupel/internal/enum"

// Options say how captures are read. The zero value reads any format with the default
// limits, and of a runner's log the incoming lines.
type Options struct {
	Format     Format     // default: messages are found wherever they are
	Directions Directions // which messages of a known direction are handed out
	Limits     Limits

	// MaxOpen is how many requests may wait for their answers, default 65,536, and
	// MaxOpenBytes how many bytes are remembered of them, default 32 MiB. Beyond, the oldest
	// is forgotten, and its answer is one of which no method is known.
	MaxOpen      int
	MaxOpenBytes int

	// KeepParams remembers the params of requests for Message.Params of their answers.
	KeepParams bool

	// Known leaves out what is no message of a known protocol: JSON-RPC of other protocols, and
	// records that look like no payload. Otherwise each JSON value in which there is no message
	// is one itself.
	Known bool

	// Join hands out the pieces of a stream joined, too, when its end is read.
	Join bool

	// SkipBadLines makes Next go on behind a line that is no message: it is counted, and
	// nothing else is said of it.
	SkipBadLines bool
}

// The default limits of open requests.
const (
	DefaultMaxOpen      = 65_536
	DefaultMaxOpenBytes = 32 << 20
)

// Directions say which messages of a known direction are handed out. Those of an unknown
// one always are.
type Directions uint8

// The choices. The default is what is evaluated offline: what the agent under test sent.
const (
	IncomingOnly Directions = iota
	OutgoingOnly
	BothDirections
)

var directionsNames = [...]string{"incoming", "outgoing", "both"}

// String returns the name of the choice.
func (d Directions) String() string { return enum.Name(directionsNames[:], d) }

// MarshalText returns the name of the choice. The error is that it has none.
func (d Directions) MarshalText() ([]byte, error) { return enum.Text(directionsNames[:], d) }

// UnmarshalText sets the choice to the one that text names.
func (d *Directions) UnmarshalText(text []byte) error {
	return enum.Read("choice", directionsNames[:], d, text)
}

// admits says whether messages of a direction are handed out.
func (d Directions) admits(of Direction) bool {
	switch of {
	case Incoming:
		return d != OutgoingOnly
	case Outgoing:
		return d != IncomingOnly
	}
	return true
}
