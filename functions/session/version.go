package session

import (
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
)

// adkModule is the module whose version is told.
const adkModule = "google.golang.org/adk/v2"

// version answers as ADK's servers do, which name their ADK and its language.
func version(http.ResponseWriter, *http.Request) (any, error) {
	return map[string]string{
		"version":          adkVersion(),
		"language":         "go",
		"language_version": strings.TrimPrefix(runtime.Version(), "go"),
	}, nil
}

func adkVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == adkModule {
				return strings.TrimPrefix(module.Version, "v")
			}
		}
	}
	return "unknown"
}
