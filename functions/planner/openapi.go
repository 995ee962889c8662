package planner

import _ "embed" // the description of the calls

// openAPI describes every call in OpenAPI 3.1.
//
//go:embed openapi.json
var openAPI []byte
