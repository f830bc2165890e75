package rpc

import "sync"

// Notifier sends notifications to the client of the Serve call that has it in its Options. The zero value can be
// used. Outside of Serve, notifications are dropped. It is safe for concurrent use.
type Notifier struct {
	mu  sync.Mutex
	out *answerWriter // nil if not connected
}

// Send sends a notification with JSON params. It blocks while too much output is unread, so Begin must not call it.
func (n *Notifier) Send(method string, params []byte) {
	n.mu.Lock()
	out := n.out
	n.mu.Unlock()
	if out != nil && out.notify(method, params) {
		out.write()
	}
}

// connect sets the writer, or removes it if nil.
func (n *Notifier) connect(out *answerWriter) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.out = out
}
