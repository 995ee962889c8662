package planner

// Routes returns the calls as "METHOD /path".
func Routes() []string { return routes(Dependencies{}).Patterns() }
