package bundle

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// ParseManifest parses a manifest within limits and checks it in the contract's order: strict JSON and shape,
// schema version, the events' entry. Then come deviations that the contract's verifiers ignore, as warnings unless
// strict. Missing and mistyped members are zero. Findings have positions and a [Detail].
func ParseManifest(text []byte, limits evidence.Limits, strict bool) (Manifest, []evidence.Finding) {
	p := &manifestParser{text: text, tolerated: evidence.SeverityWarning}
	if strict {
		p.tolerated = evidence.SeverityError
	}
	limits = limits.WithDefaults()
	doc, err := strictjson.NewScanner(strictjson.Limits{
		TextBytes: int(limits.ManifestBytes), Depth: int(limits.JSONDepth),
		Keys: evidence.MaxKeys, StringChars: evidence.MaxStringChars, WideNumbers: true,
		Values: len(text) + 1, // never reached; with a limit the value list is allocated once
	}).Scan(text)
	if err != nil {
		p.refuse(err)
		return Manifest{}, p.findings
	}
	root := object{p, doc.Root(), ""}
	if !doc.Root().Is(strictjson.Object) {
		root.misshaped(doc.Root(), "", "member.type", "the manifest is "+say.Article(doc.Root().Kind().String())+", expected an object")
		return Manifest{}, p.findings
	}
	m := p.manifest(root)
	p.check(m, root)
	p.checkTolerated(m, root, strict)
	return m, p.findings
}

type manifestParser struct {
	text      []byte
	tolerated evidence.Severity // severity of deviations that the contract's verifiers ignore
	findings  []evidence.Finding
}

// manifest reads the members and checks their types.
func (p *manifestParser) manifest(root object) (m Manifest) {
	m.SchemaVersion = uint32(root.integer("schema_version", 32))
	m.BundleID = root.text("bundle_id")
	if producer, ok := root.object("producer"); ok {
		m.Producer = Producer{Name: producer.text("name"), Version: producer.text("version")}
		if !producer.node.Get("git").Missing() {
			m.Producer.Git = producer.text("git")
		}
	}
	m.RunID = root.text("run_id")
	m.EventCount = root.integer("event_count", 64)
	m.RunRoot = root.text("run_root")
	if a, ok := root.object("algorithms"); ok {
		m.Algorithms = Algorithms{Canon: a.text("canon"), Hash: a.text("hash"), Root: a.text("root")}
	}
	if files, ok := root.object("files"); ok {
		m.Files = make(map[string]File, files.node.Len())
		for entry := range files.node.Children() {
			if file, ok := files.entry(entry); ok {
				m.Files[entry.Key()] = File{Path: file.text("path"), SHA256: file.text("sha256"), Bytes: file.integer("bytes", 64)}
			}
		}
	}
	return m
}

// check checks the version and the entry of the events.
func (p *manifestParser) check(m Manifest, root object) {
	version, files := root.node.Get("schema_version"), root.node.Get("files")
	if m.SchemaVersion != SchemaVersion && !p.faulty("/schema_version") {
		p.add(version, "/schema_version", contractSchemaVersion, "schema_version.unknown",
			"member schema_version is "+preview(version)+", expected "+strconv.Itoa(SchemaVersion))
	}
	if files.Is(strictjson.Object) && !files.Get(EventsName).Exists() {
		p.add(files, "/files", contractMissingFile, "", "the manifest does not list "+EventsName)
	}
}

// faulty reports whether the value at a pointer already has a finding.
func (p *manifestParser) faulty(pointer string) bool {
	return slices.ContainsFunc(p.findings, func(f evidence.Finding) bool { return f.Path == pointer })
}

// checkTolerated checks for deviations that the contract's verifiers ignore.
func (p *manifestParser) checkTolerated(m Manifest, root object, strict bool) {
	for _, row := range []struct{ name, got, want string }{
		{"canon", m.Algorithms.Canon, Version1.Canon}, {"hash", m.Algorithms.Hash, Version1.Hash}, {"root", m.Algorithms.Root, Version1.Root},
	} {
		value := root.node.Get("algorithms").Get(row.name)
		if value.Is(strictjson.String) && row.got != row.want {
			f := p.add(value, "/algorithms/"+row.name, contractSchemaVersion, "algorithms.unknown",
				"member "+row.name+" names an algorithm other than that of schema version 1")
			p.tolerate(f, row.want, preview(value))
		}
	}
	if strict {
		p.listUnknown(root)
	}
	if root.node.Document().Wide {
		p.noteWide(root.node)
	}
}

