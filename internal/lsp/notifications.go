package lsp

import (
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/internal/rpc"
)

// Unknown notifications are ignored.
var notifications = map[string]func(*server, rpc.Request) error{
	"$/cancelRequest":                 (*server).cancelRequest,
	"textDocument/didOpen":            (*server).didOpen,
	"textDocument/didChange":          (*server).didChange,
	"textDocument/didClose":           (*server).didClose,
	"textDocument/didSave":            (*server).otherFiles,
	"workspace/didChangeWatchedFiles": (*server).otherFiles,
}

func (s *server) cancelRequest(r rpc.Request) error {
	var p cancelParams
	if refused := decode(r, &p); refused != nil {
		return errors.New(refused.Message)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.calls[string(p.ID)]; cancel != nil {
		cancel()
	}
	return nil
}

func (s *server) didOpen(r rpc.Request) error {
	var p didOpenParams
	if refused := decode(r, &p); refused != nil {
		return errors.New(refused.Message)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.documents.put(p)
	s.checker.soon(d.uri)
	return nil
}

// didChange applies the client's edits. If they are malformed, the text becomes unknown.
func (s *server) didChange(r rpc.Request) error {
	var p didChangeParams
	refused := decode(r, &p)
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.documents.open[p.TextDocument.URI]
	switch {
	case d == nil && refused != nil:
		return errors.New(refused.Message)
	case d == nil:
		return fmt.Errorf("%s is not open", quoted(p.TextDocument.URI))
	case refused != nil:
		s.documents.forget(d, "a change cannot be read, so the current text is unknown: open the document again")
	case p.TextDocument.Version != nil && *p.TextDocument.Version < d.version:
		return fmt.Errorf("version %d of %s comes after version %d and was skipped", *p.TextDocument.Version, quoted(d.uri), d.version)
	default:
		if p.TextDocument.Version != nil {
			d.version = *p.TextDocument.Version
		}
		s.documents.change(d, p.ContentChanges, s.encoding)
	}
	s.checker.later(d.uri)
	return nil
}

// didClose drops a document and its diagnostics.
func (s *server) didClose(r rpc.Request) error {
	var p documentParams
	if refused := decode(r, &p); refused != nil {
		return errors.New(refused.Message)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.documents.close(p.uri())
	s.checker.soon(p.uri())
	return nil
}

// otherFiles rechecks all documents after changes of files that they can depend on.
func (s *server) otherFiles(rpc.Request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uri := range s.documents.open {
		s.checker.soon(uri)
	}
	return nil
}
