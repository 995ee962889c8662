package execution_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/execution/ranges"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/test/expect"
)

// inRanges computes in so many ranges, in this process.
func (s *shop) inRanges(n int) *ranges.Computer {
	buckets := execution.Buckets{Inbox: s.inbox, Outbox: s.outbox, Audit: s.audit}
	return &ranges.Computer{Buckets: buckets, Stretches: func(int64) int { return n }, Spread: ranges.Here(buckets)}
}

// wide gives a table a column of long texts, so that it can be cut into stretches.
func wide(table string) string {
	header, rows, _ := strings.Cut(table, "\n")
	return header + ",description\n" + strings.ReplaceAll(rows, "\n", ",\""+strings.Repeat("soft,\n", 400)+"\"\n")
}

// dropParts removes what workers have stored, as a rule of the bucket does.
func (s *shop) dropParts() {
	for _, name := range []string{"outbox", "audit"} {
		if err := os.RemoveAll(filepath.Join(s.dir, name, ranges.Folder)); err != nil {
			s.t.Fatal(err)
		}
	}
}

// Everything but the times is the same in ranges as in one piece.
func TestRangesMakeTheSameSeal(t *testing.T) {
	seal := func(compute func(*shop)) ledger.Seal {
		s := open(t)
		s.storePlan()
		compute(s)
		s.handle(s.drop(id+"/p.csv", wide(products)))
		s.completedWith(wide(updated))
		return *s.record().Seal
	}
	whole := seal(func(*shop) {})
	for n := 1; n <= 9; n++ {
		got := seal(func(s *shop) { s.Computer = s.inRanges(n) })
		if got.Input != whole.Input || got.Output != whole.Output || got.Changes != whole.Changes || got.Changes.SHA256 != whole.Changes.SHA256 {
			t.Errorf("in %d ranges %+v, whole %+v", n, got, whole)
		}
	}
}

// A table with a fault is refused in the same words.
func TestRangesRefuseAlike(t *testing.T) {
	for where, table := range map[string]string{"row 6": wide(products + "A104,fitness,cheap,true\nA105,fitness,dear,true\n"), "row 1": strings.Replace(wide(products), "price", "cost", 1)} {
		refusal := func(compute func(*shop)) ledger.Failure {
			s := open(t)
			s.storePlan()
			compute(s)
			s.handle(s.drop(id+"/p.csv", table))
			return *s.record().Error
		}
		whole := refusal(func(*shop) {})
		got := refusal(func(s *shop) { s.Computer = s.inRanges(4) })
		if got.Code != "invalid_csv" || got.Message != whole.Message || !strings.Contains(got.Message, where) {
			t.Errorf("in ranges %+v, whole %+v", got, whole)
		}
	}
}

// Neither a build of the engine nor a bucket that cannot do it begins the work.
func TestWorkThatCannotBeDone(t *testing.T) {
	s := open(t)
	s.storePlan()
	computer := s.inRanges(2)
	if _, err := ranges.NewWorker(computer.Buckets, ranges.Work{Build: "another"}); errs.KindOf(err) != errs.Invalid || !strings.Contains(errs.Message(err), "is for build another") {
		t.Errorf("NewWorker: %v", err)
	}
	computer.Inbox = struct{ bucket.Bucket }{s.inbox}
	s.Computer = computer
	if err := s.Handle(t.Context(), s.drop(id+"/p.csv", wide(products))); err == nil || !strings.Contains(err.Error(), "no ranges can be read of the bucket inbox") {
		t.Errorf("Handle = %v", err)
	}
	computer = s.inRanges(2)
	computer.Outbox = struct{ bucket.Bucket }{s.outbox}
	s.Computer = computer
	if err := s.Handle(t.Context(), s.drop(id+"/p.csv", wide(products))); err == nil || !strings.Contains(err.Error(), "the buckets outbox and audit cannot compose") {
		t.Errorf("Handle = %v", err)
	}
}

// sealedInRanges opens a shop in which a table was sealed in three ranges an hour
// ago, by an executor that was cut off then.
func sealedInRanges(t *testing.T) (*shop, execution.Event) {
	t.Helper()
	s := open(t)
	s.storePlan()
	s.Computer = s.inRanges(3)
	event := s.drop(id+"/p.csv", wide(products))
	s.sealAndCrash(event)
	s.clock.advance(time.Hour)
	return s, event
}