// tolerate turns a finding into a warning unless strict, and adds the compared values.
func (p *manifestParser) tolerate(f *evidence.Finding, expected, found string) {
	if f != nil {
		f.Severity, f.Expected, f.Found = p.tolerated, expected, found
	}
}

// noteWide reports the first number outside of a double's range in a free-form member.
func (p *manifestParser) noteWide(root strictjson.Node) {
	for n := range root.All() {
		if _, ok := n.Float(); n.Is(strictjson.Number) && !ok && !p.faulty(n.Pointer()) {
			if f := p.add(n, n.Pointer(), numberOutsideHash, "", "number "+preview(n)+" is beyond a double: there is no digest of the manifest as a value"); f != nil {
				f.Severity = evidence.SeverityWarning
			}
			return
		}
	}
}

// The members that the contract defines, of the manifest and of its objects.
var (
	manifestNames  = []string{"algorithms", "bundle_id", "event_count", "files", "producer", "run_id", "run_root", "schema_version"}
	algorithmNames = []string{"canon", "hash", "root"}
	producerNames  = []string{"git", "name", "version"}
)

// listedNames limits the unknown members named in a message.
const listedNames = 8

func (p *manifestParser) listUnknown(root object) {
	var first strictjson.Node
	var names []string
	count := 0
	list := func(o object, known []string) {
		for member := range o.node.Children() {
			if slices.Contains(known, member.Key()) {
				continue
			}
			if count++; count == 1 {
				first = member
			}
			if count <= listedNames {
				names = append(names, say.Quoted(member.Key()))
			}
		}
	}
	list(root, manifestNames)
	list(object{p, root.node.Get("producer"), ""}, producerNames)
	list(object{p, root.node.Get("algorithms"), ""}, algorithmNames)
	if count == 0 {
		return
	}
	message := "the event has members that the contract does not define: " + strings.Join(names, ", ")
	if count > listedNames {
		message += say.More(count - listedNames)
	}
	p.add(first, first.Pointer(), contractInvalidJSON, "member.unknown", message)
}

// refuse reports why the text is not strict JSON.
func (p *manifestParser) refuse(err error) {
	var fault *strictjson.Error
	if !errors.As(err, &fault) {
		panic("bundle.ParseManifest: " + err.Error())
	}
	code, detail := contractInvalidJSON, "json.syntax"
	switch fault.Code {
	case strictjson.Depth:
		code, detail = limitJSONDepth, "max_json_depth"
	case strictjson.TextLength:
		code, detail = limitFileSize, "max_manifest_bytes"
	case strictjson.TooManyKeys, strictjson.StringLength:
		detail = "json.limit"
	case strictjson.UTF8, strictjson.Surrogate, strictjson.DuplicateKey:
		detail = "json." + string(fault.Code)
	}
	f := p.addAt(fault.Offset, fault.Offset, fault.Pointer, code, detail, fault.Message)
	switch {
	case f == nil:
	case fault.Code == strictjson.Empty:
		f.Message = "the manifest is empty, expected an object"
	case strings.HasPrefix(detail, "max_"):
		f.Help = say.LimitsHint(detail)
	}
}

// maxManifestFindings limits a manifest's findings, because locating each in a large text takes time.
const maxManifestFindings = 100

// add adds a finding at a value of the manifest, or at the manifest if there is no such value. It returns nil if
// there are too many.
func (p *manifestParser) add(at strictjson.Node, pointer, code, detail, message string) *evidence.Finding {
	start, end := at.Span()
	if at.Is(strictjson.Object) || at.Is(strictjson.Array) {
		end = start + 1 // a container as a whole: its first byte is place enough
	}
	return p.addAt(start, end, pointer, code, detail, message)
}

func (p *manifestParser) addAt(start, end int, pointer, code, detail, message string) *evidence.Finding {
	if len(p.findings) >= maxManifestFindings {
		return nil
	}
	offset := int64(start)
	p.findings = append(p.findings, evidence.Finding{
		Rule: code, Severity: evidence.SeverityError, Message: message, Path: pointer,
		Detail: Detail{Detail: detail, Member: ManifestName, Offset: &offset, Pointer: pointer},
	})
	f := &p.findings[len(p.findings)-1]
	source.Point(f, source.Line{Number: 1, Bytes: p.text}, start, end)
	return f
}

func preview(n strictjson.Node) string { return say.Preview(n.Raw(), say.Usual) }
