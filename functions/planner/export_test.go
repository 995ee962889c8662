package planner

// Routes returns the calls as "METHOD /path".
func Routes() []string { return routes(Dependencies{}).Patterns() }

// Callers verifies callers and approvers as the deployed function does.
var Callers = callers