// A computer that fails says nothing of the input.
func TestAComputerThatFailsWhileItFinishes(t *testing.T) {
	s, event := sealedInRanges(t)
	s.dropParts()
	x, computer, broken := s.executor(), s.inRanges(3), errors.New("broken")
	computer.Spread = func(context.Context, ranges.Work, []ranges.Stretch, func() error) error { return broken }
	x.Computer = computer
	if err := x.Handle(t.Context(), event); !errors.Is(err, broken) {
		t.Errorf("Handle = %v", err)
	}
}

// Whatever was opened is closed, in one piece as in ranges.
func TestFilesAreClosed(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it closes files too
	s := open(t)
	s.storePlan()
	s.handle(s.drop(id+"/p.csv", products))
	undo := s.undoPlan("plan_undoes_v1")
	s.handle(s.drop("plan_undoes_v1/plan.json", string(undo.Canonical())))
	s.handle(s.drop("plan_undoes_v1/p.csv", updated))
	expect.Closed(t, s.dir+"/audit")
	for _, text := range []string{products, broken, "a,b\n1,2\n"} { // the last two are refused
		s := open(t)
		s.storePlan()
		s.Computer = s.inRanges(3)
		s.handle(s.drop(id+"/p.csv", wide(text)))
		expect.Closed(t, s.dir+"/inbox")
		expect.Closed(t, s.dir+"/audit")
	}
}

// What was sealed in ranges is finished from its parts, and where these are
// gone, or it is an ordinary executor that finishes, they are made again.
func TestSealedInRangesIsFinished(t *testing.T) {
	for name, finish := range map[string]func(s *shop) *execution.Executor{
		"from its parts":    func(s *shop) *execution.Executor { x := s.executor(); x.Computer = s.inRanges(3); return x },
		"with other ranges": func(s *shop) *execution.Executor { x := s.executor(); x.Computer = s.inRanges(2); return x },
		"its parts are gone": func(s *shop) *execution.Executor {
			s.dropParts()
			x := s.executor()
			x.Computer = s.inRanges(3)
			return x
		},
		"in one piece": func(s *shop) *execution.Executor { return s.executor() },
	} {
		t.Run(name, func(t *testing.T) {
			s, event := sealedInRanges(t)
			x := finish(s)
			if err := x.Handle(t.Context(), event); err != nil {
				t.Fatal(err)
			}
			s.completedWith(wide(updated))
		})
	}
}

// What is too large here and sealed or proposed elsewhere is left to elsewhere.
func TestTooLargeIsLeftToElsewhere(t *testing.T) {
	s, event := sealedInRanges(t)
	here := s.executor()
	here.Limits.TableBytes = 1
	if err := here.Handle(t.Context(), event); !errors.Is(err, errs.Unavailable) || !strings.Contains(err.Error(), "planwright-pipeline") {
		t.Errorf("Handle = %v", err)
	}
	s.clock.advance(time.Hour)
	s.handle(event)
	s.completedWith(wide(updated))
}

// An execution that has gone to another is given up while it is computed.
func TestWorkEndsWithTheExecution(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", wide(products))
	computer := s.inRanges(2)
	s.Computer = computer
	spread := computer.Spread
	computer.Spread = func(ctx context.Context, work ranges.Work, stretches []ranges.Stretch, working func() error) error {
		s.clock.advance(time.Hour)
		other := s.executor()
		if err := other.Handle(ctx, event); err != nil {
			t.Error(err)
		}
		s.clock.advance(time.Hour)
		return spread(ctx, work, stretches, working)
	}
	if err := s.Handle(t.Context(), event); !errors.Is(err, errs.Stale) {
		t.Errorf("Handle = %v", err)
	}
	s.completedWith(wide(updated))
}

