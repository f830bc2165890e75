// Package scripted is a model service for tests: an HTTP server for POST …/chat/completions and
// POST …/embeddings that follows a script and records calls.
//
//	service := scripted.Start(scripted.Answer{Status: 500, Times: 2}, scripted.Answer{})
//	defer service.Close()
//	… service.URL …
//	… service.Calls() …
//
// Answers are used in order; the last one repeats. A script file has one answer per line:
//
//	{"status": 500, "times": 2}
//	{"text": "{\"score\": 0.5}", "usage": [100, 20]}
package scripted

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

type Service struct {
	URL string // base URL

	server *httptest.Server
	answer func(Call) Answer
	gone   chan struct{} // closed at the end of the service

	mu    sync.Mutex
	calls []Call
	open  int // unanswered calls
	most  int // largest value of open
}

// Call is a received request.
type Call struct {
	Number int         `json:"number"` // from 1
	Method string      `json:"method"`
	Path   string      `json:"path"`
	Host   string      `json:"host"`
	Header http.Header `json:"header"`
	Body   string      `json:"body"`
	At     time.Time   `json:"-"`

	Model string   `json:"-"` // requested model
	Texts []string `json:"-"` // of an embeddings call
}

// Start starts a service with a script.
func Start(script ...Answer) *Service { return StartFunc(play(script)) }

// StartFunc starts a service with a function for the answers, which must be safe for concurrent use.
func StartFunc(answer func(Call) Answer) *Service { return start(answer, 0) }

// StartClosing starts a service with a script that closes every every-th connection unread.
func StartClosing(every int, script ...Answer) *Service { return start(play(script), every) }

func start(answer func(Call) Answer, every int) *Service {
	s := &Service{answer: answer, gone: make(chan struct{})}
	s.server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	if every > 0 {
		s.server.Listener = &closingListener{Listener: s.server.Listener, every: every}
	}
	s.server.Start()
	s.URL = s.server.URL + "/v1"
	return s
}

// Close ends the service and pending answers.
func (s *Service) Close() {
	close(s.gone)
	s.server.CloseClientConnections()
	s.server.Close()
}

// Calls returns the calls so far in order of arrival.
func (s *Service) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Most returns the largest number of concurrent calls.
func (s *Service) Most() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

func play(script []Answer) func(Call) Answer {
	var mu sync.Mutex
	left := append([]Answer(nil), script...)
	return func(c Call) Answer {
		mu.Lock()
		defer mu.Unlock()
		for i, a := range left {
			if !strings.Contains(c.Body, a.When) {
				continue
			}
			if left[i].Times--; left[i].Times <= 0 && i < len(left)-1 {
				left = append(left[:i:i], left[i+1:]...)
			}
			return a
		}
		return Answer{}
	}
}

// maxBody limits the body of a call.
const maxBody = 64 << 20

func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return // the client disconnected
	}
	call := s.record(r, body)
	defer s.answered()
	answer := s.answer(call)
	if !s.wait(r, time.Duration(answer.Delay)) {
		return
	}
	if answer.Hang {
		s.wait(r, -1)
		return
	}
	if answer.Close {
		hangUp(w)
		return
	}
	s.send(w, r, &answer, &call)
}

func (s *Service) record(r *http.Request, body []byte) Call {
	call := Call{Method: r.Method, Path: r.URL.Path, Host: r.Host, Header: r.Header.Clone(), Body: string(body), At: time.Now()}
	var asked struct {
		Model string
		Input json.RawMessage
	}
	if json.Unmarshal(body, &asked) == nil { // otherwise only the script decides
		call.Model = asked.Model
		if json.Unmarshal(asked.Input, &call.Texts) != nil {
			call.Texts = make([]string, 1)
			if json.Unmarshal(asked.Input, &call.Texts[0]) != nil {
				call.Texts = nil
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	call.Number = len(s.calls) + 1
	s.calls = append(s.calls, call)
	s.open++
	s.most = max(s.most, s.open)
	return call
}

func (s *Service) answered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
}

// wait waits for d, forever if negative. It reports whether the client is still connected.
func (s *Service) wait(r *http.Request, d time.Duration) bool {
	if d == 0 {
		return true
	}
	var over <-chan time.Time
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-over:
		return true
	case <-r.Context().Done():
	case <-s.gone:
	}
	return false
}

func (s *Service) send(w http.ResponseWriter, r *http.Request, a *Answer, c *Call) {
	w.Header().Set("Content-Type", "application/json")
	for name, value := range a.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(max(a.Status, http.StatusOK))
	body := a.body(c)
	cut := a.Cut > 0 && a.Cut < len(body)
	if cut {
		body = body[:a.Cut]
	}
	if a.Drip == 0 {
		_, _ = io.WriteString(w, body) // ignore clients that disconnected
	}
	for i := 0; a.Drip > 0 && i < len(body) && s.wait(r, time.Duration(a.Drip)); i++ {
		_, _ = io.WriteString(w, body[i:i+1])
		w.(http.Flusher).Flush()
	}
	if cut {
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

// hangUp closes the connection of a call.
func hangUp(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

type closingListener struct {
	net.Listener
	every int

	mu    sync.Mutex
	count int
}

// Accept implements net.Listener.
func (l *closingListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		l.mu.Lock()
		l.count++
		close := l.count%l.every == 0
		l.mu.Unlock()
		if !close {
			return conn, nil
		}
		_ = conn.Close()
	}
}
