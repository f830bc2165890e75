package sessiontest

import (
	"fmt"
	"io"
)

// WorkingDay writes a realistic sealed log of n events (at least 3), about 620 bytes each: model
// requests and responses, tool calls and results, decisions.
func WorkingDay(w io.Writer, n int) error {
	return WorkingDays(w, n, 1)
}

// WorkingDays writes several such logs interleaved: the first event of each, then the second, and so on.
func WorkingDays(w io.Writer, n, sessions int) error { return workingDays(w, n, 1, sessions) }

// WorkingDaysInTurn writes sessions logs, always together of them interleaved.
func WorkingDaysInTurn(w io.Writer, n, sessions, together int) error {
	for first := 1; first <= sessions; first += together {
		if err := workingDays(w, n, first, min(together, sessions-first+1)); err != nil {
			return err
		}
	}
	return nil
}

// workingDays writes interleaved logs numbered from first.
func workingDays(w io.Writer, n, first, sessions int) error {
	logs := make([]*Log, sessions)
	for i := range logs {
		logs[i] = New()
		logs[i].Session = fmt.Sprintf("5e551017-0000-4000-8000-%012d", first+i)
		logs[i].scanner, logs[i].writer = logs[0].scanner, logs[0].writer
	}
	for i := range n {
		kind, payload := workingEvent(i, n)
		for _, l := range logs {
			line := ""
			if kind == "CHAIN_SEAL" {
				line = l.Seal()
			} else {
				line = l.Event(kind, payload)
			}
			if _, err := io.WriteString(w, line+"\n"); err != nil {
				return err
			}
		}
	}
	return nil
}

func workingEvent(i, n int) (kind, payload string) {
	switch i {
	case 0:
		return "SESSION_START", `{"agent_id":"orders-7","environment":"prod","framework":"loop","framework_version":"3.1","sdk_version":"2.4.0","tags":["orders"]}`
	case n - 2:
		return "SESSION_END", `{"status":"success","duration_ms":86400000,"total_cost_usd":12.75}`
	case n - 1:
		return "CHAIN_SEAL", ""
	}
	switch turn := i / 5; i % 5 {
	case 0:
		return "MODEL_REQUEST", fmt.Sprintf(`{"model":"m-4","provider":"local","messages":[{"role":"user","content":"Where is order %d?"}],"parameters":{"temperature":0.2}}`, turn)
	case 1:
		return "MODEL_RESPONSE", fmt.Sprintf(`{"model":"m-4","content":"","role":"assistant","finish_reason":"tool_calls","usage":{"total_tokens":%d}}`, 218+turn%50)
	case 2:
		return "TOOL_CALL", fmt.Sprintf(`{"tool_name":"lookup_order","tool_id":"c%d","args":{"order":%d},"timeout_ms":5000}`, turn, turn)
	case 3:
		return "TOOL_RESULT", fmt.Sprintf(`{"tool_name":"lookup_order","tool_id":"c%d","result":{"state":"shipped"},"status":"success","duration_ms":%d}`, turn, 10+turn%90)
	}
	return "DECISION_TRACE", fmt.Sprintf(`{"decision_id":"%s","inputs":{"order":%d},"outputs":{"action":"answer"},"justification":"orders-v2 rule 4"}`, uuid(uint64(i)), i/5)
}