// One read of the table in which one byte comes out wrong changes nothing of
// what is sealed: it is read again.
func TestWhatIsMisreadIsNotSealed(t *testing.T) {
	text := wide(strings.NewReplacer("A101,fitness", "A101,yoga", "A103,fitness", "A103,yoga").Replace(products))
	whole := open(t)
	whole.storePlan()
	whole.handle(whole.drop(id+"/p.csv", text))
	want := whole.record().Seal
	for name, place := range map[string]int{
		"a column's name":        strings.Index(text, "description"),
		"the price's title":      strings.Index(text, "price"),
		"a price":                strings.Index(text, "39.99"),
		"what parts two cells":   strings.Index(text, ",true"),
		"the only such category": strings.Index(text, "fitness"),
		"a line break in a row":  strings.Index(text, ",\n") + 1,
	} {
		for nth := 0; ; nth++ {
			s := open(t)
			s.storePlan()
			reads := 0
			inbox := misread{s.inbox, func(from int64, data []byte) {
				if at := int64(place) - from; at >= 0 && at < int64(len(data)) {
					if reads == nth {
						data[at] ^= 1
					}
					reads++
				}
			}}
			buckets := execution.Buckets{Inbox: inbox, Outbox: s.outbox, Audit: s.audit}
			s.Computer = &ranges.Computer{Buckets: buckets, Stretches: func(int64) int { return 2 }, Spread: ranges.Here(buckets)}
			s.handle(s.drop(id+"/p.csv", text))
			if nth >= reads {
				break
			}
			got := s.record().Seal
			if got == nil || got.Input != want.Input || got.Output != want.Output || got.Changes != want.Changes || got.Changes.SHA256 != want.Changes.SHA256 {
				t.Errorf("%s, read %d: %+v, want %+v", name, nth, got, want)
			}
		}
	}
}

// A title that comes out wrong is no reason to refuse a large table, of which the
// beginning alone is read to find it.
func TestAMisreadTitleIsReadAgain(t *testing.T) {
	s := open(t)
	s.storePlan()
	text := wide(products) + strings.Repeat("B202,yoga,19.99,false,\n", 10_000)
	spoilt := false
	s.Inbox = misread{s.inbox, func(_ int64, data []byte) {
		if !spoilt {
			data[strings.Index(text, "price")] ^= 1
		}
		spoilt = true
	}}
	event := s.drop(id+"/p.csv", text)
	if err := s.Handle(t.Context(), event); errs.KindOf(err) != errs.Internal || !strings.Contains(errs.Message(err), "damaged") {
		t.Errorf("Handle = %v, and the upload is %s", err, s.record().Status)
	}
	s.handle(event)
	if status := s.record().Status; status != ledger.Completed {
		t.Errorf("the upload is %s once it is read rightly", status)
	}
}

// A table that comes out wrong each time is left to another delivery.
func TestWhatIsAlwaysMisreadIsTriedThrice(t *testing.T) {
	s := open(t)
	s.storePlan()
	text := wide(products)
	price := int64(strings.Index(text, "39.99"))
	buckets := execution.Buckets{Outbox: s.outbox, Audit: s.audit, Inbox: misread{s.inbox, func(from int64, data []byte) {
		if at := price - from; at >= 0 && at < int64(len(data)) {
			data[at] ^= 1
		}
	}}}
	var tries []int
	s.Computer = &ranges.Computer{Buckets: buckets, Stretches: func(int64) int { return 2 }, Spread: func(_ context.Context, work ranges.Work, _ []ranges.Stretch, _ func() error) error {
		if tries = append(tries, work.Try); len(tries) > 5 {
			return errors.New("this does not end")
		}
		return nil
	}}
	if err := s.Handle(t.Context(), s.drop(id+"/p.csv", text)); !errors.Is(err, row.ErrMisread) || !slices.Equal(tries, []int{0, 1, 2}) {
		t.Errorf("Handle = %v after the tries %v", err, tries)
	}
}

// A read that ends early, or with an error, is told as that.
func TestUnreadableTablesAreReported(t *testing.T) {
	for nth := 1; ; nth++ {
		reads := 0
		for _, cut := range []error{nil, errs.New(errs.Unavailable, "the disk is gone")} {
			s := open(t)
			s.storePlan()
			reads = 0
			buckets := execution.Buckets{Outbox: s.outbox, Audit: s.audit, Inbox: cutShort{s.inbox, func(from int64) (bool, error) {
				if from > 0 {
					reads++
				}
				return reads == nth && from > 0, cut
			}}}
			s.Computer = &ranges.Computer{Buckets: buckets, Stretches: func(int64) int { return 2 }, Spread: func(context.Context, ranges.Work, []ranges.Stretch, func() error) error { return nil }}
			err := s.Handle(t.Context(), s.drop(id+"/p.csv", wide(products)))
			if reads >= nth && cut != nil && !errors.Is(err, cut) || nth == 1 && cut == nil && !strings.Contains(err.Error(), "bytes were read of a stretch") {
				t.Errorf("read %d, cut short with %v: Handle = %v", nth, cut, err)
			}
		}
		if reads < nth {
			break
		}
	}
}

