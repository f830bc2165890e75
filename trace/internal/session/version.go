package session

// versions are the known values of schema_ver. Bit i of a set is versions[i]; noVersion is the bit for a missing
// schema_ver.
var versions = [...]string{"v0.2", "v0.4", "v0.5", "v0.6"}

const (
	versionV06 = 1 << 3
	noVersion  = 1 << 7
)

// versionLog records which envelope versions occur in the log.
type versionLog struct {
	Versions uint8 // those that occurred, as bits
	out      *reporter
}

func (p *versionLog) take(e *event) {
	if e.version == 0 || p.Versions&e.version != 0 {
		return
	}
	if p.Versions != 0 {
		p.out.note(e, remark{rule: ruleVersionMixed, at: schemaVer, message: "schema_ver changes within the log"})
	}
	if p.Versions |= e.version; e.version == noVersion {
		p.out.note(e, remark{rule: ruleVersionAbsent, at: typeName, message: "the event states no schema_ver; the rules of the 14-field envelope apply"})
	}
}
