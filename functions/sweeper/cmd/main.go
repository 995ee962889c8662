// Command cmd serves the function Sweeper on this machine: go run ./functions/sweeper/cmd.
package main

import (
	"github.com/planwright/planwright/functions/local"
	_ "github.com/planwright/planwright/functions/sweeper" // registers it
)

func main() { local.Serve("Sweeper") }
