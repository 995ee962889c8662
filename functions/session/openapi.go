package session

import (
	_ "embed" // the description of the calls
	"net/http"
)

// openAPI describes every call in OpenAPI 3.1.
//
//go:embed openapi.json
var openAPI []byte

func describe(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(openAPI) // a sender that is gone cannot be told
	return nil
}
