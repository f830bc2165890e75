package bundle

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/say"
)

const noEvent = "the input has no event"

// manifestText checks the text of a bundle's manifest. If it cannot be parsed, events cannot be compared with it.
func (v *verifier) manifestText(text []byte) error {
	manifest, findings := ParseManifest(text, v.opt.Limits, v.opt.Strict)
	v.report.Manifest = &manifest
	if i := slices.IndexFunc(findings, func(f finding.Finding) bool { return f.Severity == finding.Error }); i < 0 {
		v.manifest = &manifest
	} else {
		v.cause = cause(findings[i])
	}
	return v.noteAll(findings)
}

// begin checks the declared size of the events.
func (v *verifier) begin(size int64) error {
	if v.manifest == nil {
		return nil
	}
	file, listed := v.manifest.Files[EventsName]
	if !listed {
		return nil // ParseManifest has said it
	}
	if size == int64(file.Bytes) {
		return nil
	}
	return v.note(v.whole(integrityFileSizeMismatch, "size.declared", "/files/events.ndjson/bytes",
		"size mismatch: the tar header of events.ndjson does not have the size in the manifest",
		strconv.FormatUint(file.Bytes, 10)+" bytes", strconv.FormatInt(size, 10)+" bytes"))
}

// whole returns a finding about a whole member or the whole input.
func (v *verifier) whole(code, detail, pointer, message, expected, found string) finding.Finding {
	f := finding.Finding{Rule: code, Severity: finding.Error, Message: message, Path: pointer, Expected: expected, Found: found, CausedBy: v.cause}
	f.Detail = Detail{Detail: detail, Pointer: pointer, Member: v.manifestMember(pointer)}
	return f
}

func (v *verifier) manifestMember(pointer string) string {
	if pointer == "" {
		return ""
	}
	return ManifestName
}

// end checks the events as a whole.
func (v *verifier) end(total evidence.Total, read *contents) error {
	v.ended = true
	if v.in.bundle {
		v.report.Packed = &File{Bytes: uint64(read.size), Path: EventsName, SHA256: read.sum.String()}
	}
	if v.report.Events == 0 {
		if err := v.files(read); err != nil {
			return err
		}
		return v.note(v.whole(contractInvalidEvent, "events.none", "", noEvent, "at least one event", "none"))
	}
	if total.Rooted && !v.run.unended {
		v.report.RunRoot = total.RunRoot.String()
	}
	if !v.in.bundle {
		return nil
	}
	v.report.BundleID = v.report.RunRoot
	if err := v.files(read); err != nil {
		return err
	}
	return v.sums()
}

// files compares the events' bytes with the manifest.
func (v *verifier) files(read *contents) error {
	if v.manifest == nil {
		return nil
	}
	file, listed := v.manifest.Files[EventsName]
	if !listed {
		return nil
	}
	if read.size != int64(file.Bytes) {
		err := v.note(v.whole(integrityFileSizeMismatch, "size.read", "/files/events.ndjson/bytes",
			"size mismatch: events.ndjson does not have the size in the manifest", fmt.Sprint(file.Bytes, " bytes"), fmt.Sprint(read.size, " bytes")))
		if err != nil {
			return err
		}
	}
	if sum, ok := file.Digest(); !ok || sum != read.sum {
		return v.note(v.whole(integrityManifestHash, "sha256", "/files/events.ndjson/sha256",
			"digest mismatch: events.ndjson is not the file that the manifest records", say.Preview(file.SHA256, shownBytes), read.sum.String()))
	}
	return nil
}

// sums compares the number of events and the run root with the manifest.
func (v *verifier) sums() error {
	m := v.manifest
	if m == nil {
		return nil
	}
	r := v.report
	if m.EventCount != uint64(r.Events) {
		err := v.note(v.whole(contractSequenceGap, "event_count", "/event_count",
			"the bundle does not have the number of events in the manifest", strconv.FormatUint(m.EventCount, 10), strconv.FormatInt(r.Events, 10)))
		if err != nil {
			return err
		}
	}
	if r.RunRoot == "" {
		return nil // an event has no hash, and the finding that says so makes the bundle invalid
	}
	if m.RunRoot != r.RunRoot {
		f := v.whole(integrityRunRootMismatch, "run_root", "/run_root",
			"run root mismatch: the events are not those that the manifest records", say.Preview(m.RunRoot, shownBytes), r.RunRoot)
		if v.cause == "" {
			v.cause = cause(f)
		}
		if err := v.note(f); err != nil {
			return err
		}
	}
	if m.BundleID != r.RunRoot {
		return v.note(v.whole(contractBundleIDMismatch, "bundle_id", "/bundle_id",
			"the bundle's id is not the run root of its events", say.Preview(m.BundleID, shownBytes), r.RunRoot))
	}
	return nil
}

// absent reports a bundle without events.
func (v *verifier) absent() error {
	return v.note(eventsAbsent())
}

// expect compares the input with the expected values.
func (v *verifier) expect() {
	r := v.report
	sum := ""
	if of, ok := v.in.sum(); ok {
		sum = of.String()
		r.SHA256 = sum
	}
	for _, e := range []struct{ code, what, want, got string }{
		{anchorSHA256, "the input's SHA-256", v.opt.ExpectSHA256, sum},
		{anchorRunRoot, "the run root of the events", v.opt.ExpectRunRoot, r.RunRoot},
		{anchorBundleID, "the bundle's id", v.opt.ExpectBundleID, r.BundleID},
	} {
		if e.want == "" || e.want == e.got {
			continue
		}
		got := e.got
		if got == "" {
			got = "no run root: some events could not be read"
		}
		_ = v.note(v.whole(e.code, "", "", e.what+" is not the expected one", e.want, got)) // nothing is left to be read
	}
}

func (v *verifier) notCovered() []string {
	list := []string{"source, time, run id, sequence number, producer and trace context of the events: no content hash covers them, so a consistent edit is not detected"}
	switch v.report.Kind {
	case KindBundle:
		list = append(list,
			"the manifest's producer and unknown members, and header fields of gzip and tar outside the content (times, owners, modes)",
			v.unsigned("the bundle"))
	case KindStream:
		list = append(list, "whether events were removed from the start or the end: a stream has no manifest with their number", v.unsigned("the stream"))
	default:
		list = append(list, "the run that the event is a part of", v.unsigned("the event"))
	}
	if !v.opt.Compared {
		list = append(list, cite.NotCompared(v.run.cited)...)
	}
	if v.run.unended {
		list = append(list, "the last line: it was still being written")
	}
	return list
}

func (v *verifier) unsigned(what string) string {
	o := v.opt
	if o.Attested {
		return "the author of " + what + ": an attestation counts only if it and the bundle are valid"
	}
	if o.ExpectBundleID != "" || o.ExpectRunRoot != "" || o.ExpectSHA256 != "" {
		return "the author of " + what + ": no signature was checked, only the expected values were compared"
	}
	return "the author of " + what + ": no signature was checked, so anyone with write access can replace it with a valid one"
}

// shownBytes limits the preview of a value in findings. A hash fits.
const shownBytes = 80
