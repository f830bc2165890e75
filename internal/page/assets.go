package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"slices"
	"sync"

	"github.com/cupel-dev/cupel/internal/say"
)

//go:embed *.tmpl *.css *.js
var assets embed.FS

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"value": value, "name": name, "lines": lines, "counted": counted, "differ": differ, "sum": sum, "part": part,
	}).ParseFS(assets, "*.tmpl"))
})

func sum(numbers ...int) (n int) {
	for _, m := range numbers {
		n += m
	}
	return n
}

// counted formats a number and a noun.
func counted(n int, noun string) string { return say.Counted(n, noun) }

// asset returns the page's file with a suffix, followed by those of its views.
func (p *Page) asset(suffix string) string {
	text, err := assets.ReadFile("page" + suffix)
	if err != nil {
		panic(err)
	}
	for _, kind := range slices.Sorted(slices.Values(p.kinds)) {
		if more, err := assets.ReadFile(kind + suffix); err == nil {
			text = append(append(text, '\n'), more...)
		}
	}
	return string(text)
}

// policy returns a Content Security Policy that allows only these two texts.
func policy(style, script string) string {
	return fmt.Sprintf("default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'", hash(script), hash(style))
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// begin writes the head. Style and script are written unchanged because the policy contains their
// hashes.
func (p *Page) begin(out *clean, top Top) {
	style, script := p.asset(".css"), p.asset(".js")
	out.pass([]byte("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy(style, script) + "\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta name=\"referrer\" content=\"no-referrer\">\n" +
		"<meta name=\"generator\" content=\"cupel " + html.EscapeString(value(top.Version)) + "\">\n" +
		"<title>" + html.EscapeString(p.title(top)) + "</title>\n<style>"))
	out.pass([]byte(style))
	out.pass([]byte("</style>\n</head>\n"))
}

func (p *Page) end(out *clean) {
	out.pass([]byte("<script>" + p.asset(".js") + "</script>\n</body>\n</html>\n"))
}
