package commands

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/oatf"
)

// oatfReads is what the commands for documents read.
func oatfReads() reads {
	return reads{Patterns: yamlFiles, Probe: looksLikeOATF, Claims: claimsOATF, Mend: fmt.Sprintf("give the files the root key %q", rootKey)}
}

// faultIn words the first fault of a document with its place in the file.
func faultIn(file string, fault error) error {
	var at oatf.Position
	if parse, ok := errors.AsType[*oatf.ParseError](fault); ok {
		at = parse.Position
	} else if invalid, ok := errors.AsType[*oatf.ValidationError](fault); ok {
		at = invalid.Position
	}
	return &hinted{errors.New(placed(file, at, fault.Error())), "`cupel oatf lint` shows every fault in its place"}
}

// placed is what an error or a warning says, with its place as FILE:LINE:COLUMN instead of in
// words.
func placed(file string, at oatf.Position, said string) string {
	if at.Line == 0 {
		return file + ": " + said
	}
	_, said, _ = strings.Cut(said, ": ")
	return fmt.Sprintf("%s:%d:%d: %s", file, at.Line, at.Column, said)
}
