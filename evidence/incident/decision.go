package incident

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
)

// The types of the members of a decision. Members with other names can have any type.
var (
	decisionTexts = strings.Fields(`match_basis matched_rule policy_version policy_digest policy_snapshot_digest
		policy_snapshot_digest_alg policy_snapshot_canonicalization policy_snapshot_schema tool_definition_digest
		tool_definition_digest_alg tool_definition_canonicalization tool_definition_schema tool_definition_source
		approval_state approval_id approver issued_at expires_at scope approval_bound_tool approval_bound_resource
		approval_artifact_digest approval_artifact_digest_alg approval_artifact_digest_profile approval_retained_view
		approval_failure_reason scope_type scope_value scope_match_mode scope_evaluation_state scope_failure_reason
		restrict_scope_target restrict_scope_reason redaction_target redaction_mode redaction_scope
		redaction_applied_state redaction_reason redaction_failure_reason redact_args_target redact_args_mode
		redact_args_result redact_args_reason decision_basis_version replay_diff_reason
		decision_consumer_contract_version decision_context_contract_version deny_precedence_version
		deny_convergence_reason lane principal auth_context_summary auth_scheme auth_issuer delegated_from reason
		mandate_id use_id`)
	decisionFlags = strings.Fields(`restrict_scope_present restrict_scope_match redact_args_present
		compat_fallback_applied legacy_shape_detected consumer_fallback_applied policy_deny fail_closed_deny
		enforcement_deny deny_legacy_fallback_applied obligation_applied_present obligation_skipped_present
		obligation_error_present mandate_scope_match mandate_kind_match transaction_ref_match`)
	decisionLists = strings.Fields(`tool_classes matched_tool_classes required_consumer_fields required_context_fields
		missing_context_fields`)
	decisionWords = map[string]string{
		"typed_decision":             "allow allow_with_obligations deny deny_with_alert",
		"approval_freshness":         "fresh stale expired unknown",
		"decision_outcome_kind":      "policy_deny fail_closed_deny enforcement_deny obligation_applied obligation_skipped obligation_error",
		"decision_origin":            "policy_engine fail_closed_matrix runtime_enforcement obligation_executor",
		"outcome_compat_state":       "legacy_fields_preserved",
		"fulfillment_decision_path":  "policy_allow policy_deny fail_closed_deny decision_error",
		"classification_source":      "converged_outcome fulfillment_path legacy_fallback",
		"consumer_read_path":         "converged_decision compatibility_markers legacy_decision",
		"consumer_payload_state":     "converged compatibility_fallback legacy_base",
		"context_payload_state":      "complete_envelope partial_envelope absent_envelope",
		"deny_classification_source": "outcome_kind origin_context fulfillment_path legacy_decision not_deny",
	}
)

func isText(v evidence.Value) bool { return v.Kind() == evidence.KindString }

func isFlag(v evidence.Value) bool { return v.Kind() == evidence.KindBool }

func isWord(words string) func(evidence.Value) bool {
	list := strings.Fields(words)
	return func(v evidence.Value) bool {
		text, ok := v.Text()
		return ok && slices.Contains(list, text)
	}
}

// isCount returns a check for an integer from 0 to most.
func isCount(most uint64) func(evidence.Value) bool {
	return func(v evidence.Value) bool {
		n, err := strconv.ParseUint(string(v.Raw()), 10, 64)
		return err == nil && n <= most
	}
}

func isList(of func(evidence.Value) bool) func(evidence.Value) bool {
	return func(v evidence.Value) bool {
		for element := range v.Children() {
			if !of(element) {
				return false
			}
		}
		return v.Kind() == evidence.KindArray
	}
}

// optional reports whether the named members are missing, null, or valid.
func optional(of evidence.Value, is func(evidence.Value) bool, names ...string) bool {
	for _, name := range names {
		if v := of.Get(name); !v.Missing() && !is(v) {
			return false
		}
	}
	return true
}

// required reports whether the named members exist and are valid.
func required(of evidence.Value, is func(evidence.Value) bool, names ...string) bool {
	for _, name := range names {
		if !is(of.Get(name)) {
			return false
		}
	}
	return of.Kind() == evidence.KindObject
}

// list reports whether the named members are missing or lists; null is invalid.
func list(of evidence.Value, is func(evidence.Value) bool, names ...string) bool {
	for _, name := range names {
		if v := of.Get(name); v.Exists() && !isList(is)(v) {
			return false
		}
	}
	return true
}

func isDecision(data evidence.Value) bool {
	for name, words := range decisionWords {
		if !optional(data, isWord(words), name) {
			return false
		}
	}
	return required(data, isText, "tool", "reason_code", "tool_call_id") && required(data, isWord("allow deny error"), "decision") &&
		optional(data, isText, decisionTexts...) && optional(data, isFlag, decisionFlags...) && list(data, isText, decisionLists...) &&
		optional(data, isList(isText), "approval_retention_non_claims") &&
		optional(data, isCount(math.MaxUint32), "delegation_depth", "use_count") &&
		optional(data, isCount(math.MaxUint64), "authz_latency_ms", "store_latency_ms") &&
		list(data, isObligation, "obligations") && list(data, isOutcome, "obligation_outcomes") && optional(data, isFailClosed, "fail_closed")
}

func isObligation(v evidence.Value) bool {
	contract := func(names ...string) func(evidence.Value) bool {
		return func(v evidence.Value) bool { return required(v, isText, names...) }
	}
	return required(v, isText, "type") && optional(v, isText, "detail") &&
		optional(v, contract("scope_type", "scope_value", "scope_match_mode"), "restrict_scope") &&
		optional(v, contract("redaction_target", "redaction_mode", "redaction_scope"), "redact_args")
}

func isOutcome(v evidence.Value) bool {
	return required(v, isText, "type") && required(v, isWord("applied skipped error"), "status") &&
		optional(v, isText, "reason", "reason_code", "enforcement_stage", "normalization_version")
}

func isFailClosed(v evidence.Value) bool {
	return required(v, isWord("high_risk low_risk_read default"), "tool_risk_class") &&
		required(v, isWord("fail_closed degrade_read_only fail_safe_allow"), "fail_closed_mode") &&
		optional(v, isWord("policy_engine_unavailable context_provider_unavailable runtime_dependency_error"), "fail_closed_trigger") &&
		required(v, isFlag, "fail_closed_applied") && optional(v, isText, "fail_closed_error_code")
}
