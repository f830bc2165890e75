package rpc

import "sync"

// Notifier sends notifications to the client of the Serve that has it in its Options. The zero
// Notifier is ready to be used; before Serve begins and after it has returned, what is sent is
// dropped. It is safe for concurrent use.
type Notifier struct {
	mu  sync.Mutex
	out *answerWriter // nil: there is nobody to send to
}

// Send sends a notification with its params, a JSON text. It waits while the client leaves too
// much unread, so that Begin must not call it.
func (n *Notifier) Send(method string, params []byte) {
	n.mu.Lock()
	out := n.out
	n.mu.Unlock()
	if out != nil && out.notify(method, params) {
		out.write()
	}
}

// connect gives the notifier its writer, or with nil takes it.
func (n *Notifier) connect(out *answerWriter) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.out = out
}
