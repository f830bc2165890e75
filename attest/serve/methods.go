package serve

// The methods of §2.
const (
	methodInitialize = "initialize"
	methodEvaluate   = "evaluate_batch"
	methodShutdown   = "shutdown"
	methodPlugin     = "submit_plugin_result"
	methodTree       = "validate_trace_tree"
	methodDrift      = "query_drift"
	methodUser       = "generate_user_message"
)
