package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/shared/ledger/tree"
)

func keyCommand(env environment) *cobra.Command {
	return &cobra.Command{
		Use:   "key",
		Short: "Make a key that signs the audit documents of the deployed functions",
		Long: `Makes a private key and writes it to stdout, for Secret Manager, and its public
half to stderr, for those who verify. serve and apply make their own keys.`,
		Example: `  planwright key | gcloud secrets create planwright-audit-key --replication-policy=automatic --data-file=-`,
		Args:    cobra.NoArgs,
		RunE: action(func(context.Context) error {
			key, err := tree.Generate()
			if err != nil {
				return err
			}
			public, err := tree.PublicKey(key)
			if err != nil {
				return err
			}
			fmt.Fprintf(env.stderr, "The public key, to be kept where nobody can change it:\n%s\n", public)
			fmt.Fprintln(env.stdout, key)
			return nil
		}),
	}
}
