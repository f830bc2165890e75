package capture

import (
	"cmp"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

type method struct {
	name     string // as it is spelled
	kind     string // its kind in the registry
	protocol model.Protocol
	role     model.MessageRole // that all messages of the method have, if they do
	known    bool              // exists in some protocol
}

type methods map[string]*method

// Limits of the cache. A log that exceeds them was crafted.
const (
	mostMethods     = 1 << 10
	mostMethodBytes = 128
)

func (known *methods) of(name []byte) *method {
	if m := (*known)[string(name)]; m != nil {
		return m
	}
	text := string(name)
	kind := protocol.Canonical(text)
	m := &method{name: text, kind: cmp.Or(vocabulary.OlderNames[kind], kind)}
	m.protocol = cmp.Or(vocabulary.MethodProtocol(text), protocol.Of(text))
	m.role = vocabulary.FixedRole(m.kind)
	m.known = m.protocol != "" || len(protocol.Operations(text)) > 0
	if strings.HasPrefix(text, "notifications/") && len(protocol.Operations(text)) == 0 {
		m.known = false
	}
	if m.role == "" && m.protocol == "ag_ui" {
		m.role = model.RoleEvent
	}
	if len(*known) < mostMethods && len(name) <= mostMethodBytes {
		if *known == nil {
			*known = methods{}
		}
		(*known)[text] = m
	}
	return m
}

func (known *methods) named(name string) *method { return known.of([]byte(name)) }

func (m *Message) describe(of *method, role model.MessageRole) {
	m.Method, m.Protocol = of.name, of.protocol
	m.Kind = model.MessageKind{Method: of.kind, Role: role}
}
