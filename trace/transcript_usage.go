package trace

import "github.com/cupel-dev/cupel/internal/transcript/check"

// TranscriptUsage is the usage of a transcript's model calls, each counted once.
type TranscriptUsage struct {
	Calls      int64   `json:"model_calls"`
	Total      int64   `json:"total_tokens"`
	Input      int64   `json:"input_tokens"`
	CacheRead  int64   `json:"cache_read_tokens"`
	CacheWrite int64   `json:"cache_write_tokens"`
	Output     int64   `json:"output_tokens"`
	Reasoning  int64   `json:"reasoning_tokens"`
	Cost       float64 `json:"cost_usd,omitempty"`              // as the file states it
	MainTotal  int64   `json:"main_thread_tokens"`              // without subagents
	EachRecord int64   `json:"tokens_if_each_record_counted"`   // what adding up every record gives
	Unknown    string  `json:"unknown,omitempty"`               // why the total is unknown, or ""
	MayRepeat  bool    `json:"may_repeat_other_file,omitempty"` // it is a fork or a resume of another session
	SessionID  string  `json:"session_id,omitempty"`
}

func usageOf(o *check.Outcome) *TranscriptUsage {
	t := o.Usage
	return &TranscriptUsage{
		Calls: t.Calls, Total: t.All.Total, Input: t.All.Input, CacheRead: t.All.CacheRead, CacheWrite: t.All.CacheWrite,
		Output: t.All.Output, Reasoning: t.All.Reasoning, Cost: t.All.Cost, MainTotal: t.Main.Total, EachRecord: t.Naive,
		Unknown: t.Unknown, MayRepeat: t.Repeats, SessionID: o.Session,
	}
}
