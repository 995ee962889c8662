package planner

import (
	"context"
	"maps"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/tablestore"
)

// withLayout adds to the settings of a new table those that somebody said of an earlier one
// with the same header. What is given with the table wins.
func (h handler) withLayout(
	ctx context.Context, header string, given map[string]string,
) (map[string]string, *plannerapi.RememberedLayout, error) {
	if header == "" {
		return given, nil, nil
	}
	layout, err := h.Store.Layout(ctx, header)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		return given, nil, nil
	case err != nil:
		return nil, nil, err
	case len(layout.Settings) == 0:
		return given, nil, nil
	}
	settings := maps.Clone(layout.Settings)
	maps.Copy(settings, given)
	return settings, &plannerapi.RememberedLayout{By: layout.By, At: layout.At, File: layout.File}, nil
}

// readByLayout says beside a refusal that the table was read by settings that its sender
// did not give.
func readByLayout(err error, from *plannerapi.RememberedLayout) error {
	if err == nil || from == nil || errs.KindOf(err) != errs.Invalid {
		return err
	}
	return errs.Wrap(errs.Invalid, err, "%s It was read by the settings that %s said of %s, which has the same header, at %s: send it with settings of your own to have it read otherwise.",
		errs.Message(err), from.By, from.File, from.At.UTC().Format(time.RFC3339))
}

// atFirstSight has a table that was sent past this process be read as one with the same
// header was. It looks once: what is said of others later does not change this one.
func (h handler) atFirstSight(
	ctx context.Context, found tablestore.Table, given map[string]string, settings table.Settings,
) (tablestore.Table, table.Settings, error) {
	if !found.Unread || len(found.Settings) > 0 {
		return found, settings, nil
	}
	header, err := h.headerOf(ctx, found)
	if err != nil {
		return found, settings, err
	}
	said, from, err := h.withLayout(ctx, header, nil)
	if err != nil {
		return found, settings, err
	}
	again, err := h.Tables.SayAgain(ctx, found, said, from)
	if errs.KindOf(err) == errs.Conflict { // another request has looked meanwhile
		again, err = h.Tables.Find(ctx, found.ID, found.By, false)
	}
	if err != nil {
		return found, settings, err
	}
	found = again
	settings, err = h.settingsOf(found, given)
	return found, settings, err
}

func (h handler) headerOf(ctx context.Context, found tablestore.Table) (string, error) {
	in, err := h.Tables.Open(ctx, found)
	if err != nil {
		return "", err
	}
	defer in.Close()
	header, _, err := tablestore.ReadHeader(in)
	return header, err
}

// rememberLayout keeps what somebody said of a table for the next one with the same header.
// What they said of its rows, its names or one plan is not kept.
func (h handler) rememberLayout(
	ctx context.Context, found tablestore.Table, by string, said map[string]string,
) error {
	if said["header"] == string(recognize.HeaderNone) {
		return nil // its first row is one of its rows
	}
	header, err := h.headerOf(ctx, found)
	if err != nil || header == "" {
		return err
	}
	settings := map[string]string{}
	for _, name := range setting.OfLayout {
		if value := said[string(name)]; value != "" {
			settings[string(name)] = value
		}
	}
	known, err := h.Store.Layout(ctx, header)
	switch {
	case errs.KindOf(err) == errs.NotFound && len(settings) == 0:
		return nil
	case err != nil && errs.KindOf(err) != errs.NotFound:
		return err
	case err == nil && maps.Equal(known.Settings, settings):
		return nil
	}
	return h.Store.PutLayout(ctx, ledger.Layout{
		Header:   header,
		Settings: settings,
		By:       by,
		At:       h.now(),
		File:     found.File,
	})
}
