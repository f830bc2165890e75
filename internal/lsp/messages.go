package lsp

import "encoding/json"

// Position is a place between two characters, counted from 0.
type Position struct {
	Line      int64 `json:"line"`
	Character int64 `json:"character"` // in the session's encoding
}

// Range is half-open.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

type initializeParams struct {
	Capabilities struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
	} `json:"capabilities"`
}

type initializeResult struct {
	Capabilities serverCapabilities `json:"capabilities"`
	ServerInfo   struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"serverInfo"`
}

type serverCapabilities struct {
	PositionEncoding string `json:"positionEncoding"`
	TextDocumentSync struct {
		OpenClose bool `json:"openClose"`
		Change    int  `json:"change"`
		Save      bool `json:"save"`
	} `json:"textDocumentSync"`
	HoverProvider      bool `json:"hoverProvider"`
	CompletionProvider struct {
		TriggerCharacters []string `json:"triggerCharacters"`
	} `json:"completionProvider"`
	CodeActionProvider struct {
		CodeActionKinds []string `json:"codeActionKinds"`
	} `json:"codeActionProvider"`
	DocumentFormattingProvider bool `json:"documentFormattingProvider"`
	DocumentSymbolProvider     bool `json:"documentSymbolProvider"`
}

const syncIncremental = 2 // TextDocumentSyncKind

type textDocument struct {
	URI string `json:"uri"`
}

type didOpenParams struct {
	TextDocument struct {
		textDocument
		LanguageID string `json:"languageId"`
		Version    int64  `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument struct {
		textDocument
		Version *int64 `json:"version"`
	} `json:"textDocument"`
	ContentChanges []contentChange `json:"contentChanges"`
}

// contentChange replaces a range, or the whole text without one.
type contentChange struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// documentParams are the parameters of a whole-document request.
type documentParams struct {
	TextDocument textDocument `json:"textDocument"`
}

func (p documentParams) uri() string { return p.TextDocument.URI }

// positionParams are the parameters of a request at a position.
type positionParams struct {
	documentParams
	Position Position `json:"position"`
}

type codeActionParams struct {
	documentParams
	Range   Range `json:"range"`
	Context struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int64       `json:"version,omitempty"` // nil for a closed document
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range    Range  `json:"range"`
	Severity int    `json:"severity"`
	Code     string `json:"code,omitempty"`
	About    *link  `json:"codeDescription,omitempty"`
	Source   string `json:"source"`
	Message  string `json:"message"`
}

// link is the page of a rule.
type link struct {
	Href string `json:"href"`
}

type hover struct {
	Contents markupContent `json:"contents"`
	Range    Range         `json:"range"`
}

type markupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type completionItem struct {
	Label         string         `json:"label"`
	Kind          int            `json:"kind"`
	Detail        string         `json:"detail,omitempty"`
	Documentation *markupContent `json:"documentation,omitempty"`
	SortText      string         `json:"sortText"`
	FilterText    string         `json:"filterText,omitempty"`
	TextEdit      textEdit       `json:"textEdit"`
}

type textEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	IsPreferred bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          Range            `json:"range"`
	SelectionRange Range            `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

type logMessageParams struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

const logWarning = 2 // MessageType

type responseError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error codes of JSON-RPC 2.0 and of the protocol.
const (
	codeParseError       = -32700
	codeInvalidRequest   = -32600
	codeMethodNotFound   = -32601
	codeInvalidParams    = -32602
	codeInternalError    = -32603
	codeNotInitialized   = -32002
	codeRequestFailed    = -32803
	codeRequestCancelled = -32800
)