// Whenever the execution goes to another, the computing ends with that.
func TestWorkEndsAtAnyTime(t *testing.T) {
	gone := errs.New(errs.Stale, "it has gone to another")
	for nth := 1; ; nth++ {
		s := open(t)
		s.storePlan()
		calls := 0
		s.Computer = interrupted{s.inRanges(2), func() error {
			if calls++; calls == nth {
				return gone
			}
			return nil
		}}
		err := s.Handle(t.Context(), s.drop(id+"/p.csv", wide(products)))
		if calls < nth {
			break
		}
		if !errors.Is(err, gone) {
			t.Errorf("gone at call %d: Handle = %v", nth, err)
		}
	}
}

// interrupted is a computer that asks another whether to go on.
type interrupted struct {
	*ranges.Computer
	working func() error
}

func (c interrupted) Compute(ctx context.Context, job execution.Job) (execution.Result, error) {
	job.Working = c.working
	return c.Computer.Compute(ctx, job)
}

// Where another worker stores the same meanwhile, that counts.
func TestTwoWorkersSurveyAtOnce(t *testing.T) {
	s := open(t)
	s.storePlan()
	computer := s.inRanges(2)
	here, second := computer.Spread, false
	computer.Spread = func(ctx context.Context, work ranges.Work, stretches []ranges.Stretch, working func() error) error {
		buckets := computer.Buckets
		buckets.Inbox = cutShort{s.inbox, func(int64) (bool, error) {
			if second {
				return false, nil
			}
			second = true
			return false, here(ctx, work, stretches, working)
		}}
		return ranges.Here(buckets)(ctx, work, stretches, working)
	}
	s.Computer = computer
	s.handle(s.drop(id+"/p.csv", wide(products)))
	s.completedWith(wide(updated))
}

// cutShort is a bucket some of whose reads end half way.
type cutShort struct {
	bucket.Bucket
	cuts func(from int64) (bool, error)
}

func (b cutShort) OpenRange(ctx context.Context, name string, generation, from, length int64) (io.ReadCloser, error) {
	in, err := b.Bucket.(bucket.Parts).OpenRange(ctx, name, generation, from, length)
	if err != nil {
		return nil, err
	}
	cut, with := b.cuts(from)
	if !cut {
		return in, nil
	}
	short := io.LimitReader(in, length/2)
	if with != nil {
		short = io.MultiReader(short, iotest.ErrReader(with))
	}
	return struct {
		io.Reader
		io.Closer
	}{short, in}, nil
}

func (b cutShort) Compose(ctx context.Context, name string, options bucket.CreateOptions, parts []bucket.Object) (bucket.Object, error) {
	return b.Bucket.(bucket.Parts).Compose(ctx, name, options, parts)
}

// misread is a bucket whose bytes come out wrong.
type misread struct {
	bucket.Bucket
	spoil func(from int64, data []byte)
}

func (b misread) Open(ctx context.Context, name string, generation int64) (io.ReadCloser, bucket.Object, error) {
	object, err := b.Stat(ctx, name)
	if err != nil {
		return nil, object, err
	}
	in, err := b.OpenRange(ctx, name, generation, 0, object.Size)
	return bucket.Verify(in, object), object, err
}

func (b misread) Compose(ctx context.Context, name string, options bucket.CreateOptions, parts []bucket.Object) (bucket.Object, error) {
	return b.Bucket.(bucket.Parts).Compose(ctx, name, options, parts)
}

func (b misread) OpenRange(ctx context.Context, name string, generation, from, length int64) (io.ReadCloser, error) {
	in, err := b.Bucket.(bucket.Parts).OpenRange(ctx, name, generation, from, length)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	b.spoil(from, data)
	return io.NopCloser(bytes.NewReader(data)), err
}
