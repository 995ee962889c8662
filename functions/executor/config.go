package executor

import (
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/execution"
)

// Config is everything the executor is told by its environment.
type Config = execution.Config

// ReadConfig reads the configuration and reports every problem at once.
func ReadConfig(lookup config.Lookup) (Config, error) { return execution.ReadConfig(lookup) }
