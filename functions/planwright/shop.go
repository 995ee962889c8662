package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/googleapis/gax-go/v2"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/web"
)

func shopCommand(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "shop",
		Short: "Fetch a shop's catalogue, and write changed prices back to it",
		Long: `Connects a WooCommerce shop. Four variables in .env name it: SHOP_KIND=woocommerce,
SHOP_URL, SHOP_KEY and SHOP_SECRET. Make key and secret in the shop under WooCommerce,
Settings, Advanced, REST API, with the permission Read/Write.

What a plan changes in a table that was fetched is written to the shop, each price at
least once, and never over a price that somebody has changed there since. A table that
somebody drops never writes to a shop.

The commands use the server over --data where one runs, and else do its work themselves.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(shopFetchCommand(env), shopPostCommand(env), shopStatusCommand(env))
	return cmd
}

// fetchFlags are the flags of shop fetch.
type fetchFlags struct{ data, out, plan, undo string }

func shopFetchCommand(env environment) *cobra.Command {
	var given fetchFlags
	cmd := &cobra.Command{
		Use:   "fetch",
		Short: "Fetch the catalogue as it is now, to look at it or to carry a plan out",
		Example: `  planwright shop fetch --out shop.csv
  planwright shop fetch --plan plan.json
  planwright shop fetch --undo plan_sale_v1`,
		Args: cobra.NoArgs,
		RunE: action(func(ctx context.Context) error {
			if given.plan != "" && given.undo != "" {
				return usagef("Give --plan or --undo, not both.")
			}
			return withServer(ctx, env, given.data,
				func(c *web.Client) error { return fetchShop(ctx, env, c, given) })
		}),
	}
	cmd.Flags().StringVar(&given.data, "data", "./local", "folder that holds everything, as serve has it")
	cmd.Flags().StringVar(&given.out, "out", "", "where the table goes, to look at it")
	cmd.Flags().StringVar(&given.plan, "plan", "", "a plan that is carried out over the fetched table")
	cmd.Flags().StringVar(
		&given.undo, "undo", "", "the id of an execution that is undone over the fetched table",
	)
	return cmd
}

func shopPostCommand(env environment) *cobra.Command {
	var data, retry string
	cmd := &cobra.Command{
		Use:     "post",
		Short:   "Write what is due to the shop, and wait until it is done",
		Example: "  planwright shop post\n  planwright shop post --retry plan_sale_v1",
		Args:    cobra.NoArgs,
		RunE: action(func(ctx context.Context) error {
			return withServer(ctx, env, data,
				func(c *web.Client) error { return postShop(ctx, env, c, retry) })
		}),
	}
	cmd.Flags().StringVar(&data, "data", "./local", "folder that holds everything, as serve has it")
	cmd.Flags().StringVar(&retry, "retry", "", "the id of an execution whose refused rows are tried again")
	return cmd
}

func shopStatusCommand(env environment) *cobra.Command {
	var data string
	var as form
	cmd := &cobra.Command{
		Use:     "status [ID]",
		Short:   "Show what was written to the shop, and each row that was not",
		Example: "  planwright shop status\n  planwright shop status plan_sale_v1",
		Args:    cobra.MaximumNArgs(1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return action(func(ctx context.Context) error {
			return withServer(ctx, env, data,
				func(c *web.Client) error { return showPostings(ctx, env, c, as, args) })
		})(cmd, args)
	}
	cmd.Flags().StringVar(&data, "data", "./local", "folder that holds everything, as serve has it")
	as.add(cmd)
	return cmd
}

// withServer gives the planner of the server over a data folder, or of one that runs as
// long as the command does.
func withServer(ctx context.Context, env environment, data string, do func(*web.Client) error) (err error) {
	place := emulator.PlaceOf(filepath.Join(data, emulator.StateName))
	if emulator.Serving(place) {
		address := emulator.Address(place)
		if address == "" {
			return errs.New(errs.Denied, "The server over %s is only starting, or takes people from a proxy: try again, or use its pages.", data)
		}
		c, err := patient(address + "/planner")
		if err != nil {
			return err
		}
		return do(c)
	}
	if err := env.loadFile(); err != nil {
		return usagef("%s", errs.Message(err))
	}
	settings, err := emulator.ReadSettings(env.lookup)
	if err != nil {
		return usagef("%s", err)
	}
	server, err := emulator.Open(ctx, data, settings, logging.New(env.stderr, slog.LevelWarn))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	listener, err := env.listen(ctx, "0")
	if err != nil {
		return err
	}
	address, err := server.Announce(listener) // before anything is done: other commands find it then
	if err != nil {
		return err
	}
	serving, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- server.Run(serving, listener) }()
	defer func() { stop(); err = errors.Join(err, <-ended) }()
	c, err := patient(address + "/planner")
	if err != nil {
		return err
	}
	return do(c)
}

// patient is the planner of a server on this machine, whose answer is waited for as long
// as the server works on it: it fetches a large shop for many minutes.
func patient(address string) (*web.Client, error) {
	c, err := remote(address)
	if err == nil {
		transport := network.Clone()
		transport.ResponseHeaderTimeout = 0
		c.HTTP = transport
	}
	return c, err
}

// fetchShop fetches the catalogue and does with it what is asked for.
func fetchShop(ctx context.Context, env environment, c *web.Client, given fetchFlags) error {
	id := ""
	switch {
	case given.plan != "":
		text, err := os.ReadFile(given.plan)
		if err != nil {
			return errs.Wrap(errs.Invalid, err, "The plan %s cannot be read.", given.plan)
		}
		p, err := plan.Decode(text)
		if err != nil {
			return err
		}
		id = p.ExecutionID
		if err := c.Send(ctx, http.MethodPut, "/v1/plans/"+id, json.RawMessage(text),
			new(json.RawMessage)); err != nil {
			return err
		}
	case given.undo != "":
		if err := plan.CheckExecutionID(given.undo); err != nil {
			return usagef("%s", err)
		}
		var made struct {
			Plan struct {
				ExecutionID string `json:"execution_id"`
			} `json:"plan"`
		}
		if err := c.Send(ctx, http.MethodPost, "/v1/executions/"+given.undo+":undo",
			map[string]string{"table": "upload"}, &made); err != nil {
			return err
		}
		id = made.Plan.ExecutionID
	}
	bar := newWaiting(env, "fetching")
	table, err := fetchTable(ctx, c)
	bar.end()
	if err != nil {
		return err
	}
	fmt.Fprintf(env.stdout, "fetched %d rows from %s\n", table.Rows, table.Shop)
	if given.out != "" {
		if err := saveTable(ctx, c, table.Table, given.out); err != nil {
			return err
		}
		fmt.Fprintf(env.stdout, "  table    %s\n", given.out)
	}
	if id == "" {
		return nil
	}
	if err := c.Send(ctx, http.MethodPost, "/v1/plans/"+id+":execute",
		map[string]string{"table": table.Table}, new(json.RawMessage)); err != nil {
		return err
	}
	return awaitExecution(ctx, env, c, id)
}

// fetchTable has the shop fetched that the server is connected to.
func fetchTable(ctx context.Context, c *web.Client) (table plannerapi.StoredTable, err error) {
	var me plannerapi.Me
	if err := c.Get(ctx, "/v1/me", &me); err != nil {
		return table, err
	}
	if me.Shop == "" {
		return table, errs.New(errs.Invalid,
			"No shop is connected: set SHOP_KIND, SHOP_URL, SHOP_KEY and SHOP_SECRET in .env.")
	}
	return table, c.Send(ctx, http.MethodPost, "/v1/shops/"+me.Shop+":fetch", nil, &table)
}

func saveTable(ctx context.Context, c *web.Client, id, to string) error {
	in, err := c.Open(ctx, http.MethodGet, "/v1/tables/"+id+"/content", "", "", nil)
	if err != nil {
		return err
	}
	defer in.Close()
	file, err := os.Create(to)
	if err != nil {
		return errs.Wrap(errs.Denied, err, "%s cannot be written.", to)
	}
	_, err = io.Copy(file, in)
	return errors.Join(err, file.Close())
}

// askEvery is how often a command asks how far something has come.
const askEvery = 300 * time.Millisecond

// awaitExecution waits until an execution has its outcome, or is proposed.
func awaitExecution(ctx context.Context, env environment, c *web.Client, id string) error {
	bar := newWaiting(env, "carrying out")
	defer bar.end()
	for {
		var found plannerapi.Record
		err := c.Get(ctx, "/v1/executions/"+id, &found)
		if err != nil && errs.KindOf(err) != errs.NotFound {
			return err
		}
		switch {
		case err != nil || found.Status == ledger.Running:
		case found.Status == ledger.Failed:
			bar.end()
			return errs.New(errs.Invalid, "%s: %s", found.Error.Code, found.Error.Message)
		case found.Status == ledger.Proposed:
			bar.end()
			fmt.Fprintf(env.stdout,
				"proposed %s: it waits for an approval or its time, and is written to the shop after that\n",
				id)
			return nil
		default:
			bar.end()
			fmt.Fprintf(env.stdout, "completed %s: %s\n", id, changesInShop(found.Summary.RowsChanged))
			return nil
		}
		if err := gax.Sleep(ctx, askEvery); err != nil {
			return err
		}
	}
}

// changesInShop says what an execution writes to the shop.
func changesInShop(rows int64) string {
	if rows == 0 {
		return "nothing changes, and nothing is written to the shop"
	}
	return fmt.Sprintf("%d prices are to be written to the shop: planwright shop post does it, or a server by itself", rows)
}

// longestWait is how far off a posting may go on for the command to wait for it.
const longestWait = 3 * time.Minute

// postShop waits until everything is written, and says what came of it.
func postShop(ctx context.Context, env environment, c *web.Client, retry string) error {
	if retry != "" {
		if err := plan.CheckExecutionID(retry); err != nil {
			return usagef("%s", err)
		}
		if err := c.Send(ctx, http.MethodPost, "/v1/postings/"+retry+":retry", nil,
			new(json.RawMessage)); err != nil {
			return err
		}
	}
	var seen []string
	told := ""
	bar := newWaiting(env, "writing")
	defer bar.end()
	for {
		open, err := openPostings(ctx, c)
		if err != nil {
			return err
		}
		if len(open) == 0 {
			break
		}
		current := open[len(open)-1] // the oldest
		if len(seen) == 0 || seen[len(seen)-1] != current.ExecutionID {
			seen = append(seen, current.ExecutionID)
		}
		bar.at(current)
		if current.Trouble != "" && current.DueAt != nil && time.Until(*current.DueAt) > longestWait {
			bar.end()
			return errs.New(errs.Unavailable, "%s is not written whole: %s It goes on at %s.",
				current.ExecutionID, current.Trouble, minute(*current.DueAt))
		}
		if current.Trouble != "" && current.Trouble != told {
			told = current.Trouble
			fmt.Fprintf(env.stdout, "%s waits: %s It goes on by itself.\n", current.ExecutionID, told)
		}
		if err := gax.Sleep(ctx, askEvery); err != nil {
			return err
		}
	}
	bar.end()
	if len(seen) == 0 {
		fmt.Fprintln(env.stdout, "nothing is to be written to the shop")
	}
	for _, id := range seen {
		var posting plannerapi.Posting
		if err := c.Get(ctx, "/v1/postings/"+id, &posting); err != nil {
			return err
		}
		writePosting(env.stdout, posting)
	}
	return nil
}

func openPostings(ctx context.Context, c *web.Client) (open []plannerapi.Posting, err error) {
	var list plannerapi.Postings
	if err := c.Get(ctx, "/v1/postings", &list); err != nil {
		return nil, err
	}
	for _, posting := range list.Postings {
		if posting.Status != postings.Posted {
			open = append(open, posting)
		}
	}
	return open, nil
}

func showPostings(ctx context.Context, env environment, c *web.Client, as form, args []string) error {
	if len(args) == 1 {
		if err := plan.CheckExecutionID(args[0]); err != nil {
			return usagef("%s", err)
		}
		var posting plannerapi.Posting
		if err := c.Get(ctx, "/v1/postings/"+args[0], &posting); err != nil {
			return err
		}
		if printed, err := as.print(env.stdout, posting); printed || err != nil {
			return err
		}
		writePosting(env.stdout, posting)
		return nil
	}
	var list plannerapi.Postings
	if err := c.Get(ctx, "/v1/postings", &list); err != nil {
		return err
	}
	if printed, err := as.print(env.stdout, list); printed || err != nil {
		return err
	}
	if len(list.Postings) == 0 {
		fmt.Fprintln(env.stdout, "nothing was ever to be written to a shop")
		return nil
	}
	lines := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(lines, "execution\tstatus\trows\twritten\tleft\tsince")
	for _, p := range list.Postings {
		left := p.Stale + p.Refused + p.Gone + p.Differs
		fmt.Fprintf(lines, "%s\t%s\t%d\t%d\t%d\t%s\n", p.ExecutionID,
			p.Status, p.Rows, p.Written+p.Already, left, minute(p.CreatedAt))
	}
	return lines.Flush()
}

// writePosting says what came of a posting, row by row where the shop does not hold it.
func writePosting(out io.Writer, p plannerapi.Posting) {
	fmt.Fprintf(out, "%s %s: of %d prices %d are written, %d were so already, %d were changed in the shop since, %d are refused, %d are gone, %d were changed after they were written\n",
		p.Status, p.ExecutionID, p.Rows, p.Written, p.Already, p.Stale, p.Refused, p.Gone, p.Differs)
	for _, row := range p.Left {
		name := strings.Join(strings.Fields(row.Name+" "+row.SKU), " ")
		fmt.Fprintf(out, "  row %d, %s (%s): wanted %s, the shop has %s. %s\n",
			row.Row, name, row.Result, row.Wanted, row.Has, row.Why)
	}
	if p.Trouble != "" {
		fmt.Fprintf(out, "  %s\n", p.Trouble)
	}
}

// waiting is a bar on a terminal while a command waits for a server.
type waiting struct{ bar *progressbar.ProgressBar }

func newWaiting(env environment, what string) *waiting {
	file, ok := env.stderr.(*os.File)
	return &waiting{progressbar.NewOptions64(-1,
		progressbar.OptionSetVisibility(ok && term.IsTerminal(int(file.Fd()))),
		progressbar.OptionSetWriter(cmp.Or(env.stderr, io.Discard)),
		progressbar.OptionSetDescription(what),
		progressbar.OptionClearOnFinish(),
	)}
}

// at shows how far a posting has come; first it is written, then read once more.
func (w *waiting) at(p plannerapi.Posting) {
	w.bar.ChangeMax64(p.Rows)
	w.bar.Describe(string(p.Status) + " " + p.ExecutionID)
	// nothing rests on what is shown
	_ = w.bar.Set64(min(p.Rows, p.Written+p.Already+p.Stale+p.Refused+p.Gone))
}

func (w *waiting) end() { _ = w.bar.Finish() }
