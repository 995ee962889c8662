package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/shared/ledger/tree"
)

func keyCommand(env environment) *cobra.Command {
	var f form
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Make the key that signs the audit in the cloud",
		Long: `Makes a private key and writes it to stdout, for Secret Manager, and its public
half to stderr, for those who verify. serve and apply make their own keys.

Who holds the private key, or puts a whole folder back to an earlier state, is
found out by what you keep elsewhere: note the public key (log/key) once, and
copy the newest file of log/heads from time to time, where nobody can change it:
another machine, a mail to yourself. verify --all --head FILE holds the tree
against it. The deployed functions' heads lie in the audit bucket, under its
retention.`,
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
			if printed, err := f.print(env.stdout,
				map[string]string{"private_key": key, "public_key": public}); printed ||
				err != nil {
				return err
			}
			fmt.Fprintf(env.stderr, "The public key, to be kept where nobody can change it:\n%s\n", public)
			fmt.Fprintln(env.stdout, key)
			return nil
		}),
	}
	f.add(cmd)
	return cmd
}
