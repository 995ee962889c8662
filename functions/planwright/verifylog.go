package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/verify"
)

// verifyLog verifies a copy of the signed log, and that files hold documents of it.
// It reads nothing else.
func (f verifyFlags) verifyLog(env environment) error {
	if f.key == "" {
		return usagef(
			"--log needs --key, the public key that was noted when the system was set up: the one beside a log proves nothing against whoever wrote both.",
		)
	}
	log, err := tree.OpenLog(os.DirFS(f.log), f.key)
	switch errs.KindOf(err) {
	case errs.NotFound, errs.Denied:
		return usagef(
			"--log %s: %s. Give a copy of the folder log/ of the audit bucket, with heads/ and tile/ in it.",
			f.log,
			errs.Message(err),
		)
	case errs.Invalid:
		return usagef("--key: %s", errs.Message(err))
	}
	subjects := []verify.Subject{{Name: f.log, Findings: []verify.Finding{logFinding(log, err)}}}
	documents := int64(0)
	for _, path := range f.files {
		if err != nil {
			break // nothing can be looked up in a log that is none
		}
		finding, count, readErr := signedLines(log, path)
		if readErr != nil {
			return readErr
		}
		documents += count
		subjects = append(subjects, verify.Subject{Name: path, Findings: []verify.Finding{finding}})
	}
	return f.printLog(env, subjects, documents)
}

// logFinding says what was found of the log itself.
func logFinding(log *tree.SignedLog, err error) verify.Finding {
	if err != nil {
		return verify.Finding{What: "the signed log", Fault: errs.Message(err)}
	}
	finding := verify.Finding{
		What: fmt.Sprintf(
			"the signed log: %s of one tree of %s",
			plural(int64(log.Heads), "head"),
			plural(log.Size, "document"),
		),
	}
	if log.Epochs > 1 {
		finding.What += fmt.Sprintf(", after %s", plural(int64(log.Epochs-1), "earlier tree"))
	}
	if log.Lost > 0 {
		finding.Notes = []string{
			fmt.Sprintf(
				"the records were put back to an earlier state; %s of earlier trees were lost by that",
				plural(int64(log.Lost), "document"),
			),
		}
	}
	return finding
}

// signedLines looks for each line of a file in the log, and counts those that are there.
func signedLines(log *tree.SignedLog, path string) (finding verify.Finding, signed int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return finding, 0, usagef("%s cannot be read: is the path right?", path)
	}
	defer file.Close()
	seen := map[[sha256.Size]byte]int64{}
	lines := bufio.NewReader(file)
	number := int64(0)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			number++
			sum := sha256.Sum256(line)
			switch {
			case finding.Fault != "": // the first is said
			case !log.Has(bytes.TrimSuffix(line, []byte("\n"))):
				finding.Fault = fmt.Sprintf(
					"line %d is not in the signed log: it was edited since, or not written by the holder of the key",
					number,
				)
			case seen[sum] > 0:
				finding.Fault = fmt.Sprintf("line %d is line %d again", number, seen[sum])
			default:
				seen[sum] = number
			}
		}
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return finding, 0, errs.Wrap(errs.Unavailable, err, "%s cannot be read to its end.", path)
		}
	}
	finding.What = plural(number, "line")
	if number == 0 {
		finding.Fault = "the file is empty"
	}
	return finding, int64(len(seen)), nil
}

// printLog says of the log and of each file whether it is as it must be.
func (f verifyFlags) printLog(env environment, subjects []verify.Subject, documents int64) error {
	faults := int64(0)
	for _, subject := range subjects {
		if f.form != "json" {
			fmt.Fprintln(env.stdout, subject.Name)
			printFindings(env, subject.Findings)
		}
		if subject.Findings[0].Fault != "" {
			faults++
		}
	}
	printed, err := f.form.print(env.stdout, subjects)
	switch {
	case err != nil:
		return err
	case faults > 0:
		return errs.New(errs.Internal,
			"Not everything is as it was signed: %s.", plural(faults, "difference"))
	case !printed:
		fmt.Fprintf(
			env.stdout,
			"verified   %s of %s in the signed log\n",
			plural(documents, "document"),
			plural(int64(len(subjects)-1), "file"),
		)
	}
	return nil
}
