// Command cmd serves the function Console on this machine: go run ./functions/console/cmd.
package main

import (
	_ "github.com/planwright/planwright/functions/console" // registers it
	"github.com/planwright/planwright/functions/local"
)

func main() { local.Serve("Console") }
